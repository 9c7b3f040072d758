## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_bars__ (AX, VALUES, NAMES, WORDS, STYLES, KIND, FROM):
## horizontal bars in groups, the first row on top. VALUES and WORDS: groups x
## series; a value that is no number is its word instead. STYLES: a cell of
## structs of patch properties. KIND: "log" or "linear". FROM: where bars start,
## 0 unless given; log ones from the left end.

function h = __llmenv_plot_bars__ (ax, values, names, words, styles, kind,
                                   from = 0)
  [n, m] = size (values);
  known = values(isfinite (values) & (values != 0 | strcmp (kind, "linear")));
  if (isempty (known))
    known = [1, 10];
  endif
  limits = reach (known, kind, from, 1200 * get (ax, "position")(3));
  thick = 0.8 / m;
  h = zeros (1, m);
  for s = 1:m
    top = (n:-1:1)' + 0.4 - thick * (s - 1);
    to = values(:,s);
    is_bar = isfinite (to) & (to != 0 | strcmp (kind, "linear"));
    base = max (from, limits(1) * strcmp (kind, "log"));
    h(s) = boxes (ax, base, to(is_bar), top(is_bar), thick, styles{s});
    for k = 1:n
      write (ax, limits, kind, to(k), is_bar(k), top(k) - thick / 2, words{k,s},
             min (15, 750 * get (ax, "position")(4) * thick / n - 1), base);
    endfor
  endfor
  __llmenv_plot_ticks__ (ax, "x", kind, limits);
  __llmenv_plot_rows__ (ax, names);
endfunction

## Room for a number after the longest bar, on either side of FROM; WIDTH is
## that of the axes in pixels.
function limits = reach (x, kind, from, width)
  if (strcmp (kind, "log") && from > 0)
    limits = [min([x(:); from]), max([x(:); from])];
    sides = [limits(1) < from, limits(2) > from];
    share = 76 / width;
    room = (limits(2) / limits(1)) ^ (share / (1 - share * sum (sides)));
    limits .*= room .^ (sides .* [-1, 1]);
  elseif (strcmp (kind, "log"))
    x = abs (x);
    low = 10 ^ floor (log10 (min (x)) - 0.05);
    limits = [low, max(x) * (max (x) / low) ^ 0.14];
  else
    limits = [min([x(:); 0]), max([x(:); 0])];
    limits += diff (limits) * [-0.14 * (limits(1) < 0), 0.14 * (limits(2) > 0)];
    if (limits(1) == limits(2))
      limits = [0, 1];
    endif
  endif
endfunction

function h = boxes (ax, base, to, top, thick, style)
  n = numel (to);
  if (n == 0)                  # a bar of no height, for the handle
    [to, top, thick, n] = deal (base, 0, 0, 1);
  endif
  x = [repmat(base, n, 1), to, to, repmat(base, n, 1)]';
  y = [top, top, top - thick, top - thick]';
  h = patch ("parent", ax, "vertices", [x(:), y(:)],
             "faces", reshape (1:4 * n, 4, n)');
  set (h, style);
endfunction

function write (ax, limits, kind, x, is_bar, y, word, size, base)
  at = limits(1);
  if (is_bar)
    at = x;
    if (isempty (word))
      word = __llmenv_plot_number__ (x);
    endif
  elseif (strcmp (kind, "linear") && limits(1) <= 0)
    at = 0;
  endif
  gap = 0.006;
  align = "left";
  is_left = is_bar && x < base;
  if (is_left)
    gap = -gap;
    align = "right";
  endif
  if (strcmp (kind, "log"))
    at *= (limits(2) / limits(1)) ^ gap;
  else
    at += gap * diff (limits);
  endif
  __llmenv_plot_text__ (ax, at, y, word, size, "horizontalalignment", align,
                        "verticalalignment", "middle");
endfunction
