## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_shade__ (BARS, IS_DOWN, STYLE): the bars of one series that
## are on the other side, apart and in the STYLE of their own.  H: the bars that
## are left, then those; one handle where all are of a kind.

function h = __llmenv_plot_shade__ (bars, is_down, style)
  h = bars;
  if (all (is_down))
    set (bars, style);
  elseif (any (is_down))
    faces = get (bars, "faces");
    h(2) = patch ("parent", get (bars, "parent"), "vertices",
                  get (bars, "vertices"), "faces", faces(is_down,:));
    set (h(2), style);
    set (bars, "faces", faces(! is_down,:));
  endif
endfunction
