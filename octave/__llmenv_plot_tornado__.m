## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_tornado__ (OWN, PAIRS, NAMES, VALUES): bars from 0 to each
## value, the largest in size on top.

function h = __llmenv_plot_tornado__ (own, pairs, names, values)
  xtext = "elasticity (% of the quantity for 1 % of the input)";
  [xtext, pairs] = __llmenv_take__ (pairs, "XLabel", xtext);
  [quantity, pairs] = __llmenv_take__ (pairs, "Quantity", "it");
  values = check (names, values);
  caption = "assumptions not given (options of the numbers, or Caption)";
  if (! isempty (pairs))
    caption = __llmenv_plot_caption__ (pairs, "");
  endif
  [~, order] = sort (-abs (values));
  order(isnan (values(order))) = [];
  dropped = max (0, numel (order) - 20);
  order = order(1:min (20, end));
  heading = ["What moves " strrep(quantity, "_", " ")];
  page = __llmenv_plot_page__ (own, heading, caption);
  names = strrep (names(order), "_", " ");
  left = 50 + max ([__llmenv_plot_width__(names(:)', 16), 100]);
  box = [left, 84, 1150 - left, page.top - 92];
  ax = __llmenv_plot_axes__ (page, box, xtext, "");
  h = __llmenv_plot_handles__ (page, ax);
  up = struct ("facecolor", [0, 114, 178] / 255, "edgecolor", [0.2, 0.2, 0.2]);
  h.lines = __llmenv_plot_bars__ (ax, values(order), names, ...
                                  repmat ({""}, numel (order), 1), {up}, ...
                                  "linear");
  down = setfield (up, "facecolor", [230, 159, 0] / 255);
  h.lines = __llmenv_plot_shade__ (h.lines, values(order) < 0, down);
  __llmenv_plot_line__ (ax, [0, 0], get (ax, "ylim"),
                        struct ("color", [0.2, 0.2, 0.2], "linewidth", 1.5));
  if (dropped > 0)
    note = sprintf ("%d smaller ones are not shown", dropped);
    __llmenv_plot_text__ (page.canvas, 40, 22, note, 14);
  endif
endfunction

function values = check (names, values)
  if (! iscellstr (names) || ! isnumeric (values) || ! isreal (values))
    error ("llmenv:badType",
           "kind tornado takes a cell of names and as many real numbers");
  endif
  values = double (values(:));
  if (numel (names) != numel (values) || isempty (values))
    error ("llmenv:badSize", "%d names for %d values", numel (names),
           numel (values));
  endif
endfunction
