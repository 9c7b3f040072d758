## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_ranking__ (OWN, PAIRS, QUANTITY, TARGET): bars of the
## models (or cards) at the interesting end of a ranking, layered beside
## published. TARGET: a card, a model, or [].

function h = __llmenv_plot_ranking__ (own, pairs, quantity, target)
  if (! isempty (target))
    pairs = [pairs, which_one(target)];
  endif
  [direction, pairs] = __llmenv_take__ (pairs, "Direction", usual (quantity));
  [~, pairs] = __llmenv_take__ (pairs, "Convention", "");
  t = llmenv_rank (quantity, "Direction", direction, pairs{:});
  p = llmenv_rank (quantity, pairs{:}, "Convention", "published");
  is_shown = shown (t.data, p.data);
  [values, words, names] = rows_of (t.data, p.data, find (is_shown));
  [heading, caption] = words_for (t, p, is_shown, direction, pairs);
  page = __llmenv_plot_page__ (own, heading, caption);

  colors = {[0, 114, 178] / 255, [240, 200, 120] / 255};
  styles = cellfun (@(c) struct ("facecolor", c, "edgecolor", [0.2, 0.2, 0.2]),
                    colors, "UniformOutput", false);
  entries = {"layered (exact sums over layers)", styles{1}
             "published (the documents' closed formula)", styles{2}};
  unit = t.units{3};
  if (strcmp (unit, "bytes"))
    values /= 1e9;
    unit = "GB, 10^9 bytes";
  endif
  left = 50 + max (__llmenv_plot_width__ (names, 16));
  box = [left, 100, 1160 - left, page.top - 32 - 100];
  xtext = sprintf ("%s (%s)", quantity, unit);
  ax = __llmenv_plot_axes__ (page, box, xtext, "");
  set (get (ax, "xlabel"), "interpreter", "none");
  h = __llmenv_plot_handles__ (page, ax);
  h.lines = __llmenv_plot_bars__ (ax, values, names, words, styles, ...
                                  scale_of (values));
  h.legend = __llmenv_plot_legend__ (page, left, page.top - 12, entries);
  __llmenv_plot_text__ (page.canvas, 40, 22, left_out (t.data, is_shown), 14,
                        "color", [0.35, 0.35, 0.35]);
endfunction

## The title says which end is shown; the caption has both conventions.
function [heading, caption] = words_for (t, p, is_shown, direction, pairs)
  is_up = strcmpi (direction, "ascending");
  end_word = {"largest", "smallest"}{1 + is_up};
  if (is_up && any (t.data.value(! is_shown) == 0))
    end_word = "smallest above 0";
  endif
  what = "models";
  if (! any (strcmp (llmenv_models (), t.data.id{1})))
    what = "cards";
    t.caption = regexprep (t.caption, ', card [^,]*', "");
    p.caption = regexprep (p.caption, ', card [^,]*', "");
    t.title = [name_of(pairs) t.title];
  endif
  heading = sprintf ("%s%s: %d %s of %d %s", upper (t.title(1)),
                     t.title(2:end), nnz (is_shown), end_word,
                     numel (t.data.id), what);
  caption = sprintf ("%s\n%s", t.caption, p.caption);
endfunction

## The model whose cards are ranked.
function text = name_of (pairs)
  text = "";
  model = __llmenv_take__ (pairs, "Model", "");
  if (! isempty (model))
    text = [__llmenv_plot_records__("model", model, {}).names{1} ", "];
  endif
endfunction

## The end that people ask for: what holds or runs most, else what is least.
function direction = usual (quantity)
  most = {"capacity", "fill", "throughput", "kv_context", "kv_bytes", ...
          "weight_bytes"};
  direction = merge (any (strcmp (quantity, most)), "descending", "ascending");
endfunction

## TARGET as the option Card or Model.
function pair = which_one (target)
  try
    a = llmenv_accelerator (target);
    pair = {"Card", target};
  catch e
    if (! strcmp (e.identifier, "llmenv:unknownCard"))
      rethrow (e);
    endif
    try
      a = llmenv_model (target);
    catch
      error ("llmenv:badValue", "no card and no model '%s'", target);
    end_try_catch
    pair = {"Model", target};
  end_try_catch
endfunction

## Up to 15 rows: those with a number that is not 0, layered first, else
## published; words alone only where nobody has a number.
function is_shown = shown (data, published)
  [~, at] = ismember (data.id, published.id);
  is_number = @(x) isfinite (x) & x != 0;
  is_shown = first (is_number (data.value), 15);
  is_shown |= first (! is_shown & is_number (published.value(at)),
                     (15 - nnz (is_shown)) * (nnz (is_shown) < 15));
  if (! any (is_shown))
    is_shown = first (true (size (data.value)), 15);
  endif
endfunction

function some = first (all, n)
  some = all & cumsum (all) <= n;
endfunction

function [values, words, names] = rows_of (layered, published, at)
  values = NaN (numel (at), 2);
  words = repmat ({""}, numel (at), 2);
  names = cell (numel (at), 1);
  for k = 1:numel (at)
    id = layered.id{at(k)};
    what = merge (any (strcmp (llmenv_models (), id)), "model", "card");
    r = __llmenv_plot_records__ (what, id, {});
    names{k} = r.names{1};
    q = find (strcmp (published.id, id));
    values(k,:) = [layered.value(at(k)), published.value(q)];
    reasons = {layered.reason{at(k)}, published.reason{q}};
    for s = 1:2
      words{k,s} = reasons{s};
      if (values(k,s) == 0 && isempty (reasons{s}))
        words{k,s} = "0";
      endif
    endfor
  endfor
endfunction

function kind = scale_of (values)
  x = values(isfinite (values) & values > 0);
  kind = "linear";
  if (! isempty (x) && max (x) > 12 * min (x))
    kind = "log";
  endif
endfunction

## What the picture does not show, counted by word.
function text = left_out (data, is_shown)
  words = data.reason(! is_shown);
  numbers = data.value(! is_shown);
  words(cellfun ("isempty", words) & numbers == 0) = {"0"};
  words(cellfun ("isempty", words)) = {"further numbers"};
  kinds = unique (words);
  counts = cellfun (@(w) sprintf ("%s: %d", w, nnz (strcmp (words, w))), kinds,
                    "UniformOutput", false);
  text = "";
  if (! isempty (counts))
    text = ["Not shown: " strjoin(counts(:)', ", ")];
  endif
endfunction
