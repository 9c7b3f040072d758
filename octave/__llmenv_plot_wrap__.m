## SPDX-License-Identifier: GPL-3.0-or-later

## LINES = __llmenv_plot_wrap__ (TEXT, WIDTH, SIZE): TEXT of SIZE pixels as a
## cell of lines of at most WIDTH pixels, broken after commas, semicolons and
## newlines.

function lines = __llmenv_plot_wrap__ (text, width, size)
  pieces = regexp (text, '[^,;\n]*[,;\n]?', "match");
  lines = {""};
  for k = 1:numel (pieces)
    longer = [lines{end} strtrim(pieces{k}) " "];
    is_new = k > 1 && pieces{k-1}(end) == "\n";
    if (! is_new && (__llmenv_plot_width__ (longer, size) <= width
                     || isempty (lines{end})))
      lines{end} = longer;
    else
      lines{end+1} = [strtrim(pieces{k}) " "];
    endif
  endfor
endfunction
