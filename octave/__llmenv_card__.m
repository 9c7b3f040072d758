## SPDX-License-Identifier: GPL-3.0-or-later

## __llmenv_card__ (TITLE, ENTRIES): print a card of at most 80 columns.
## ENTRIES: cell rows {LABEL, TEXT}; an empty label continues the one above, an
## empty text makes the label a heading.

function __llmenv_card__ (title, entries)
  printf ("%s\n%s\n", title, repmat ("-", 1, min (80, numel (title))));
  is_entry = ! cellfun ("isempty", entries(:,2));
  width = max (cellfun ("numel", entries(is_entry,1)));
  for k = 1:rows (entries)
    [label, text] = entries{k,:};
    if (isempty (text))
      printf ("\n%s\n", label);
      continue;
    endif
    lines = wrap (text, 80 - width - 4);
    for i = 1:numel (lines)
      printf ("  %-*s  %s\n", width, label, lines{i});
      label = "";
    endfor
  endfor
endfunction

function lines = wrap (text, width)
  words = strsplit (text, " ");
  lines = {""};
  for k = 1:numel (words)
    longer = strtrim ([lines{end} " " words{k}]);
    if (numel (longer) <= width || isempty (lines{end}))
      lines{end} = longer;
    else
      lines{end+1} = words{k};
    endif
  endfor
endfunction
