## SPDX-License-Identifier: GPL-3.0-or-later

## ENTRIES = __llmenv_facts__ (RECORD, FIELDS): entries of __llmenv_card__ for
## those of FIELDS ({FIELD, LABEL, FORMAT; ...}) that RECORD knows.
## ENTRIES = __llmenv_facts__ (RECORD): its corrections and provenance.

function entries = __llmenv_facts__ (record, fields)
  entries = cell (0, 2);
  if (nargin == 2)
    for k = 1:rows (fields)
      if (! isfield (record, fields{k,1}))
        continue;
      endif
      value = record.(fields{k,1});
      if (isempty (value) || (isnumeric (value) && any (isnan (value))))
        continue;
      endif
      entries(end+1,:) = {fields{k,2}, sprintf(fields{k,3}, value)};
    endfor
    return;
  endif

  if (isfield (record, "corrections") && ! isempty (record.corrections))
    entries(end+1,:) = {"Corrections", ""};
    for c = as_cells (record.corrections)
      entries(end+1,:) = {c{1}.field, correction(c{1})};
    endfor
  endif
  if (isfield (record, "provenance") && isstruct (record.provenance))
    entries(end+1,:) = {"Provenance", ""};
    names = fieldnames (record.provenance);
    for k = 1:numel (names)
      entries(end+1,:) = {names{k}, show(record.provenance.(names{k}))};
    endfor
  endif
endfunction

function text = correction (c)
  text = sprintf ("published %s, right %s", show (get (c, "published")),
                  show (get (c, "right")));
  if (isfield (c, "applies") && isequal (c.applies, false))
    text = [text " (noted only)"];
  endif
  text = [text ". " get(c, "why")];
  if (! isempty (get (c, "source")))
    text = [text " Source: " c.source "."];
  endif
endfunction

function value = get (s, field)
  value = "";
  if (isfield (s, field))
    value = s.(field);
  endif
endfunction

function text = show (value)
  if (ischar (value))
    text = value;
  elseif (iscellstr (value))
    text = strjoin (value, ", ");
  elseif (isnumeric (value) && isscalar (value) && isnan (value))
    text = "no record";
  elseif (isnumeric (value) || islogical (value))
    text = strjoin (arrayfun (@(x) sprintf ("%.12g", x), value,
                              "UniformOutput", false), ", ");
  else
    text = "...";
  endif
  if (isempty (text))
    text = "none";
  endif
endfunction

function cells = as_cells (list)
  if (isstruct (list))
    list = num2cell (list);
  endif
  cells = list(:)';
endfunction
