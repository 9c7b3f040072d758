## SPDX-License-Identifier: GPL-3.0-or-later

## PAGE = __llmenv_plot_page__ (OWN, TITLE, CAPTION): a figure of 1200 by 750
## pixels with its title and caption, OWN's where it has them.  PAGE: figure,
## canvas (axes over all of it, in pixels from the lower left), title, caption
## and top, the y below which there is room.

function page = __llmenv_plot_page__ (own, heading, caption)
  __llmenv_plot_font__ ();
  warning ("off", "Octave:gnuplot-graphics", "local");
  size = [1200, 750];
  page.figure = figure ("visible", "off", "color", "w", "name",
                        __llmenv_plot_plain__ (heading), "numbertitle", "off",
                        "inverthardcopy", "off");
  is_gnuplot = ! have_window_system () || ! isempty (own.File);
  if (is_gnuplot && any (strcmp (available_graphics_toolkits (), "gnuplot")))
    graphics_toolkit (page.figure, "gnuplot");
  endif
  ## gnuplot prints 72 pixels an inch; on a screen there are about 96.
  dpi = merge (strcmp (get (page.figure, "__graphics_toolkit__"), "gnuplot"),
               72, 96);
  set (page.figure, "paperunits", "inches", "papersize", size / dpi,
       "paperposition", [0, 0, size / dpi], "position", [80, 80, size]);

  page.canvas = axes ("parent", page.figure, "position", [0, 0, 1, 1],
                      "visible", "off", "xlim", [0, size(1)],
                      "ylim", [0, size(2)]);
  if (! isempty (own.Title))
    heading = own.Title;
  endif
  if (! isempty (own.Caption))
    caption = own.Caption;
  endif
  page.title = __llmenv_plot_text__ (page.canvas, 40, 722, heading, 24,
                                     "fontweight", "bold");
  lines = __llmenv_plot_wrap__ (caption, 1120, 14);
  page.caption = zeros (0, 1);
  for k = 1:numel (lines)
    page.caption(k,1) = __llmenv_plot_text__ (page.canvas, 40, 713 - 20 * k,
                                              strtrim (lines{k}), 14, "color",
                                              [0.35, 0.35, 0.35]);
  endfor
  page.top = 700 - 20 * numel (lines);
endfunction
