## SPDX-License-Identifier: GPL-3.0-or-later

## R = __llmenv_plot_records__ (WHAT, ARG, PAIRS): models or cards (WHAT is
## "model" or "card") of the argument ARG: list (a cell row of what to call the
## functions with), ids and names to show, cards with the option Count.

function r = __llmenv_plot_records__ (what, arg, pairs)
  if (! iscell (arg))
    arg = {arg};
  endif
  r.list = arg(:)';
  if (isempty (r.list))
    error ("llmenv:badSize", "%s must not be empty", upper (what));
  endif
  count = 1;
  if (strcmp (what, "card"))
    records = llmenv_accelerator (r.list);
    count = __llmenv_take__ (pairs, "Count", 1);
  else
    records = llmenv_model (r.list);
  endif
  for k = 1:numel (records)
    r.ids{k} = records{k}.id;
    r.names{k} = short (records{k});
    if (isnumeric (count) && isscalar (count) && count != 1)
      r.names{k} = sprintf ("%g x %s", count, r.names{k});
    endif
  endfor
endfunction

## Names are for people; what is in brackets is for lawyers.
function name = short (record)
  name = record.id;
  if (isfield (record, "name") && ! isempty (record.name))
    name = regexprep (record.name, ' *\([^)]*\)', "");
    name = regexprep (name, '^NVIDIA (GeForce )?', "");
    name = regexprep (name, ' (Generation|Workstation Edition)$', "");
  endif
endfunction
