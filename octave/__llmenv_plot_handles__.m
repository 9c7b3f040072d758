## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_handles__ (PAGE, AX): the handles that llmenv_plot returns.

function h = __llmenv_plot_handles__ (page, ax)
  h = struct ("figure", page.figure, "axes", ax, "lines", zeros (0, 1),
              "marks", zeros (0, 1), "legend", zeros (0, 1),
              "title", page.title, "caption", page.caption);
endfunction
