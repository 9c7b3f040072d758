## SPDX-License-Identifier: GPL-3.0-or-later

## H = __llmenv_plot_errors__ (OWN, PAIRS, QUANTITY): bars of published over
## layered, those that are furthest off, with their causes. QUANTITY: one of
## those of the table, or [] for all.

function h = __llmenv_plot_errors__ (own, pairs, quantity)
  [~, pairs] = __llmenv_take__ (pairs, "Convention", "");
  t = llmenv_table ("published_vs_layered", pairs{:});
  [d, only] = chosen (t.data, quantity);
  is_bar = isfinite (d.ratio) & d.ratio > 0 & abs (d.ratio - 1) >= 5e-4;
  at = find (is_bar)(1:min (20, end));
  if (isempty (at))
    error ("llmenv:badValue",
           "no picture: no finite ratio of '%s' differs from 1",
           strjoin (unique (d.quantity)', ", "));
  endif
  names = names_of (d.model);
  labels = strcat (names(at), {": "}, d.quantity(at));
  heading = "Published over layered";
  if (! isempty (only))
    labels = names(at);
    heading = [only ", published over layered"];
  endif
  many = sprintf ("%d largest of %d errors", numel (at), nnz (is_bar));
  if (numel (at) == nnz (is_bar))
    many = sprintf ("%d errors", numel (at));
  endif
  heading = [heading ": " many];
  caption = [assumptions(t.caption, only) "\npublished: the documents' " ...
             "closed formulas on the values of their tables"];
  page = __llmenv_plot_page__ (own, heading, caption);

  up = struct ("facecolor", [0, 114, 178] / 255, "edgecolor", [0.2, 0.2, 0.2]);
  down = setfield (up, "facecolor", [240, 200, 120] / 255);
  entries = {"published too large", up; "published too small", down};
  entries = entries([any(d.ratio(at) > 1), any(d.ratio(at) < 1)],:);
  notes = __llmenv_plot_wrap__ (note (d, names, only), 1120, 14);
  if (numel (notes) > 4)
    notes = [notes(1:3), {[notes{4} "..."]}];
  endif
  left = 50 + max (__llmenv_plot_width__ (labels(:)', 15));
  top = page.top - 32;
  low = max (90 + 20 * numel (notes), top - 60 * numel (at));
  box = [left, low, 830 - left, top - low];
  ax = __llmenv_plot_axes__ (page, box, "published / layered (1: no error)", "");
  h = __llmenv_plot_handles__ (page, ax);
  h.lines = __llmenv_plot_bars__ (ax, d.ratio(at), labels, ...
                                  repmat ({""}, numel (at), 1), {up}, "log", 1);
  set (ax, "fontsize", 11.25);
  h.lines = __llmenv_plot_shade__ (h.lines(1), d.ratio(at) < 1, down);
  h.marks = __llmenv_plot_line__ (ax, [1, 1], get (ax, "ylim"),
                                  struct ("color", [0.2, 0.2, 0.2],
                                          "linewidth", 1.5));
  write_causes (page.canvas, box, d.why(at));
  h.legend = __llmenv_plot_legend__ (page, min (left, 360), page.top - 12,
                                     entries);
  __llmenv_plot_text__ (page.canvas, 846, page.top - 12, "cause", 15);
  for k = 1:numel (notes)
    __llmenv_plot_text__ (page.canvas, 40, 22 + 20 * (numel (notes) - k),
                          strtrim (notes{k}), 14, "color", [0.35, 0.35, 0.35]);
  endfor
endfunction

## Rows of the quantity, named as in the table or by its first word; ONLY is
## its name in the table.
function [d, only] = chosen (d, quantity)
  only = "";
  if (isempty (quantity) && ! ischar (quantity))
    return;
  endif
  kinds = unique (d.quantity);
  if (! ischar (quantity))
    error ("llmenv:badType", "QUANTITY must be text: %s",
           strjoin (kinds', ", "));
  endif
  first = regexprep (kinds, ' .*', "");
  at = find (strcmpi (quantity, kinds) | strcmpi (quantity, first), 1);
  if (isempty (at))
    error ("llmenv:badOption",
           "no quantity '%s' is compared; accepted: %s",
           regexprep (quantity(:)', '[^ -~]', "?"), strjoin (kinds', ", "));
  endif
  only = kinds{at};
  is_of = strcmp (d.quantity, only);
  for field = fieldnames (d)'
    d.(field{1}) = d.(field{1})(is_of);
  endfor
endfunction

## Cells of names to show, in the order of IDS.
function names = names_of (ids)
  [once, ~, at] = unique (ids);
  names = __llmenv_plot_records__ ("model", once, {}).names(:)(at);
endfunction

## What does not move these quantities is no assumption of theirs.
function text = assumptions (text, only)
  text = regexprep (text, ', (batch|reserve) [^,;]*', "");
  if (! isempty (only) && ! any (strcmp (only, {"b_star", "ceiling"})))
    text = regexprep (text, ', contexts? [^,;]*(, mean [^,;]*)?', "");
  endif
endfunction

## Beside each bar, as many causes as there is room for.
function write_causes (canvas, box, why)
  n = numel (why);
  height = box(4) / (n + 0.2);
  why = strrep (why, "parameters counted, not rounded", "parameters counted");
  why = strrep (why, "total in the place of active parameters",
                "total for active");
  why = regexprep (why, ' weights with 16-bit arithmetic', " weights");
  for k = 1:n
    words = strsplit (why{k}, ", ");
    many = numel (words);
    text = why{k};
    while (__llmenv_plot_width__ (text, 14) > 340 && many > 1)
      many--;
      text = sprintf ("%s, +%d", strjoin (words(1:many), ", "),
                      numel (words) - many);
    endwhile
    __llmenv_plot_text__ (canvas, 846, box(2) + height * (n - k + 0.6), text,
                          14, "verticalalignment", "middle");
  endfor
endfunction

## What has no bar: one of the two is 0 or no number.
function text = note (d, names, only)
  text = "";
  is_out = isinf (d.ratio) | d.ratio == 0;
  for q = unique (d.quantity(is_out))'
    who = names(is_out & strcmp (d.quantity, q{1}))';
    if (isempty (only))
      text = sprintf ("%s%s of ", text, q{1});
    endif
    text = sprintf ("%s%s; ", text, strjoin (who, ", "));
  endfor
  if (! isempty (text))
    text = sprintf (["No bar (%d), as one of the two is 0 or has no finite " ...
                     "answer: %s"], nnz (is_out), text(1:end-2));
  endif
endfunction
