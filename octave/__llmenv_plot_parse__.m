## SPDX-License-Identifier: GPL-3.0-or-later

## [DRAW, ARGS, OWN, PAIRS] = __llmenv_plot_parse__ (KIND, ARG, ...): what draws
## the KIND, its arguments, the options of every picture (File, Title, Caption)
## and the other options.

function [draw, args, own, pairs] = __llmenv_plot_parse__ (kind, varargin)
  kinds = {"roofline",  "MODELS, CARD"
           "batch",     "MODEL, CARDS"
           "context",   "MODELS, CARDS"
           "ranking",   "QUANTITY, CARD or MODEL"
           "n_star",    "MODELS"
           "kv_type",   "MODEL, CARD"
           "heat_map",  "MODEL, CARD"
           "sweep",     "X, Y"
           "tornado",   "NAMES, VALUES"
           "mix",       "MODEL, CARD"
           "errors",    "QUANTITY"};
  if (! ischar (kind))
    error ("llmenv:badType", "KIND must be text: %s",
           strjoin (kinds(:,1)', ", "));
  endif
  name = regexprep (lower (strtrim (kind)), '[ -]', "_");
  at = find (strcmp (kinds(:,1), name));
  if (isempty (at))
    error ("llmenv:badOption", "no kind '%s'; nearest: %s; kinds: %s",
           regexprep (kind(:)', '[^ -~]', "?"),
           nearest (name, kinds(:,1)), strjoin (kinds(:,1)', ", "));
  endif
  draw = ["__llmenv_plot_" name "__"];
  n = 1 + any (kinds{at,2} == ",");
  is_short = (any (strcmp (name, {"ranking", "errors"}))
              && has_no_target (varargin{n:end}));
  if (numel (varargin) < n - is_short)
    error ("llmenv:badCall",
           "usage: llmenv_plot (\"%s\", %s, OPTION, VALUE, ...)", name,
           kinds{at,2});
  endif
  n -= is_short;
  args = [varargin(1:n), repmat({[]}, 1, is_short)];
  pairs = __llmenv_pairs__ (varargin{n+1:end});
  own = struct ();
  for option = {"File", "Title", "Caption"}
    [own.(option{1}), pairs] = __llmenv_take__ (pairs, option{1}, "");
    if (! ischar (own.(option{1})))
      error ("llmenv:badOption", "option %s must be text", option{1});
    endif
  endfor
  [~, ~, ending] = fileparts (own.File);
  if (! isempty (own.File)
      && ! any (strcmpi (ending, {".png", ".svg", ".pdf"})))
    error ("llmenv:badOption",
           "option File: '%s' must end in .png, .svg or .pdf", own.File);
  endif
endfunction

## The last argument may be left out: options come in pairs, or as a struct that
## is no record.
function is_so = has_no_target (varargin)
  is_options = @(a) isstruct (a) && ! isfield (a, "id");
  varargin(cellfun (is_options, varargin)) = [];
  is_so = mod (numel (varargin), 2) == 0;
endfunction

## By the fewest letters changed, put in or left out.
function name = nearest (word, names)
  [~, at] = min (cellfun (@(n) changes (word, n), names));
  name = names{at};
endfunction

function n = changes (a, b)
  row = 0:numel (b);
  for i = 1:numel (a)
    last = row;
    row(1) = i;
    for j = 1:numel (b)
      row(j+1) = min ([last(j) + (a(i) != b(j)), last(j+1) + 1, row(j) + 1]);
    endfor
  endfor
  n = row(end);
endfunction
