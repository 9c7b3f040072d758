## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_roofline__ (OWN, PAIRS, MODELS, CARD): the roofs of CARD
## with models on them, and below, on the same axis, a lane for each model.

function h = __llmenv_plot_roofline__ (own, pairs, models, card)
  [B, pairs] = __llmenv_plot_counts__ (pairs, "Batch", [1, 8, 64, 512]);
  [L, pairs] = __llmenv_plot_counts__ (pairs, "Context", 8192);
  m = __llmenv_plot_records__ ("model", models, pairs);
  c = __llmenv_plot_records__ ("card", card, pairs);
  if (numel (c.list) != 1 || numel (m.list) * numel (L) > 10)
    error ("llmenv:badSize",
           "kind roofline takes one CARD and up to 10 models by contexts");
  endif
  roof = roofs (c.list{1}, pairs);
  lanes = all_lanes (m, c.list{1}, sort (B), L, roof, pairs);
  where = sprintf ("%s, context %s, batch %s", c.names{1},
                   words (L), words (sort (B)));
  page = __llmenv_plot_page__ (own, ["Roofline of " c.names{1}],
                               __llmenv_plot_caption__ (pairs, where));

  left = 40 + max (__llmenv_plot_width__ ({lanes.name}, 16));
  low = [left, 100, 1150 - left, 40 * numel(lanes)];
  box = [left, low(2) + low(4) + 34, low(3), 0];
  box(4) = page.top - 28 - box(2);
  ax = [__llmenv_plot_axes__(page, box, "", "attainable TFLOP/s")
        __llmenv_plot_axes__(page, low, ...
                             "arithmetic intensity (FLOP/byte)", "")];
  h = __llmenv_plot_handles__ (page, ax);
  limits = intensity_limits (lanes, roof);
  h = draw_roofs (h, page, box, roof, limits);
  h = draw_lanes (h, lanes, limits, low);
  note = {"in memory", struct("marker", "o", "linestyle", "none", ...
                              "markersize", 9, "color", [0.3, 0.3, 0.3], ...
                              "markerfacecolor", [0.3, 0.3, 0.3])
          "does not fit in memory", struct("marker", "o", "linestyle", ...
                                           "none", "markersize", 9, "color", ...
                                           [0.3, 0.3, 0.3], ...
                                           "markerfacecolor", "w")
          "limit of infinite batch", struct("marker", "+", "linestyle", ...
                                            "none", "markersize", 11, ...
                                            "linewidth", 2, "color", ...
                                            [0.3, 0.3, 0.3])};
  h.legend = __llmenv_plot_legend__ (page, 40, 22, note);
  __llmenv_plot_text__ (page.canvas, 690, 22,
                        "numbers beside the marks: sequences in the batch", 15);
endfunction

function text = words (x)
  text = strjoin (arrayfun (@(v) sprintf ("%g", v), x, "UniformOutput", false),
                  "/");
endfunction

## Peak FLOP/s and bytes/s that count, efficiencies and all.
function roof = roofs (card, pairs)
  s = llmenv_step ("llama-3-1-8b", card, 1, 1, pairs{:});
  roof.ridge = llmenv_ridge (card, pairs{:});
  roof.bandwidth = s.bytes / s.memory_seconds;
  roof.peak = roof.ridge * roof.bandwidth;
  if (! isfinite (roof.peak))
    error ("llmenv:badValue", "no picture: the card has no peak or bandwidth");
  endif
endfunction

function lanes = all_lanes (m, card, B, L, roof, pairs)
  lanes = struct ([]);
  for k = 1:numel (m.list)
    for l = L
      s = llmenv_step (m.list{k}, card, B, l, pairs{:});
      lane.name = m.names{k};
      if (numel (L) > 1)
        lane.name = [lane.name ", " __llmenv_plot_number__(l, "count")];
      endif
      lane.B = B;
      lane.intensity = s.intensity;
      lane.rate = min (s.flops ./ s.seconds, roof.peak);
      lane.fits = B <= llmenv_capacity (m.list{k}, card, l, pairs{:});
      lane.ceiling = llmenv_ceiling (m.list{k}, l, pairs{:});
      lane.style = __llmenv_plot_style__ (k);
      if (any (isnan (s.intensity)))
        error ("llmenv:badValue", "no picture: '%s' has no record of a step",
               m.ids{k});
      endif
      lanes = [lanes, lane];
    endfor
  endfor
endfunction

function limits = intensity_limits (lanes, roof)
  all = [[lanes.intensity], [lanes.ceiling]];
  all = all(isfinite (all) & all > 0);
  low = min ([all, roof.ridge / 100]);
  high = max ([min(all, 100 * roof.ridge), 6 * roof.ridge]);
  limits = [low / 1.6, high * 1.6];
endfunction

function h = draw_roofs (h, page, box, roof, limits)
  ax = h.axes(1);
  x = [limits(1), roof.ridge, limits(2)];
  y = min (x * roof.bandwidth, roof.peak) / 1e12;
  h.lines = __llmenv_plot_line__ (ax, x, y, struct ("color", [0, 0, 0],
                                                    "linewidth", 2.5));
  __llmenv_plot_ticks__ (ax, "x", "log", limits);
  __llmenv_plot_ticks__ (ax, "y", "log", [y(1) / 1.5, y(end) * 3]);
  put = @(x, y, text, align) ...
    __llmenv_plot_text__ (ax, x, y, text, 15, "horizontalalignment", align,
                          "verticalalignment", "bottom");
  put (limits(2) / 1.1, y(end) * 1.1,
       sprintf ("compute roof %s TFLOP/s", __llmenv_plot_number__ (y(end))),
       "right");
  at = limits(1) * (roof.ridge / limits(1)) ^ 0.45;
  put (at, at * roof.bandwidth / 1e12 * 1.35,
       sprintf ("memory roof %s TB/s",
                __llmenv_plot_number__ (roof.bandwidth / 1e12)), "right");
  ridge = {roof.ridge, sprintf("ridge %s FLOP/byte", ...
                               __llmenv_plot_number__ (roof.ridge)), ...
           struct("color", [0.25, 0.25, 0.25], "linestyle", "--", ...
                  "linewidth", 1.2)};
  h.marks = __llmenv_plot_marks__ (page, ax, box, ridge);
  __llmenv_plot_line__ (h.axes(2), roof.ridge([1, 1]), [0, 100], ridge{3});
endfunction

function h = draw_lanes (h, lanes, limits, low)
  n = numel (lanes);
  for k = 1:n
    lane = lanes(k);
    y = n - k + 0.3;
    plain = setfield (lane.style, "marker", "none");
    h.lines(k + 1, 1) = __llmenv_plot_line__ (h.axes(1), lane.intensity,
                                              lane.rate / 1e12, lane.style,
                                              "linestyle", "none");
    h.lines(k + 1, 2) = __llmenv_plot_line__ (h.axes(2), lane.intensity,
                                              repmat (y, size (lane.B)), plain);
    for p = 1:2
      heights = {lane.rate / 1e12, repmat(y, size (lane.B))}{p};
      in = lane.fits;
      dot = setfield (lane.style, "linestyle", "none");
      __llmenv_plot_line__ (h.axes(p), lane.intensity(in), heights(in), dot,
                            "markerfacecolor", lane.style.color);
      __llmenv_plot_line__ (h.axes(p), lane.intensity(! in), heights(! in), dot,
                            "markerfacecolor", "w");
    endfor
    name_batches (h.axes(2), lane, y, limits, low(3));
    if (isfinite (lane.ceiling))
      __llmenv_plot_line__ (h.axes(2), lane.ceiling, y, dot, "marker", "+",
                            "markersize", 11);
    endif
  endfor
  __llmenv_plot_ticks__ (h.axes(2), "x", "log", limits);
  __llmenv_plot_rows__ (h.axes(2), {lanes.name}, -0.5);
endfunction

## Each mark's batch above it, as long as there is room.
function name_batches (ax, lane, y, limits, width)
  last = -Inf;
  for k = 1:numel (lane.B)
    at = width * log (lane.intensity(k) / limits(1)) ...
         / log (limits(2) / limits(1));
    text = __llmenv_plot_number__ (lane.B(k), "count");
    half = __llmenv_plot_width__ (text, 13) / 2;
    if (at - half > last + 3)
      __llmenv_plot_text__ (ax, lane.intensity(k), y + 0.26, text, 13,
                            "horizontalalignment", "center",
                            "verticalalignment", "bottom");
      last = at + half;
    endif
  endfor
endfunction
