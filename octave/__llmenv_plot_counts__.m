## SPDX-License-Identifier: GPL-3.0-or-later

## [X, REST] = __llmenv_plot_counts__ (PAIRS, NAME, DEFAULT): take option NAME
## out of PAIRS: numbers above 0, text like "32k", or a cell of both, as a row.

function [x, rest] = __llmenv_plot_counts__ (pairs, name, default)
  [value, rest] = __llmenv_take__ (pairs, name, default);
  if (! iscell (value))
    value = {value};
  endif
  x = cellfun (@number, value(:)', "UniformOutput", false);
  x = double ([x{:}]);
  if (isempty (x) || ! all (isfinite (x) & x > 0))
    error ("llmenv:badOption",
           "option %s must be numbers above 0, or text like '32k'", name);
  endif
endfunction

function x = number (value)
  x = NaN;
  if (isnumeric (value) && isreal (value))
    x = value(:)';
  elseif (ischar (value))
    t = regexp (strtrim (value), '^(\d+(?:\.\d+)?)([kKmM]?)$', "tokens",
                "once");
    if (! isempty (t))
      power = find (strcmpi (t{2}, {"", "k", "m"})) - 1;
      x = str2double (t{1}) * 1024 ^ power;
    endif
  endif
endfunction
