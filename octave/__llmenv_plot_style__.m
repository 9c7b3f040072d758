## SPDX-License-Identifier: GPL-3.0-or-later

## S = __llmenv_plot_style__ (K): properties of the line of series K: a colour
## of Okabe and Ito's set, told apart by colour-blind eyes, and a line style and
## marker that tell them apart in grey print. They repeat after 35.

function s = __llmenv_plot_style__ (k)
  colors = [  0, 114, 178      # blue
            213,  94,   0      # vermilion
              0, 158, 115      # bluish green
            204, 121, 167      # reddish purple
            230, 159,   0      # orange
             86, 180, 233      # sky blue
              0,   0,   0] / 255;
  lines = {"-", "--", "-.", "-", "--"};
  markers = {"o", "s", "^", "d", "v"};
  s = struct ("color", colors(mod (k - 1, 7) + 1,:),
              "linestyle", lines{mod (k - 1, 5) + 1}, "linewidth", 2.5,
              "marker", markers{mod (k - 1, 5) + 1}, "markersize", 8);
endfunction
