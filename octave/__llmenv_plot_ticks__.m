## SPDX-License-Identifier: GPL-3.0-or-later

## __llmenv_plot_ticks__ (AX, AXIS, KIND, LIMITS): scale, limits, ticks and
## their labels of AXIS ("x" or "y").  KIND: "count", log with powers of two;
## "log", with powers of ten; "linear".

function __llmenv_plot_ticks__ (ax, axis, kind, limits)
  scale = "log";
  name = @__llmenv_plot_number__;
  switch (kind)
    case "count"
      first = ceil (log2 (limits(1)) - 1e-9);
      last = floor (log2 (limits(2)) + 1e-9);
      ticks = 2 .^ (first:ceil ((last - first + 1) / 11):last);
      name = @(x) __llmenv_plot_number__ (x, "count");
    case "log"
      ticks = log_ticks (limits);
      name = @plain;
    otherwise
      scale = "linear";
      ticks = linear_ticks (limits);
      name = @plain;
  endswitch
  labels = arrayfun (name, ticks, "UniformOutput", false);
  set (ax, [axis "scale"], scale, [axis "lim"], limits, [axis "tick"], ticks,
       [axis "ticklabel"], labels, [axis "minortick"], "off");
endfunction

## Powers of ten; with 2 and 5 between where these would be fewer than three.
function ticks = log_ticks (limits)
  decades = floor (log10 (limits(1))):ceil (log10 (limits(2)));
  step = ceil ((log10 (limits(2)) - log10 (limits(1))) / 10);
  ticks = 10 .^ decades(mod (decades, step) == 0);
  if (log10 (limits(2)) - log10 (limits(1)) < 2.5)
    ticks = sort ([1, 2, 5]' * 10 .^ decades)(:)';
  endif
  near = 1 + 1e-9;
  ticks = ticks(ticks * near >= limits(1) & ticks <= limits(2) * near);
endfunction

function ticks = linear_ticks (limits)
  rough = (limits(2) - limits(1)) / 6;
  power = 10 ^ floor (log10 (rough));
  step = power * [1, 2, 5, 10](find ([1, 2, 5, 10] * power >= rough, 1));
  ticks = step * (ceil (limits(1) / step):floor (limits(2) / step));
endfunction

## As few digits as the tick needs.
function text = plain (x)
  if (abs (x) >= 1e-3 && abs (x) < 999.5)
    text = sprintf ("%.4g", x);
  else
    text = __llmenv_plot_number__ (x);
    text = regexprep (text, '^([^e]*)e(-?\d+)$', "$1 x 10^{$2}");
    text = regexprep (text, '^1 x ', "");
  endif
endfunction
