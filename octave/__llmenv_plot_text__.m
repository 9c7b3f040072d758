## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_text__ (AX, X, Y, STRING, SIZE, NAME, VALUE, ...): text of
## SIZE pixels on a picture 1200 pixels wide, plain unless "interpreter" is set.

function h = __llmenv_plot_text__ (ax, x, y, string, size, varargin)
  h = text (x, y, __llmenv_plot_plain__ (string), "parent", ax,
            "fontname", "DejaVu Sans", "fontsize", 0.75 * size,
            "interpreter", "none", "color", [0.15, 0.15, 0.15], varargin{:});
endfunction
