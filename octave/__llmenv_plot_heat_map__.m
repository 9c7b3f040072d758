## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_heat_map__ (OWN, PAIRS, MODEL, CARD): tokens/s over batch
## by context up to what fits, with the lines where another resource binds.

function h = __llmenv_plot_heat_map__ (own, pairs, model, card)
  [L, pairs] = __llmenv_plot_counts__ (pairs, "Context", [1024, 131072]);
  [ends, pairs] = __llmenv_take__ (pairs, "Batch", []);
  m = __llmenv_plot_records__ ("model", model, pairs);
  c = __llmenv_plot_records__ ("card", card, pairs);
  if (numel (m.list) != 1 || numel (c.list) != 1)
    error ("llmenv:badSize", "kind heat_map takes one MODEL and one CARD");
  endif
  [most, info] = llmenv_capacity (m.list{1}, c.list{1}, min (L), pairs{:});
  if (isnan (most))
    error ("llmenv:badValue", "no picture: capacity of '%s' is '%s'",
           m.ids{1}, info.reason);
  elseif (most < 1)
    error ("llmenv:badValue",
           "no picture: no sequence of '%s' of %g tokens fits on %s",
           m.ids{1}, min (L), c.names{1});
  endif
  if (isempty (ends))
    ends = [1, 2 ^ ceil(log2 (min (4096, 2 * most)))];
  endif
  B = __llmenv_plot_counts__ ({"Batch", ends}, "Batch", []);
  d = field (m.list{1}, c.list{1}, B, L, pairs);
  if (all (isnan (d.rate(:))))
    error ("llmenv:badValue", "no picture: tokens/s of '%s' have no record",
           m.ids{1});
  endif
  where = sprintf ("%s on %s", m.names{1}, c.names{1});
  heading = [where ": tokens/s by batch and context"];
  page = __llmenv_plot_page__ (own, heading,
                               __llmenv_plot_caption__ (pairs, where));
  [edges, entries] = boundaries (m.list{1}, c.list{1}, d, pairs);
  room = __llmenv_plot_legend__ (entries, 100, 1020);
  box = [110, 80, 910, page.top - room - 88];
  ax = __llmenv_plot_axes__ (page, box, "batch (sequences)", ...
                             "context (tokens; 1k = 1,024)");
  set (ax, "layer", "top", "xgrid", "off", "ygrid", "off");
  h = __llmenv_plot_handles__ (page, ax);
  h.lines = cells (ax, d);
  __llmenv_plot_ticks__ (ax, "x", "count", d.B([1, end]));
  __llmenv_plot_ticks__ (ax, "y", "count", d.L([1, end]));
  h.marks = edge_lines (ax, edges, entries);
  name_regions (ax, d);
  h.axes(2,1) = colour_bar (page, box, d);
  h.legend = __llmenv_plot_legend__ (page, 100, page.top - 12, entries, 1020);
endfunction

## Black on white, to be seen on every colour.
function h = edge_lines (ax, edges, entries)
  for k = 1:numel (edges)
    __llmenv_plot_line__ (ax, edges(k).x, edges(k).y, entries{k,2}, "color",
                          "w", "linestyle", "-", "linewidth", 5);
    h(k,1) = __llmenv_plot_line__ (ax, edges(k).x, edges(k).y, entries{k,2});
  endfor
endfunction

## Cells of a quarter of an octave: their edges, and what holds in the middle.
function d = field (model, card, B, L, pairs)
  [d.B, b] = edges_and_middles (B);
  [d.L, l] = edges_and_middles (L);
  d.capacity = llmenv_capacity (model, card, d.L, pairs{:});
  s = llmenv_step (model, card, b, l', pairs{:});
  d.rate = s.tokens_per_second;
  d.limit = s.limit;
  d.fits = b <= llmenv_capacity (model, card, l, pairs{:})';
  ## A cell is drawn where its best corner fits; the rest is covered.
  d.is_drawn = d.B(1:end-1) <= d.capacity(1:end-1)';
  d.b = b;
  d.l = l;
endfunction

function [edges, middles] = edges_and_middles (range)
  low = log2 (min (range));
  high = max (log2 (max (range)), low + 2);
  n = min (48, ceil (4 * (high - low)));
  edges = 2 .^ linspace (low, high, n + 1);
  middles = sqrt (edges(1:end-1) .* edges(2:end));
endfunction

function h = cells (ax, d)
  [i, j] = find (d.is_drawn);
  x = [d.B(j); d.B(j+1); d.B(j+1); d.B(j)];
  y = [d.L(i); d.L(i); d.L(i+1); d.L(i+1)];
  n = numel (i);
  h = patch ("parent", ax, "vertices", [x(:), y(:)], "faces",
             reshape (1:4 * n, 4, n)', "facevertexcdata",
             colours (d.rate(d.is_drawn), reach (d)), "facecolor", "flat",
             "edgecolor", "none");
  ## What does not fit, with the capacity itself as its edge.
  ends = d.B([1, end]);
  L = 2 .^ linspace (log2 (d.L(1)), log2 (d.L(end)), 200);
  edge = exp (interp1 (log (d.L), log (d.capacity), log (L)));
  edge = min (max (edge, ends(1)), ends(2));
  h(2,1) = patch ("parent", ax, "faces", 1:numel (L) + 2, "vertices",
                  [edge', L'; ends(2), L(end); ends(2), L(1)], "facecolor",
                  [0.88, 0.88, 0.88], "edgecolor", "none");
endfunction

## As numbers: gnuplot takes a colour index through the scale of the axes.
function rgb = colours (rate, limits)
  share = log (rate / limits(1)) / log (limits(2) / limits(1));
  rgb = viridis (64)(1 + round (63 * min (max (share, 0), 1)),:);
endfunction

function limits = reach (d)
  rate = d.rate(d.is_drawn);
  limits = [min(rate), max(rate)];
  if (limits(1) == limits(2))
    limits = limits .* [0.9, 1.1];
  endif
endfunction

## Lines between regions; ENTRIES name them in the legend.
function [edges, entries] = boundaries (model, card, d, pairs)
  b = 2 .^ linspace (log2 (d.B(1)), log2 (d.B(end)), 161);
  l = 2 .^ linspace (log2 (d.L(1)), log2 (d.L(end)), 161);
  s = llmenv_step (model, card, b, l', pairs{:});
  bytes = struct ("weights", s.weight_bytes, "KV", s.kv_bytes, "state",
                  s.state_bytes);
  pairs_of = {"weights", "KV"; "weights", "state"; "KV", "state"};
  lines = {"--", "-.", ":"};
  edges = struct ("x", {}, "y", {});
  entries = cell (0, 2);
  for k = 1:3
    [one, other] = pairs_of{k,:};
    z = log (bytes.(one)) - log (bytes.(other));
    e = zero_line (b, l, z, model, card, pairs, {one, other});
    [edges, entries] = add (edges, entries, e, [one " = " other], lines{k});
  endfor
  if (any (strcmp (s.limit, "compute")(:)))
    z = log (s.compute_seconds) - log (s.memory_seconds);
    e = zero_line (b, l, z, model, card, pairs, {});
    [edges, entries] = add (edges, entries, e, "compute = memory (ridge)", "-");
  endif
  e = struct ("x", llmenv_capacity (model, card, l, pairs{:}), "y", l);
  e.x(e.x < b(1) | e.x > b(end)) = NaN;
  [edges, entries] = add (edges, entries, e, "capacity", "-");
  entries{end,2}.linewidth = 3.5;
endfunction

function [edges, entries] = add (edges, entries, e, text, style)
  if (any (isfinite (e.x)))
    edges(end+1) = e;
    entries(end+1,:) = {text, struct("color", [0, 0, 0], "linestyle", style, ...
                                     "linewidth", 2)};
  endif
endfunction

## Zero contour of Z, without the parts that do not fit or where something that
## is not in WORDS binds (any, if WORDS is empty).
function e = zero_line (b, l, z, model, card, pairs, words)
  e = struct ("x", zeros (1, 0), "y", zeros (1, 0));
  z(! isfinite (z)) = NaN;
  if (! (any (z(:) > 0) && any (z(:) < 0)))
    return;
  endif
  c = contourc (log (b), log (l), z, [0, 0]);
  at = 1;
  while (at <= columns (c))
    n = c(2,at);
    x = exp (c(1,at+1:at+n));
    y = exp (c(2,at+1:at+n));
    s = llmenv_step (model, card, x, y, pairs{:});
    is_out = x > llmenv_capacity (model, card, y, pairs{:});
    if (! isempty (words))
      is_out |= ! ismember (cellstr (s.limit)(:)', words);
    endif
    x(is_out) = NaN;
    e.x = [e.x, NaN, x];
    e.y = [e.y, NaN, y];
    at += n + 1;
  endwhile
endfunction

## A name in the widest part of each region.
function name_regions (ax, d)
  names = {"weights", {"weights", "bind"}; "KV", {"KV", "binds"}
           "state", {"state", "binds"}; "compute", {"compute", "binds"}
           "", {"does not", "fit"}};
  range = log10 (reach (d));
  for k = 1:rows (names)
    is_in = strcmp (d.limit, names{k,1}) & d.fits;
    color = [0.25, 0.25, 0.25];
    if (k == rows (names))
      is_in = ! d.fits;
    endif
    [i, j, depth] = deepest (is_in);
    if (depth < 2)
      continue;
    endif
    if (k < rows (names))
      is_dark = (log10 (d.rate(i,j)) - range(1)) / diff (range) < 0.62;
      color = [1, 1, 1] * is_dark;
    endif
    for line = 1:2               # gnuplot takes no text of two lines
      __llmenv_plot_text__ (ax, d.b(j), d.l(i), names{k,2}{line}, 17, "color",
                            color, "fontweight", "bold", "horizontalalignment",
                            "center", "verticalalignment",
                            {"bottom", "top"}{line});
    endfor
  endfor
endfunction

## The cell farthest from the edge of IS_IN; a name is wider than high.
function [i, j, depth] = deepest (is_in)
  left = is_in;
  depth = 0;
  i = j = 0;
  while (any (left(:)))
    depth += 1;
    [i, j] = find (left);
    middle = round ((numel (i) + 1) / 2);
    i = i(middle);
    j = j(middle);
    padded = false (rows (left) + 2, columns (left) + 4);
    padded(2:end-1,3:end-2) = left;
    left &= padded(1:end-2,3:end-2) & padded(3:end,3:end-2) ...
            & padded(2:end-1,1:end-4) & padded(2:end-1,5:end);
  endwhile
endfunction

## Its numbers are on the left: gnuplot misplaces patches beside a right axis.
function ax = colour_bar (page, box, d)
  ax = __llmenv_plot_axes__ (page, [1128, box(2), 26, box(4)], "", "");
  limits = reach (d);
  n = 64;
  y = logspace (log10 (limits(1)), log10 (limits(2)), n + 1);
  corners = [y(1:end-1); y(1:end-1); y(2:end); y(2:end)];
  patch ("parent", ax, "vertices", [repmat([0; 1; 1; 0], n, 1), corners(:)],
         "faces", reshape (1:4 * n, 4, n)', "facevertexcdata",
         colours (sqrt (y(1:end-1) .* y(2:end))', limits), "facecolor", "flat",
         "edgecolor", "none");
  set (ax, "xlim", [0, 1], "xtick", [], "xgrid", "off", "ygrid", "off", "layer",
       "top");
  __llmenv_plot_ticks__ (ax, "y", "log", limits);
  __llmenv_plot_text__ (page.canvas, 1154, box(2) + box(4) + 14,
                        "tokens/s, all", 15, "horizontalalignment", "right");
endfunction
