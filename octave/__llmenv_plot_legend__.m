## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_legend__ (PAGE, X, Y, ENTRIES, RIGHT): a legend outside the
## axes: samples and words from X to the right at height Y, in pixels of the
## page; what would pass RIGHT (1180 unless given) goes to a row below.
## ENTRIES: cell rows {TEXT, STYLE}, STYLE a struct of line properties, or of
## patch properties when it has a facecolor.
## ROOM = __llmenv_plot_legend__ (ENTRIES, X, RIGHT): pixels that its rows take.

function h = __llmenv_plot_legend__ (page, x, y, entries, right = 1180)
  if (iscell (page))
    [~, row] = place (page, x, y);
    h = 24 * max ([0; row]);
    return;
  endif
  [left, row] = place (entries, x, right);
  h = zeros (0, 1);
  for k = 1:rows (entries)
    style = entries{k,2};
    at = y - 24 * (row(k) - 1);
    h = [h; sample(page.canvas, left(k), at, style)];
    h(end+1,1) = __llmenv_plot_text__ (page.canvas, left(k) + 48, at,
                                       entries{k,1}, 15);
  endfor
endfunction

function h = sample (ax, x, y, style)
  if (isfield (style, "facecolor"))
    h = patch ("parent", ax, "faces", 1:4, "vertices",
               [x + [4, 38, 38, 4]', y + [-7, -7, 7, 7]']);
    set (h, style);
    return;
  endif
  h = __llmenv_plot_line__ (ax, x + [2, 42], [y, y], style, "marker", "none");
  if (isfield (style, "marker") && ! strcmp (style.marker, "none"))
    h(2,1) = __llmenv_plot_line__ (ax, x + 22, y, style, "linestyle", "none");
  endif
endfunction

function [left, row] = place (entries, x, right)
  left = row = zeros (0, 1);
  at = x;
  now = 1;
  for k = 1:rows (entries)
    width = 48 + __llmenv_plot_width__ (entries{k,1}, 15);
    if (at > x && at + width > right)
      at = x;
      now += 1;
    endif
    left(k,1) = at;
    row(k,1) = now;
    at += width + 24;
  endfor
endfunction
