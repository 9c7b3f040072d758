## SPDX-License-Identifier: GPL-3.0-or-later

## __llmenv_plot_rows__ (AX, NAMES): NAMES beside the y axis at 1, 2, ..., the
## first on top, as they are: gnuplot makes an index of what follows _, whatever
## the interpreter.

function __llmenv_plot_rows__ (ax, names, shift = 0)
  names = __llmenv_plot_plain__ (names);
  fig = ancestor (ax, "figure");
  if (strcmp (get (fig, "__graphics_toolkit__"), "gnuplot"))
    names = strrep (names, "_", "\\\\_");
  endif
  n = numel (names);
  set (ax, "ylim", [0.4, n + 0.6] + shift, "ytick", (1:n) + shift, "yticklabel",
       flipud (names(:)), "ticklabelinterpreter", "none", "ygrid", "off");
endfunction
