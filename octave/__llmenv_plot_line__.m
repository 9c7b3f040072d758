## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_line__ (AX, X, Y, STYLE, NAME, VALUE, ...): a line with the
## properties of the struct STYLE, then those named.  Without points it has one
## of NaN: gnuplot waits for ever for the data of an empty line.

function h = __llmenv_plot_line__ (ax, x, y, style, varargin)
  if (isempty (x))
    x = y = NaN;
  endif
  h = line (x(:), y(:), "parent", ax);
  set (h, style);
  if (! isempty (varargin))
    set (h, varargin{:});
  endif
endfunction
