## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_n_star__ (OWN, PAIRS, MODELS): the context past which no
## batch reaches the ridge, by card: layered filled, published hollow.

function h = __llmenv_plot_n_star__ (own, pairs, models)
  usual = {"nvidia-rtx-3090", "nvidia-rtx-4090", "nvidia-rtx-5090", ...
           "amd-radeon-rx-7900-xtx", "nvidia-l40s", "nvidia-a100-80gb-sxm4", ...
           "nvidia-h20", "nvidia-h100-sxm", "nvidia-h200-sxm", ...
           "nvidia-b200", "amd-instinct-mi300x", "google-tpu-v5p"};
  [cards, pairs] = __llmenv_take__ (pairs, "Card", usual);
  [~, pairs] = __llmenv_take__ (pairs, "Convention", "");
  m = __llmenv_plot_records__ ("model", models, pairs);
  c = __llmenv_plot_records__ ("card", cards, pairs);
  if (numel (m.list) > 6 || numel (c.list) > 20)
    error ("llmenv:badSize", "kind n_star takes up to 6 models and 20 cards");
  endif
  [x, reason] = walls (m, c, pairs, "layered");
  [y, y_reason] = walls (m, c, pairs, "published");
  if (all (isnan ([x(:); y(:)])))
    error ("llmenv:badValue", "no picture: n* of '%s' is '%s'", m.ids{1},
           reason{1});
  endif
  [~, order] = sort (llmenv_ridge (c.list, pairs{:})(:));
  page = new_page (own, m, pairs);

  entries = legend_rows (m);
  room = __llmenv_plot_legend__ (entries, 60, 1160);
  ridge = llmenv_ridge (c.list, pairs{:})(:)';
  names = arrayfun (@(k) sprintf ("%s (ridge %.0f)", c.names{k}, ridge(k)),
                    order', "UniformOutput", false);
  left = 45 + max (__llmenv_plot_width__ (names, 16));
  box = [left, 84, 1150 - left, page.top - room - 92];
  ax = __llmenv_plot_axes__ (page, box, "n* (tokens)", "");
  h = __llmenv_plot_handles__ (page, ax);
  limits = reach ([x(:); y(:)]);
  __llmenv_plot_ticks__ (ax, "x", "log", limits);
  __llmenv_plot_rows__ (ax, names);
  set (ax, "ygrid", "on");
  h = draw (h, m, order, x, y, reason, limits);
  h.legend = __llmenv_plot_legend__ (page, 60, page.top - 12, entries, 1160);
  __llmenv_plot_text__ (page.canvas, 40, 22,
                        words (m, {x, y}, {reason, y_reason}), 14, "color",
                        [0.35, 0.35, 0.35]);
endfunction

function page = new_page (own, m, pairs)
  heading = "n*: context past which no batch reaches the ridge";
  if (numel (m.list) == 1)
    heading = [m.names{1} ", " heading];
  endif
  caption = __llmenv_plot_caption__ (pairs,
                                     "cards by ridge, the lowest on top");
  hollow = __llmenv_plot_caption__ ([pairs, {"Convention", "published"}], "");
  page = __llmenv_plot_page__ (own, heading, [caption "\nhollow: " hollow]);
endfunction

function limits = reach (x)
  known = x(isfinite (x) & x > 0);
  if (isempty (known))         # words alone
    known = [100; 1e4];
  endif
  limits = [min(known) / 1.6, max(known) * 2.2];
endfunction

## Cards x models.
function [x, reason] = walls (m, c, pairs, convention)
  x = zeros (numel (c.list), numel (m.list));
  reason = cell (size (x));
  for i = 1:numel (m.list)
    for k = 1:numel (c.list)
      [x(k,i), info] = llmenv_n_star (m.list{i}, c.list{k}, pairs{:},
                                      "Convention", convention);
      reason{k,i} = info.reason;
    endfor
  endfor
endfunction

function entries = legend_rows (m)
  entries = cell (0, 2);
  for k = 1:numel (m.list)
    style = setfield (__llmenv_plot_style__ (k), "linestyle", "none");
    style.markersize = 10;
    style.markerfacecolor = style.color;
    entries(end+1,:) = {[m.names{k} ", layered"], style};
    style.markerfacecolor = "w";
    style.linewidth = 1.5;
    entries(end+1,:) = {[m.names{k} ", published"], style};
  endfor
endfunction

function h = draw (h, m, order, x, y, reason, limits)
  n = numel (order);
  for i = 1:numel (m.list)
    at = (n:-1:1)' + 0.5 * ((numel (m.list) + 1) / 2 - i) / numel (m.list);
    style = setfield (__llmenv_plot_style__ (i), "linestyle", "none");
    style.markersize = 10;
    for k = 1:n
      ends = [x(order(k),i), y(order(k),i)];
      if (all (isfinite (ends) & ends > 0))
        __llmenv_plot_line__ (h.axes, ends, at(k)([1, 1]),
                              struct ("color", style.color, "linewidth", 1));
      endif
      name_point (h.axes, x(order(k),i), y(order(k),i), at(k), limits,
                  numel (m.list) == 1);
    endfor
    value = {y, x};
    face = {"w", style.color};
    for s = 1:2
      v = value{s}(order,i);
      v(! isfinite (v) | v <= 0) = NaN;
      h.lines(i,3-s) = __llmenv_plot_line__ (h.axes, v, at, style,
                                             "markerfacecolor", face{s},
                                             "linewidth", 1.5);
    endfor
  endfor
endfunction

## The numbers outside the pair of marks.
function name_point (ax, x, y, at, limits, is_wanted)
  gap = (limits(2) / limits(1)) ^ 0.02;
  pair = sort ([x, y]);
  pair = pair(isfinite (pair) & pair > 0);
  if (! is_wanted || isempty (pair))
    return;
  endif
  __llmenv_plot_text__ (ax, pair(end) * gap, at,
                        __llmenv_plot_number__ (round (pair(end))), 13,
                        "verticalalignment", "middle");
  if (numel (pair) == 2)
    __llmenv_plot_text__ (ax, pair(1) / gap, at,
                          __llmenv_plot_number__ (round (pair(1))), 13,
                          "horizontalalignment", "right",
                          "verticalalignment", "middle");
  endif
endfunction

## What has no mark, walls at 0 and words, by the number of cards.
function text = words (m, x, reason)
  parts = {};
  for i = 1:numel (m.list)
    for k = 1:2
      r = reason{k}(:,i);
      r(x{k}(:,i) == 0) = {"0"};
      r = r(! cellfun ("isempty", r));
      said = cellfun (@(w) sprintf ("%s on %d", w, nnz (strcmp (r, w))),
                      unique (r)(:)', "UniformOutput", false);
      if (! isempty (said))
        parts{end+1} = sprintf ("%s %s: %s", m.names{i},
                                {"layered", "published"}{k},
                                strjoin (said, ", "));
      endif
    endfor
  endfor
  text = "";
  if (! isempty (parts))
    text = ["No mark: " strjoin(parts, "; ") " cards"];
  endif
  while (numel (parts) > 1 && __llmenv_plot_width__ (text, 14) > 1130)
    parts(end) = [];
    text = ["No mark: " strjoin(parts, "; ") " cards; ..."];
  endwhile
endfunction
