## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_marks__ (PAGE, AX, BOX, MARKS, SIZE): vertical lines over
## axes of the pixels BOX, named above it, no name over another.  MARKS: cell
## rows {X, TEXT, STYLE}, X in units of the axes.
## ROOM = __llmenv_plot_marks__ (LIMITS, SCALE, BOX, MARKS, SIZE): pixels that
## the names take above BOX.

function h = __llmenv_plot_marks__ (page, ax, box, marks, size = 15)
  if (isstruct (page))
    limits = get (ax, "xlim");
    scale = get (ax, "xscale");
  else
    [limits, scale] = deal (page, ax);
  endif
  at = pixels ([marks{:,1}], limits, scale, box);
  width = __llmenv_plot_width__ (marks(:,2)', size) + 8;
  [level, side] = place (at, width);
  if (! isstruct (page))
    h = 21 * (1 + max ([-1, level])) + 2;
    return;
  endif
  h = zeros (0, 1);
  for k = 1:numel (at)
    style = marks{k,3};
    h(end+1,1) = __llmenv_plot_line__ (ax, marks{k,1}([1, 1]),
                                       get (ax, "ylim"), style);
    base = box(2) + box(4);
    top = base + 21 * level(k) + 18;
    h(end+1,1) = line (at(k)([1, 1]), [base, top], "parent", page.canvas,
                       "color", style.color, "linewidth", 1);
    align = {"left", "right"}{1 + (side(k) < 0)};
    h(end+1,1) = __llmenv_plot_text__ (page.canvas, at(k) + 4 * side(k),
                                       top - 8, marks{k,2}, size, "color",
                                       style.color, "horizontalalignment",
                                       align);
  endfor
endfunction

function at = pixels (x, limits, scale, box)
  if (strcmp (scale, "log"))
    x = log (x);
    limits = log (limits);
  endif
  at = box(1) + box(3) * (x - limits(1)) / diff (limits);
endfunction

## Levels from 0 up, from the right to the left: no two names of a level meet,
## and no line on its way up passes through a name.
function [level, side] = place (at, width)
  level = zeros (size (at));
  side = ones (size (at));
  side(at + width > 1196) = -1;
  from = at + min (0, side .* width);
  to = from + width;
  [~, order] = sort (at, "descend");
  done = [];
  for k = order
    meets = from(done) < to(k) & to(done) > from(k);
    crossed = at(k) > from(done) & at(k) < to(done);
    crosses = at(done) > from(k) & at(done) < to(k);
    while (any (meets & level(done) == level(k))
           || any (crossed & level(done) <= level(k))
           || any (crosses & level(done) >= level(k)))
      if (level(k) > numel (at))
        break;
      endif
      level(k) += 1;
    endwhile
    done(end+1) = k;
  endfor
endfunction
