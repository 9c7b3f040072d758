## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_context__ (OWN, PAIRS, MODELS, CARDS): bytes of one
## sequence against context, with the memory of cards.

function h = __llmenv_plot_context__ (own, pairs, models, cards)
  [L, pairs] = __llmenv_plot_counts__ (pairs, "Context", [1024, 2^20]);
  m = __llmenv_plot_records__ ("model", models, pairs);
  c = __llmenv_plot_records__ ("card", cards, pairs);
  if (numel (m.list) > 8 || numel (c.list) > 8)
    error ("llmenv:badSize", "kind context takes up to 8 models and 8 cards");
  endif
  limits = [min(L), max(max (L), 4 * min (L))];
  L = 2 .^ linspace (log2 (limits(1)), log2 (limits(2)), 200);
  K = curves (m, L, pairs);
  memory = __llmenv_plot_memory__ (c.list, pairs) / 1e9;
  where = sprintf ("one sequence; cards: %s", strjoin (c.names, ", "));
  heading = "Cache and state of one sequence by context";
  page = __llmenv_plot_page__ (own, heading,
                               __llmenv_plot_caption__ (pairs, where));
  fill = filled (m, c, limits, pairs);
  entries = legend_rows (m, c, fill);
  room = __llmenv_plot_legend__ (entries, 100, 1160);
  box = [120, 80, 1030, page.top - room - 88];
  ax = __llmenv_plot_axes__ (page, box, "context (tokens; 1k = 1,024)", ...
                             "GB a sequence (10^9 bytes)");
  h = __llmenv_plot_handles__ (page, ax);
  shown = [K(K > 0)(:)', memory(isfinite (memory))];
  span = [min(shown) / 1.5, max(shown) * 1.8];
  __llmenv_plot_ticks__ (ax, "x", "count", limits);
  __llmenv_plot_ticks__ (ax, "y", "log", span);
  h.marks = memory_lines (ax, c, memory, limits, span, box(4));
  for k = 1:numel (m.list)
    style = setfield (__llmenv_plot_style__ (k), "marker", "none");
    h.lines(k,1) = __llmenv_plot_line__ (ax, L, K(k,:), style);
  endfor
  h.marks = [h.marks; fill_marks(ax, m, fill, pairs)];
  h.legend = __llmenv_plot_legend__ (page, 100, page.top - 12, entries, 1160);
endfunction

function K = curves (m, L, pairs)
  for k = 1:numel (m.list)
    K(k,:) = llmenv_kv_bytes (m.list{k}, L, pairs{:}) / 1e9;
    if (all (isnan (K(k,:))))
      error ("llmenv:badValue", "no picture: '%s' has no record of its cache",
             m.ids{k});
    endif
  endfor
endfunction

function entries = legend_rows (m, c, fill)
  entries = cell (0, 2);
  for k = 1:numel (m.list)
    entries(end+1,:) = {m.names{k}, setfield(__llmenv_plot_style__ (k), ...
                                             "marker", "none")};
  endfor
  for k = find (any (isfinite (fill), 1))
    entries(end+1,:) = {["with its weights fills " c.names{k}], card_style(k)};
  endfor
endfunction

function style = card_style (k)
  markers = {"s", "o", "^", "d", "v", "<", ">", "p"};
  style = struct ("color", [0.2, 0.2, 0.2], "linestyle", "none", "marker",
                  markers{k}, "markersize", 9, "markerfacecolor", "w",
                  "linewidth", 1.5);
endfunction

## Lines named at the left, where the curves are low; close ones share a name.
function h = memory_lines (ax, c, memory, limits, span, height)
  h = zeros (0, 1);
  known = find (isfinite (memory));
  [~, order] = sort (memory(known));
  order = known(order);
  at = height * log (memory / span(1)) / log (span(2) / span(1));
  while (! isempty (order))
    near = order(at(order) - at(order(1)) < 20);
    for k = near
      h(end+1,1) = __llmenv_plot_line__ (ax, limits, memory(k)([1, 1]),
                                         struct ("color", [0.35, 0.35, 0.35],
                                                 "linestyle", "--",
                                                 "linewidth", 1.2));
    endfor
    names = arrayfun (@(k) sprintf ("%s %.4g GB", c.names{k}, memory(k)), near,
                      "UniformOutput", false);
    __llmenv_plot_text__ (ax, limits(1) * 1.03, memory(near(end)),
                          strjoin (names, ", "), 14,
                          "verticalalignment", "bottom");
    order = order(! ismember (order, near));
  endwhile
endfunction

## Tokens at which weights, reserve and one sequence take all of a card: models
## x cards, NaN off the axis.
function fill = filled (m, c, limits, pairs)
  fill = NaN (numel (m.list), numel (c.list));
  for i = 1:numel (m.list)
    fill(i,:) = llmenv_fill (m.list{i}, c.list, pairs{:});
  endfor
  fill(! (fill >= limits(1) & fill <= limits(2))) = NaN;
endfunction

function h = fill_marks (ax, m, fill, pairs)
  h = zeros (0, 1);
  for k = find (isfinite (fill))'
    [i, card] = ind2sub (size (fill), k);
    GB = llmenv_kv_bytes (m.list{i}, fill(k), pairs{:}) / 1e9;
    h(end+1,1) = __llmenv_plot_line__ (ax, fill(k), GB, card_style (card),
                                       "color",
                                       __llmenv_plot_style__ (i).color);
  endfor
endfunction
