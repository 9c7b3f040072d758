## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_mix__ (OWN, PAIRS, MODEL, CARD): a mix of contexts: what
## share of the sequences and of their bytes is how long, and tokens/s against
## batch beside the same at the mean length.

function h = __llmenv_plot_mix__ (own, pairs, model, card)
  [mix, pairs] = __llmenv_plot_lengths__ (pairs);
  m = __llmenv_plot_records__ ("model", model, pairs);
  c = __llmenv_plot_records__ ("card", card, pairs);
  if (numel (m.list) != 1 || numel (c.list) != 1)
    error ("llmenv:badSize", "kind mix takes one MODEL and one CARD");
  endif
  d = points (m.list{1}, c.list{1}, mix, pairs);
  where = sprintf ("%s on %s; %s", m.names{1}, c.names{1}, span_of (mix));
  heading = sprintf ("%s on %s: a mix of contexts beside its mean",
                     m.names{1}, c.names{1});
  page = __llmenv_plot_page__ (own, heading,
                               __llmenv_plot_caption__ (pairs, where));

  bars = {struct("facecolor", [0, 114, 178] / 255, "edgecolor", [0.2, 0.2, 0.2])
          struct("facecolor", [240, 200, 120] / 255, "edgecolor", ...
                 [0.2, 0.2, 0.2])};
  words = {"share of the sequences", bars{1}
           "share of their bytes (cache and state)", bars{2}};
  marks = length_marks (m.list{1}, mix, d, pairs);
  bin = bins (mix, d.K, [marks{:,1}]);
  box = [130, 440, 1020, 0];
  top = page.top - __llmenv_plot_legend__ (words, 130, 1180);
  box(4) = top - __llmenv_plot_marks__ (bin.limits, bin.scale, box, marks) ...
           - box(2);
  low = [130, 100, 1020, 250];
  xtext = ["context (tokens" merge(bin.is_log, "; 1k = 1,024)", ")")];
  ax = [__llmenv_plot_axes__(page, box, xtext, "share (%)")
        __llmenv_plot_axes__(page, low, "batch (sequences)", ...
                             "tokens/s, all sequences")];
  h = __llmenv_plot_handles__ (page, ax);
  h.lines = [draw_shares(ax(1), bin, bars); draw_rates(ax(2), d)];
  h.marks = __llmenv_plot_marks__ (page, ax(1), box, marks);
  h.legend = [__llmenv_plot_legend__(page, 130, page.top - 12, words)
              __llmenv_plot_legend__(page, 130, 366, rate_words (mix, d))];
  text = remark (d);
  if (bin.is_log && mix.lengths(1) == 0)
    text = [text " The first bars have those of 0 tokens too."];
  endif
  __llmenv_plot_text__ (page.canvas, 40, 22, text, 14, "color",
                        [0.35, 0.35, 0.35]);
endfunction

## Which lengths there are.
function text = span_of (mix)
  text = sprintf ("%sall of %.6g tokens", mix.name, mix.mean);
  if (numel (mix.lengths) > 1)
    text = sprintf ("%s%d lengths from %.9g to %.9g tokens, mean %.6g",
                    mix.name, numel (mix.lengths), mix.lengths(1),
                    mix.lengths(end), mix.mean);
  endif
endfunction

## Bytes of each length; the curves of the mix and of its mean, in this order.
function d = points (model, card, mix, pairs)
  d.K = llmenv_kv_bytes (model, mix.lengths, pairs{:});
  at = {mix.whole, mix.mean};
  for k = 1:2
    [d.capacity(k), info] = llmenv_capacity (model, card, at{k}, pairs{:});
    d.reason{k} = info.reason;
  endfor
  if (! any (d.capacity >= 1))
    if (isnan (d.capacity(1)))
      error ("llmenv:badValue", "no picture: capacity of '%s' is '%s'",
             llmenv_model (model).id, d.reason{1});
    endif
    error ("llmenv:badValue", "no picture: no sequence of '%s' fits",
           llmenv_model (model).id);
  endif
  for k = 1:2
    last = d.capacity(k);
    if (last == Inf)
      last = 4096;
    endif
    d.B{k} = zeros (1, 0);
    if (last >= 1)
      bend = llmenv_b_star (model, card, at{k}, pairs{:});
      d.B{k} = unique ([2 .^ linspace(0, log2 (last), 240)(1:end-1), last, ...
                        bend(bend > 1 & bend < last)]);
    endif
    d.rate{k} = llmenv_throughput (model, card, d.B{k}, at{k}, pairs{:});
  endfor
  ## What the mean gives where the shorter curve ends.
  d.common = min ([4096, d.capacity(d.capacity >= 1)]);
  d.there = [llmenv_throughput(model, card, d.common, at{1}, pairs{:}), ...
             llmenv_throughput(model, card, d.common, at{2}, pairs{:})];
endfunction

## The mean; the one length of as many bytes; where windows end.
function marks = length_marks (model, mix, d, pairs)
  style = @(color, dash) struct ("color", color, "linestyle", dash,
                                 "linewidth", 1.5);
  marks = {mix.mean, ["mean " __llmenv_plot_number__(mix.mean)], ...
           style([0, 0, 0], "-")};
  bytes = sum (d.K .* mix.weights) / sum (mix.weights);
  same = llmenv_kv_context (model, bytes, pairs{:});
  if (isfinite (same) && same > 0 && abs (same / mix.mean - 1) > 0.02)
    marks(end+1,:) = {same, ["one length of as many bytes " ...
                             __llmenv_plot_number__(same)], ...
                      style([0.7, 0.3, 0], "--")};
  endif
  windows = windows_of (model);
  windows = windows(windows > mix.lengths(1) & windows < mix.lengths(end));
  for w = windows(1:min (2, end))
    marks(end+1,:) = {w, ["window " __llmenv_plot_number__(w)], ...
                      style([0, 0.45, 0.33], "-.")};
  endfor
endfunction

## Tokens of windows and chunks, shortest first.
function w = windows_of (model)
  w = [];
  record = llmenv_model (model);
  if (isfield (record, "layers"))
    for k = 1:numel (record.layers)
      group = record.layers{k};
      if (isfield (group, "window"))
        w(end+1) = group.window;
      endif
    endfor
  endif
  w = unique (w);
endfunction

## Bars of equal width, log where the lengths grow by factors: where each is,
## how wide, and the percent of sequences and of bytes in it.
function bin = bins (mix, K, marked)
  L = mix.lengths;
  least = min ([L(L > 0), Inf]);
  bin.is_log = isfinite (least) && (L(end) >= 4 * least || L(end) == least);
  if (bin.is_log)
    octaves = log2 (L(end) / least);
    step = [1/8, 1/4, 1/2, 1](find ([octaves * [8, 4, 2], 0] <= 40, 1));
    ## No tokens at all have no place on a log axis: the first bar has them.
    at = round (log2 (max (L, least)) / step);
    [up, bin.scale] = deal (@(x) 2 .^ (x * step), "log");
  else
    rough = max ([(L(end) - L(1)) / 40, 1]);
    power = 10 ^ floor (log10 (rough));
    step = power * [1, 2, 5, 10](find ([1, 2, 5, 10] * power >= rough, 1));
    at = round (L / step);
    [up, bin.scale] = deal (@(x) x * step, "linear");
  endif
  [where, ~, k] = unique (at);
  share = @(x) 100 * accumarray (k(:), x(:), [numel(where), 1])' / sum (x);
  bin.percent = [share(mix.weights); share(mix.weights .* K)];
  bin.middle = up (where);
  half = (where(:) + [-0.42, 0, 0.42])';
  bin.edges = {up(half(1:2,:)), up(half(2:3,:))};
  bin.limits = up ([where(1) - 1, where(end) + 1]);
  bin.limits = [min([bin.limits(1), 0.97 * marked]), ...
                max([bin.limits(2), 1.03 * marked])];
  if (bin.limits(1) < 0)
    bin.limits(1) = 0;
  endif
endfunction

## Handles: of the sequences, of the bytes.
function h = draw_shares (ax, bin, styles)
  n = numel (bin.middle);
  for s = 1:2
    y = bin.percent(s,:);
    y(isnan (y)) = 0;
    e = bin.edges{s};
    x = [e(1,:); e(1,:); e(2,:); e(2,:)];
    y = [zeros(1, n); y; y; zeros(1, n)];
    h(1,s) = patch ("parent", ax, "vertices", [x(:), y(:)], "faces",
                    reshape (1:4 * n, 4, n)');
    set (h(1,s), styles{s});
  endfor
  kind = merge (bin.is_log, "count", "linear");
  __llmenv_plot_ticks__ (ax, "x", kind, bin.limits);
  __llmenv_plot_ticks__ (ax, "y", "linear", [0, 1.12 * max(bin.percent(:))]);
endfunction

function styles = rate_styles ()
  styles = {__llmenv_plot_style__(1), __llmenv_plot_style__(2)};
  for k = 1:2
    styles{k}.markerfacecolor = "w";
  endfor
endfunction

function entries = rate_words (mix, d)
  names = {"the mix", sprintf("all at the mean, %s tokens", ...
                              __llmenv_plot_number__ (mix.mean))};
  styles = rate_styles ();
  for k = 1:2
    text = sprintf ("%s: holds %s", names{k},
                    __llmenv_plot_number__ (d.capacity(k)));
    if (! isempty (d.reason{k}))
      text = sprintf ("%s: %s", names{k}, d.reason{k});
    endif
    entries(k,:) = {text, styles{k}};
  endfor
endfunction

## Handles: of the mix, of its mean.
function h = draw_rates (ax, d)
  styles = rate_styles ();
  most = max ([d.rate{:}]);
  last = max ([d.B{:}]);
  last = 2 ^ ceil (log2 (max ([4, 1.35 * last, last ^ 1.09])));
  for k = 1:2
    h(1,k) = __llmenv_plot_line__ (ax, d.B{k}, d.rate{k}, styles{k}, "marker",
                                   "none");
  endfor
  __llmenv_plot_ticks__ (ax, "x", "count", [1, last]);
  __llmenv_plot_ticks__ (ax, "y", "linear", [0, 1.15 * most]);
  is_same = is_close (d.capacity) && is_close (d.there);
  for k = find (! cellfun ("isempty", d.B))
    x = d.B{k}(end);
    y = d.rate{k}(end);
    if (isfinite (d.capacity(k)))
      __llmenv_plot_line__ (ax, x, y, styles{k}, "linestyle", "none");
    endif
    if (k == 1 || ! is_same)
      ## Below its curve where the other one goes on above.
      is_left = x < 0.999 * max ([d.B{:}]);
      __llmenv_plot_text__ (ax, x * last ^ (0.012 - 0.004 * is_left),
                            y - 0.09 * most * is_left,
                            __llmenv_plot_number__ (y), 15,
                            "verticalalignment", "middle");
    endif
  endfor
endfunction

function is_so = is_close (x)
  is_so = x(1) == x(2) || abs (x(1) / x(2) - 1) < 1e-3;
endfunction

## How far the mean is off.
function text = remark (d)
  if (is_close (d.capacity) && is_close (d.there))
    text = ["The mean stands for the mix here: each token adds as many " ...
            "bytes at all of these lengths."];
    return;
  endif
  text = "";
  if (all (d.capacity >= 1))
    text = sprintf (["At batch %s the mix runs %s tokens/s, " ...
                     "the mean %s (%+.3g %%). "],
                    __llmenv_plot_number__ (d.common),
                    __llmenv_plot_number__ (d.there(1)),
                    __llmenv_plot_number__ (d.there(2)),
                    100 * (d.there(2) / d.there(1) - 1));
  endif
  if (is_close (d.capacity))
    text = [text "Both hold as many sequences."];
  elseif (all (isfinite (d.capacity)) && all (d.capacity > 0))
    text = sprintf ("%sThe mean holds %.3g %% %s sequences.", text,
                    100 * abs (d.capacity(2) / d.capacity(1) - 1),
                    merge (d.capacity(2) < d.capacity(1), "fewer", "more"));
  endif
endfunction
