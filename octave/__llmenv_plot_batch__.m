## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_batch__ (OWN, PAIRS, MODEL, CARDS): tokens/s against batch,
## in all and for each sequence, up to what fits.

function h = __llmenv_plot_batch__ (own, pairs, model, cards)
  [L, pairs] = __llmenv_plot_counts__ (pairs, "Context", 8192);
  m = __llmenv_plot_records__ ("model", model, pairs);
  c = __llmenv_plot_records__ ("card", cards, pairs);
  if (numel (m.list) != 1 || numel (L) != 1)
    error ("llmenv:badSize", "kind batch takes one MODEL and one Context");
  endif
  d = points (m.list{1}, c.list, L, pairs);
  where = sprintf ("%s on %s, context %d", m.names{1}, strjoin (c.names, ", "),
                   L);
  heading = sprintf ("%s, %s tokens a sequence: tokens/s by batch",
                     m.names{1}, __llmenv_plot_number__ (L, "count"));
  page = __llmenv_plot_page__ (own, heading,
                               __llmenv_plot_caption__ (pairs, where));

  [marks, missing, d.limits] = all_marks (m.list{1}, c, L, pairs, d);
  entries = series (c, d);
  legend_room = __llmenv_plot_legend__ (entries, 100, 1160);
  top = page.top - legend_room;
  box = [130, 330, 1020, 0];
  top -= __llmenv_plot_marks__ (d.limits, "log", box, marks);
  box(4) = top - box(2);
  low = [130, 78, 1020, 215];
  ax = [__llmenv_plot_axes__(page, box, "", "tokens/s, all sequences")
        __llmenv_plot_axes__(page, low, "batch (sequences)", ...
                             "tokens/s, one sequence")];
  h = __llmenv_plot_handles__ (page, ax);
  h = draw_curves (h, c, d);
  h.marks = [__llmenv_plot_marks__(page, ax(1), box, marks)
             lower_marks(ax(2), marks)];
  h.legend = __llmenv_plot_legend__ (page, 100, page.top - 12, entries, 1160);
  __llmenv_plot_text__ (page.canvas, 40, 22, missing, 14, "color",
                        [0.35, 0.35, 0.35]);
endfunction

## Curves of each card up to its capacity.
function d = points (model, cards, L, pairs)
  n = numel (cards);
  [d.capacity, d.reason] = deal (zeros (1, n), cell (1, n));
  for k = 1:n
    [d.capacity(k), info] = llmenv_capacity (model, cards{k}, L, pairs{:});
    d.reason{k} = info.reason;
    last = d.capacity(k);
    if (last == Inf)
      last = 4096;
    endif
    d.B{k} = zeros (1, 0);
    if (last >= 1)
      bend = llmenv_b_star (model, cards{k}, L, pairs{:});
      d.B{k} = unique ([2 .^ linspace(0, log2 (last), 240)(1:end-1), last, ...
                        bend(bend > 1 & bend < last)]);
    endif
    d.all{k} = llmenv_throughput (model, cards{k}, d.B{k}, L, pairs{:});
    d.asymptote(k) = NaN;
    s = llmenv_step (model, cards{k}, 1, L, pairs{:});
    if (s.kv_bytes + s.state_bytes > 0)
      d.asymptote(k) = s.bytes / s.memory_seconds ...
                       / (s.kv_bytes + s.state_bytes);
    endif
  endfor
  if (all (isnan (d.capacity)))
    error ("llmenv:badValue", "no picture: capacity of '%s' is '%s'",
           llmenv_model (model).id, d.reason{1});
  elseif (all (! (d.capacity >= 1)))
    error ("llmenv:badValue", "no picture: no sequence of '%s' fits",
           llmenv_model (model).id);
  endif
endfunction

## From 1 to what is past every curve, and past the marks that are not far off.
function limits = batch_limits (d, values)
  last = cellfun (@(b) max ([b, 1]), d.B);
  near = values(values <= 16 * max (last));
  room = max (1.35 * last, last .^ 1.09);  # for a number beside the end
  limits = [1, 2 ^ ceil(log2 (max ([4, room, 1.1 * near])))];
endfunction

## Rows of marks, and the limits of the axis with them; MISSING says which have
## no place on it, and why.
function [marks, missing, limits] = all_marks (model, c, L, pairs, d)
  [knee, knee_info] = llmenv_b_knee (model, L, pairs{:});
  [half, half_info] = llmenv_b_50 (model, L, pairs{:});
  names = {"b_knee", "b_50"};
  values = [knee, half];
  reasons = {knee_info.reason, half_info.reason};
  if (numel (c.list) == 1)
    [star, info] = llmenv_b_star (model, c.list{1}, L, pairs{:});
    names = [names, {"b_star (ridge)", "capacity"}];
    values = [values, star, d.capacity];
    reasons = [reasons, {info.reason, d.reason{1}}];
  endif
  limits = batch_limits (d, values);
  looks = {[0.62, 0.28, 0.47], "--"; [0, 0.45, 0.33], "-."
           [0.7, 0.3, 0], "--"; [0, 0, 0], "-"};
  marks = cell (0, 3);
  left_out = {};
  for k = 1:numel (names)
    text = sprintf ("%s %s", names{k}, __llmenv_plot_number__ (values(k)));
    if (values(k) >= 1 && values(k) <= limits(2))
      style = struct ("color", looks{k,1}, "linestyle", looks{k,2},
                      "linewidth", 1.5);
      marks(end+1,:) = {values(k), text, style};
    elseif (isfinite (values(k)) && isempty (reasons{k}))
      left_out{end+1} = text;
    else
      left_out{end+1} = sprintf ("%s: %s", names{k}, reasons{k});
    endif
  endfor
  missing = "";
  if (! isempty (left_out))
    missing = ["Not on the axis: " strjoin(left_out, ", ")];
  endif
endfunction

## Legend rows, where there is more than one card.
function entries = series (c, d)
  entries = cell (0, 2);
  for k = 1:numel (c.list) * (numel (c.list) > 1)
    text = sprintf ("%s, holds %s", c.names{k},
                    __llmenv_plot_number__ (d.capacity(k)));
    if (! isempty (d.reason{k}))
      text = sprintf ("%s, %s", c.names{k}, d.reason{k});
    endif
    entries(end+1,:) = {text, setfield(__llmenv_plot_style__ (k), ...
                                       "markerfacecolor", "w")};
  endfor
endfunction

function h = draw_curves (h, c, d)
  for k = 1:numel (c.list)
    style = setfield (__llmenv_plot_style__ (k), "markerfacecolor", "w");
    values = {d.all{k}, d.all{k} ./ d.B{k}};
    for p = 1:2
      h.lines(k,p) = __llmenv_plot_line__ (h.axes(p), d.B{k}, values{p}, style,
                                           "marker", "none");
      most(k,p) = max ([values{p}, 1]);
      if (isfinite (d.capacity(k)) && ! isempty (d.B{k}))
        __llmenv_plot_line__ (h.axes(p), d.B{k}(end), values{p}(end), style,
                              "linestyle", "none");
      endif
    endfor
  endfor
  most = max ([most; 1, 1], [], 1);
  if (numel (c.list) == 1)
    h = ends (h, d);
    if (d.asymptote < 2.5 * most(1))
      most(1) = max (most(1), d.asymptote);
      asymptote (h.axes(1), d);
    endif
  endif
  for p = 1:2
    __llmenv_plot_ticks__ (h.axes(p), "x", "count", d.limits);
    __llmenv_plot_ticks__ (h.axes(p), "y", "linear", [0, 1.15 * most(p)]);
  endfor
endfunction

## Numbers at both ends of the curves of the only card.
function h = ends (h, d)
  if (isempty (d.B{1}))
    return;
  endif
  for p = 1:2
    rate = get (h.lines(1,p), "ydata")([1, end]);
    put = @(x, y, k) ...
      __llmenv_plot_text__ (h.axes(p), x, y, __llmenv_plot_number__ (rate(k)),
                            15, "verticalalignment", "middle");
    put (1.02, rate(1) + 0.06 * max (rate), 1);
    put (d.B{1}(end) * (d.limits(2) ^ 0.012), rate(2), 2);
  endfor
endfunction

function asymptote (ax, d)
  __llmenv_plot_line__ (ax, d.limits, d.asymptote([1, 1]),
                        struct ("color", [0.45, 0.45, 0.45], "linestyle", "--",
                                "linewidth", 1.5));
  text = sprintf ("limit %s (half at b_50)",
                  __llmenv_plot_number__ (d.asymptote));
  __llmenv_plot_text__ (ax, 1.02, d.asymptote, text, 14,
                        "verticalalignment", "bottom");
endfunction

function h = lower_marks (ax, marks)
  h = zeros (0, 1);
  for k = 1:rows (marks)
    h(k,1) = __llmenv_plot_line__ (ax, marks{k,1}([1, 1]), get (ax, "ylim"),
                                   marks{k,3});
  endfor
endfunction
