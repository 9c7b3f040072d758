## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{t}, @var{n}] =} llmenv_audit ()
## @deftypefnx {} {[@var{t}, @var{n}] =} llmenv_audit (@var{model})
## @deftypefnx {} {[@var{t}, @var{n}] =} llmenv_audit (@dots{}, @var{options})
## @deftypefnx {} {} llmenv_audit (@dots{})
## Which derived fields do not match what they are derived from?
##
## The KV bytes of a token, ratio of heads, caching layers, state, parameters,
## active parameters and FLOPs of a record are computed again from its layers,
## its weights and its own counts. @var{model} is an id, a name, a path (files of
## a model, a record, or a folder of records), a struct, which may contradict
## itself, or a cell of these; without it, or as @qcode{""}, every record is
## audited.
##
## @var{t} has the shape that @code{llmenv_table} describes, with a row for each
## field that does not match: @code{id}, @code{field}, @code{recorded},
## @code{derived}, @code{ratio} (recorded over derived), @code{cause}, a mistake
## that gives the recorded value, @code{explained}, how the record itself accounts
## for it, and @code{corrected}, the right value that a correction holds. Parameter
## counts that are only rounded have no row. @var{n} counts the rows that are not
## explained. With no output the table is printed.
##
## @var{options} are name, value pairs in any case or a struct. Under
## @code{Convention} @qcode{"layered"} (default) right values are audited, under
## @qcode{"published"} those of the documents and of earlier records.
##
## Errors: @code{llmenv:unknownModel}, @code{llmenv:badFile},
## @code{llmenv:badRecord}, @code{llmenv:badType}, @code{llmenv:badOption},
## @code{llmenv:badCall}.
##
## Source: document 003 sections 1.3, 2 and 7.
##
## @example
## @group
## t = llmenv_audit ("phi-3-mini-4k-instruct", "Convention", "published");
## t.data.ratio
## @result{} ans = 0.062500
## @end group
## @end example
## @seealso{llmenv_import, llmenv_model, llmenv_table}
## @end deftypefn

function [t, n] = llmenv_audit (varargin)
  model = "";
  if (mod (numel (varargin), 2) == 1 && ! is_options (varargin{1}))
    model = varargin{1};
    varargin(1) = [];
  elseif (numel (varargin) > 0 && (iscell (varargin{1}) || isempty (varargin{1})
                                   || (isstruct (varargin{1})
                                       && ! is_options (varargin{1}))))
    model = varargin{1};
    varargin(1) = [];
  endif
  [table, text, count] = __llmenv_gate__ ("llmenv_audit", "__llmenv_table__", 3,
                                          "audit", model, false, varargin{:});
  if (nargout == 0)
    puts (text);
  else
    t = table;
    n = count;
  endif
endfunction

## A struct without an id holds options.
function yes = is_options (a)
  yes = isstruct (a) && isscalar (a) && ! isfield (a, "id");
endfunction

## Ours: every finding is explained by its record.
%!test
%! [t, n] = llmenv_audit ();
%! assert (n, 0);
%! assert (t.columns, {"id", "field", "recorded", "derived", "ratio", ...
%!                     "cause", "explained", "corrected"});
%! assert (! any (cellfun ("isempty", t.data.explained)));

## What documents and earlier records hold: the three product errors, Gemma 4.
%!test
%! [t, n] = llmenv_audit ("Convention", "published");
%! assert (n > 10);
%! want = {"phi-3-mini-4k-instruct", 1/16; "phi-3-5-mini-instruct", 1/16
%!         "gte-qwen2-1-5b-instruct", 1/2; "gemma-4-26b-a4b", 1/2
%!         "gemma-4-31b", 1/2; "gemma-3n-e2b", 3/2};
%! for k = 1:rows (want)
%!   at = strcmp (t.data.id, want{k,1}) ...
%!        & strcmp (t.data.field, "kv_cache_bytes_per_token");
%!   assert (nnz (at), 1);
%!   assert (t.data.ratio(at), want{k,2});
%! endfor

## One's own, which contradicts itself; several; options as a struct.
%!test
%! m = llmenv_model ("llama-3-1-8b");
%! assert (nthargout (2, @llmenv_audit, m), 0);
%! m.kv_cache_bytes_per_token *= 4;
%! [t, n] = llmenv_audit (m);
%! assert (n, 1);
%! assert (t.data.derived, 131072);
%! assert (! isempty (strfind (t.data.cause{1}, "query heads")));
%! [t, n] = llmenv_audit ({m, "phi-3-mini-4k-instruct"}, ...
%!                        struct ("Convention", "published"));
%! assert (n, 2);
%! assert (nthargout (2, @llmenv_audit, "llama-3-1-8b", "Convention", "layered"), 0);
%! text = evalc ("llmenv_audit (m)");
%! assert (! isempty (strfind (text, "not explained")));

%!error id=llmenv:unknownModel llmenv_audit ("lama-9")
%!error id=llmenv:badFile   llmenv_audit ("/dev/null")
%!error <no such file>      llmenv_audit ("./nowhere/at/all.json")
%!error id=llmenv:badType   llmenv_audit (1)
%!error id=llmenv:badType   llmenv_audit ({1})
%!error id=llmenv:badRecord llmenv_audit (struct ("id", "x", "layers", struct ("count", 2)))
%!error id=llmenv:badOption llmenv_audit ("llama-3-1-8b", "Colour", 1)
%!error id=llmenv:badOption llmenv_audit ("Colour", 1)

%!demo
%! ## What earlier records got wrong.
%! t = llmenv_audit ("phi-3-mini-4k-instruct", "Convention", "published");
%! printf ("%s: %s\n", t.data.field{1}, t.data.cause{1});
