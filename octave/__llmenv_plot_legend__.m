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
    if (isfield (style, "facecolor"))
      h(end+1,1) = patch ("parent", page.canvas, "faces", 1:4, "vertices", ...
                          [left(k) + [4, 38, 38, 4]', at + [-7, -7, 7, 7]']);
      set (h(end), style);
    else
      x = left(k) + [2, 40];
      if (isfield (style, "linestyle") && strcmp (style.linestyle, "none"))
        x = mean (x);
      endif
      h(end+1,1) = __llmenv_plot_line__ (page.canvas, x, at(ones (size (x))),
                                         style);
    endif
    h(end+1,1) = __llmenv_plot_text__ (page.canvas, left(k) + 48, at,
                                       entries{k,1}, 15);
  endfor
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
