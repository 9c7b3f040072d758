## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_kv_type__ (OWN, PAIRS, MODEL, CARD): the tokens that fit
## and the wall against the bytes of a KV element.

function h = __llmenv_plot_kv_type__ (own, pairs, model, card)
  m = __llmenv_plot_records__ ("model", model, pairs);
  c = __llmenv_plot_records__ ("card", card, pairs);
  if (numel (m.list) != 1 || numel (c.list) != 1)
    error ("llmenv:badSize", "kind kv_type takes one MODEL and one CARD");
  endif
  for name = {"KVType", "KType", "VType"}
    [~, pairs] = __llmenv_take__ (pairs, name{1}, "");
  endfor
  b = 2 .^ linspace (2, log2 (0.28), 160);
  y = curves (m.list{1}, c.list{1}, b, pairs);
  if (! any (isfinite (y(:)) & y(:) > 0))
    error ("llmenv:badValue",
           "no picture: fill and wall of '%s' have no values", m.ids{1});
  endif
  caption = __llmenv_plot_caption__ (pairs, sprintf ("%s on %s, one sequence",
                                                     m.names{1}, c.names{1}));
  caption = strrep (caption, ", KV bf16", ", KV as on the axis");
  heading = sprintf ("%s on %s: what the KV type moves", m.names{1},
                     c.names{1});
  page = __llmenv_plot_page__ (own, heading, caption);

  for s = 1:2
    styles{s} = setfield (__llmenv_plot_style__ (s), "markerfacecolor", "w");
  endfor
  entries = {"fill: longest sequence that fits", styles{1}
             "wall: past it no batch reaches the ridge", styles{2}};
  types = type_marks ();
  at_types = curves (m.list{1}, c.list{1}, [types{:,1}], pairs);
  limits = [0.25, 5.6];
  box = [120, 110, 1030, 0];
  room = 28 + __llmenv_plot_marks__ (limits, "log", box, types, 14);
  box(4) = page.top - room - box(2);
  ax = __llmenv_plot_axes__ (page, box, "bytes of a KV element", ...
                             "tokens (1k = 1,024)");
  h = __llmenv_plot_handles__ (page, ax);
  __llmenv_plot_ticks__ (ax, "y", "count", reach (y));
  __llmenv_plot_ticks__ (ax, "x", "log", limits);
  set (ax, "xtick", 2 .^ (-2:2), "xticklabel", {"0.25", "0.5", "1", "2", "4"});
  h = draw (h, b, y, [types{:,1}], at_types, styles);
  h.marks = __llmenv_plot_marks__ (page, ax, box, types, 14);
  h.legend = __llmenv_plot_legend__ (page, 120, page.top - 12, entries);
  __llmenv_plot_text__ (page.canvas, 40, 22, remark (b, y), 14, "color",
                        [0.35, 0.35, 0.35]);
endfunction

function limits = reach (y)
  shown = y(isfinite (y) & y > 0);
  limits = [min(shown) / 1.5, max(shown) * 1.6];
endfunction

## Rows: fill, wall.
function y = curves (model, card, b, pairs)
  y = zeros (2, numel (b));
  for k = 1:numel (b)
    y(1,k) = llmenv_fill (model, card, pairs{:}, "KVType", b(k));
    y(2,k) = llmenv_l_wall (model, card, pairs{:}, "KVType", b(k));
  endfor
endfunction

## Types of the same bytes share a line.
function marks = type_marks ()
  wanted = {"fp32", "bf16", "q8_0", "fp8", "q5_0", "q4_0", "nvfp4"};
  t = llmenv_table ("types").data;
  [~, at] = ismember (wanted, t.type);
  bytes = t.bytes(at);
  marks = cell (0, 3);
  for b = unique (bytes)'
    text = sprintf ("%s %.5g", strjoin (wanted(bytes == b), ", "), b);
    marks(end+1,:) = {b, text, struct("color", [0.35, 0.35, 0.35], ...
                                      "linestyle", "--", "linewidth", 1)};
  endfor
endfunction

function h = draw (h, b, y, at, at_types, styles)
  for s = 1:2
    is_drawn = isfinite (y) & y > 0;
    y(! is_drawn) = NaN;
    h.lines(s,1) = __llmenv_plot_line__ (h.axes, b, y(s,:), styles{s},
                                         "marker", "none");
    w = at_types(s,:);
    w(! isfinite (w) | w <= 0) = NaN;
    __llmenv_plot_line__ (h.axes, at, w, styles{s}, "linestyle", "none",
                          "markerfacecolor", "w");
    for k = find (isfinite (w))
      ## Close to the next one it goes below the falling curve.
      is_low = k < numel (at) && at(k+1) < 1.15 * at(k);
      __llmenv_plot_text__ (h.axes, at(k) * 1.015 ^ (1 - 2 * is_low),
                            w(k) * 1.04 ^ (1 - 3 * is_low),
                            __llmenv_plot_number__ (floor (w(k))), 14,
                            "horizontalalignment",
                            {"left", "right"}{1 + is_low}, "verticalalignment",
                            {"bottom", "top"}{1 + is_low});
    endfor
  endfor
endfunction

function text = remark (b, y)
  text = "";
  if (any (y(2,:) == Inf))
    text = sprintf (["No wall at %.3g bytes and below: a large batch " ...
                     "reaches the ridge at every context."],
                    max (b(y(2,:) == Inf)));
  elseif (all (y(2,:) == 0))
    text = "Wall: 0, no batch reaches the ridge at any context.";
  endif
  if (any (y(1,:) == 0))
    text = [text " Fill: does not fit."];
  endif
endfunction
