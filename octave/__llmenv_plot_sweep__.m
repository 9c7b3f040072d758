## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_sweep__ (OWN, PAIRS, X, Y): lines, X against the columns of
## Y; or X is the INFO of llmenv_sweep and Y its values, a panel a quantity.

function h = __llmenv_plot_sweep__ (own, pairs, x, y)
  if (isstruct (x))
    d = of_sweep (x, y);
  else
    d = of_numbers (x, y);
  endif
  for name = {"XLabel", "YLabel", "Labels", "XScale", "YScale"}
    [d.(name{1}), pairs] = __llmenv_take__ (pairs, name{1}, d.(name{1}));
  endfor
  d = check (d);
  page = __llmenv_plot_page__ (own, d.title, caption (pairs, d.where));
  n = columns (d.y);
  entries = cell (0, 2);
  for k = 1:n * (n > 1 || ! isempty (d.Labels{1}))
    entries(end+1,:) = {d.Labels{k}, setfield(__llmenv_plot_style__ (k), ...
                                              "markerfacecolor", "w")};
  endfor
  room = __llmenv_plot_legend__ (entries, 100, 1160);
  panels = numel (d.YLabel);
  high = (page.top - room - 14 - 78 - 34 * (panels - 1)) / panels;
  for p = 1:panels
    box = [120, 78 + (panels - p) * (high + 34), 1030, high];
    xtext = merge (p == panels, d.XLabel, "");
    ax(p,1) = __llmenv_plot_axes__ (page, box, xtext, d.YLabel{p});
    set ([get(ax(p), "xlabel"), get(ax(p), "ylabel")], "interpreter", "none");
  endfor
  h = __llmenv_plot_handles__ (page, ax);
  for p = 1:panels
    h.lines(1:n,p) = panel (ax(p), d, d.y(:,:,p), d.YScale{p});
  endfor
  h.legend = __llmenv_plot_legend__ (page, 100, page.top - 12, entries, 1160);
endfunction

## What the numbers were computed with is known only if the options say so.
function text = caption (pairs, where)
  if (isempty (pairs))
    text = [where "assumptions not given (options of the numbers, or Caption)"];
  else
    text = [where __llmenv_plot_caption__(pairs, "")];
  endif
endfunction

function d = of_numbers (x, y)
  if (! isnumeric (x) || ! isnumeric (y) || ! isreal (x) || ! isreal (y))
    error ("llmenv:badType",
           "kind sweep takes real numbers X, Y or INFO, V of llmenv_sweep");
  endif
  d.x = double (x(:));
  if (isvector (y))
    y = y(:);
  endif
  d.y = double (y);
  d.XLabel = "x";
  d.YLabel = {"y"};
  d.Labels = {""};
  if (columns (y) > 1)
    d.Labels = arrayfun (@(k) sprintf ("series %d", k), 1:columns (y),
                         "UniformOutput", false);
  endif
  d.XScale = d.YScale = "";
  d.title = "Sweep";
  d.where = "";
endfunction

function d = of_sweep (info, v)
  wanted = {"inputs", "values", "quantities", "units", "models", "cards"};
  if (! all (isfield (info, wanted)) || ! isnumeric (v))
    error ("llmenv:badType",
           "kind sweep takes INFO and V of llmenv_sweep, in that order");
  endif
  sizes = [size(v), 1, 1, 1, 1](1:5);
  d.x = info.values{1}(:);
  d.y = reshape (permute (v, [1, 2, 4, 5, 3]), sizes(1),
                 prod (sizes([2, 4, 5])), sizes(3));
  d.XLabel = words_for (info.inputs{1});
  d.YLabel = cellfun (@(q, u) sprintf ("%s (%s)", q, u), info.quantities,
                      info.units, "UniformOutput", false);
  d.Labels = series_names (info, sizes);
  d.XScale = d.YScale = "";
  d.where = strjoin ([info.models, info.cards], ", ");
  if (! isempty (d.where))
    d.where = [d.where "; "];
  endif
  d.title = [strjoin(info.quantities, ", ") " by " ...
             strjoin(info.inputs, " and ")];
endfunction

function names = series_names (info, sizes)
  names = {};
  for c = 1:sizes(5)
    for m = 1:sizes(4)
      for k = 1:sizes(2)
        parts = {};
        if (sizes(4) > 1 || sizes(2) * sizes(5) == 1)
          parts = info.models(min (m, end));
        endif
        if (sizes(5) > 1)
          parts = [parts, info.cards(c)];
        endif
        if (sizes(2) > 1)
          parts{end+1} = sprintf ("%s %.4g", info.inputs{2}, info.values{2}(k));
        endif
        names{end+1} = strjoin (parts, ", ");
      endfor
    endfor
  endfor
endfunction

function text = words_for (input)
  known = struct ("context", "context (tokens; 1k = 1,024)",
                  "batch", "batch (sequences)",
                  "kv_bytes", "bytes of a KV element",
                  "weight_bytes", "bytes of a weight",
                  "bandwidth", "bandwidth (GB/s)", "peak", "peak (TFLOP/s)",
                  "memory", "memory (bytes)", "reserve", "reserve (bytes)",
                  "expert_ratio", "e/E: share of the experts a token takes",
                  "experts", "experts E");
  text = input;
  if (isfield (known, input))
    text = known.(input);
  endif
endfunction

function d = check (d)
  if (ischar (d.YLabel))
    d.YLabel = {d.YLabel};
  endif
  if (! iscellstr (d.Labels) || ! iscellstr (d.YLabel) || ! ischar (d.XLabel))
    error ("llmenv:badOption",
           "Labels must be a cell of text, XLabel and YLabel text");
  endif
  if (numel (d.x) != rows (d.y) || numel (d.x) < 2)
    error ("llmenv:badSize",
           "%d values of x for %d rows of y; at least 2 of each", numel (d.x),
           rows (d.y));
  endif
  if (columns (d.y) > 8 || numel (d.YLabel) > 3
      || numel (d.YLabel) != size (d.y, 3)
      || numel (d.Labels) != columns (d.y))
    error ("llmenv:badSize",
           "up to 8 lines (each with a label) in up to 3 panels, not %d in %d",
           columns (d.y), size (d.y, 3));
  endif
  d.XScale = scale ("XScale", d.XScale, is_geometric (d.x));
  word = d.YScale;
  d.YScale = {};
  for p = 1:size (d.y, 3)
    shown = d.y(:,:,p)(isfinite (d.y(:,:,p)));
    is_wide = ! isempty (shown) && all (shown > 0) ...
              && max (shown) > 30 * min (shown);
    d.YScale{p} = scale ("YScale", word, is_wide);
  endfor
endfunction

function kind = scale (name, word, is_log)
  kind = {"linear", "log"}{1 + is_log};
  if (! isempty (word))
    if (! any (strcmp (word, {"linear", "log"})))
      error ("llmenv:badOption", "option %s must be linear or log", name);
    endif
    kind = word;
  endif
endfunction

## Steps that grow with x, over more than an octave or two.
function is_so = is_geometric (x)
  x = sort (x(isfinite (x)));
  is_so = ! isempty (x) && x(1) > 0 && x(end) > 6 * x(1) ...
          && median (diff (x)) < 0.4 * (x(end) - x(1)) / 2 ...
          && mean (x) > 1.3 * median (x);
endfunction

function h = panel (ax, d, y, kind)
  h = zeros (columns (y), 1);
  y(! isfinite (y) | (strcmp (kind, "log") & y <= 0)) = NaN;
  for k = 1:columns (y)
    style = setfield (__llmenv_plot_style__ (k), "markerfacecolor", "w");
    style.markersize = 6;
    if (numel (d.x) > 24)
      style.marker = "none";
    endif
    h(k) = __llmenv_plot_line__ (ax, d.x, y(:,k), style);
  endfor
  shown = y(! isnan (y));
  if (isempty (shown))
    shown = [1; 2];
  endif
  if (strcmp (kind, "log"))
    limits = [min(shown) / 1.4, max(shown) * 1.4];
  else
    limits = [min([shown; 0]), max([shown; 0])];
    limits += 0.06 * max (diff (limits), eps) * [limits(1) < 0, 1] .* [-1, 1];
  endif
  __llmenv_plot_ticks__ (ax, "y", kind, limits);
  kind = d.XScale;
  if (strcmp (kind, "log") && any (strncmp (d.XLabel, {"context", "batch"}, 5)))
    kind = "count";
  endif
  __llmenv_plot_ticks__ (ax, "x", kind, [min(d.x), max(d.x)]);
endfunction
