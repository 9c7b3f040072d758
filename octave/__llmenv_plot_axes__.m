## SPDX-License-Identifier: GPL-3.0-or-later

## AX = __llmenv_plot_axes__ (PAGE, BOX, XLABEL, YLABEL): axes with a light
## grid over BOX, [left, bottom, width, height] in pixels of the page.

function ax = __llmenv_plot_axes__ (page, box, xtext, ytext)
  light = [0.86, 0.86, 0.86];
  dark = [0.2, 0.2, 0.2];
  ax = axes ("parent", page.figure, "units", "normalized",
             "position", box ./ [1200, 750, 1200, 750],
             "fontname", "DejaVu Sans", "fontsize", 12, "box", "on",
             "color", "w", "xcolor", dark, "ycolor", dark, "layer", "bottom",
             "xgrid", "on", "ygrid", "on", "gridcolor", light, "gridalpha", 1,
             "gridlinestyle", "-", "xminorgrid", "off", "yminorgrid", "off",
             "ticklength", [0.006, 0.006]);
  hold (ax, "on");
  look = {"fontname", "DejaVu Sans", "fontsize", 12.75};
  xlabel (ax, __llmenv_plot_plain__ (xtext), look{:});
  ylabel (ax, __llmenv_plot_plain__ (ytext), look{:});
endfunction
