## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} llmenv_rank (@var{quantity})
## @deftypefnx {} {@var{t} =} llmenv_rank (@var{quantity}, @var{options})
## @deftypefnx {} {} llmenv_rank (@dots{})
## Which models, or cards, are best and worst by a quantity?
##
## @var{quantity} is the name of a quantity without its prefix, such as
## @qcode{"l_wall"}; @code{llmenv_table ("quantities")} lists them with formula
## and unit. Models are ranked; cards are when the quantity is theirs alone
## (@qcode{"ridge"}), or takes a card and the option @code{Model} is given.
## Card, context (or @code{Contexts}, a mix) and batch are the options of those
## names; for its bytes @qcode{"kv_context"} takes the memory of the card.
##
## @var{t} has the shape that @code{llmenv_table} describes, with columns
## @code{rank}, @code{id}, @code{value} and @code{reason}: the smallest first,
## rows without a value last. With no output it is printed.
##
## @var{options} are name, value pairs in any case or a struct; see
## @code{help llmenv_options}. Besides those, @code{Direction},
## @qcode{"ascending"} (default) or @qcode{"descending"}.
##
## Errors: @code{llmenv:badOption} (an unknown quantity with the nearest names,
## an unknown option), @code{llmenv:badCall}, @code{llmenv:badType}
## (@var{quantity} is no text), @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}.
##
## Source: document 003 ranks by B_eq (its section 4.1), the wall (4.2) and KV
## bytes (5 and 6).
##
## @example
## @group
## t = llmenv_rank ("l_wall", "Convention", "published");
## t.data.id@{1@}
## @result{} ans = smollm2-1-7b-instruct
## @end group
## @group
## t.data.value(1)
## @result{} ans = 59.126
## @end group
## @end example
## @seealso{llmenv_table, llmenv_show, llmenv_options}
## @end deftypefn

function t = llmenv_rank (quantity, varargin)
  if (nargin == 0)
    error ("llmenv:badCall",
           "llmenv_rank: usage: llmenv_rank (QUANTITY, OPTION, VALUE, ...)");
  endif
  flag = {"Direction", "ascending", {"ascending", "descending"}};
  [table, text] = __llmenv_table_call__ ("llmenv_rank", "rank", quantity, flag,
                                         varargin{:});
  if (nargout == 0)
    puts (text);
  else
    t = table;
  endif
endfunction

## Document 003's worst wall; the values are those of the quantity.
%!test
%! t = llmenv_rank ("l_wall", "Convention", "published");
%! assert (t.columns, {"rank", "id", "value", "reason"});
%! assert (t.units{3}, "tokens");
%! assert (t.data.id{1}, "smollm2-1-7b-instruct");
%! assert (floor (t.data.value(1)), 59);
%! assert (t.data.rank, (1:rows (t.data.id))');
%! assert (t.data.value, llmenv_l_wall (t.data.id, "nvidia-h100-sxm",
%!                                      "Convention", "published"));

## Sorted, each model once, rows without a value last, with the reason.
%!test
%! for q = {"b_star", "capacity", "kv_bytes", "throughput"}
%!   up = llmenv_rank (q{1}).data;
%!   down = llmenv_rank (q{1}, "Direction", "descending").data;
%!   assert (numel (unique (up.id)), numel (llmenv_models ()));
%!   k = isfinite (up.value);
%!   assert (all (diff (up.value(k)) >= 0));
%!   assert (all (diff (down.value(isfinite (down.value))) <= 0));
%!   assert (all (diff (k) <= 0));
%!   assert (all (cellfun ("isempty", up.reason(k)) | up.value(k) == 0));
%!   assert (! any (cellfun ("isempty", up.reason(! k))));
%!   assert (sort (up.id), sort (down.id));
%! endfor

## Cards: by their own quantity, or for a given model.
%!test
%! t = llmenv_rank ("ridge", "Convention", "published");
%! assert (sort (t.data.id), sort (llmenv_accelerators ()));
%! assert (t.data.value, llmenv_ridge (t.data.id, "Convention", "published"));
%!test
%! t = llmenv_rank ("fill", "Model", "llama-3-1-8b", "direction", "DESCENDING");
%! assert (t.data.value, llmenv_fill ("llama-3-1-8b", t.data.id));
%! t = llmenv_rank ("capacity", struct ("Context", 32768, "Batch", 4));
%! assert (t.data.value, llmenv_capacity (t.data.id, "nvidia-h100-sxm", 32768));

%!assert (! isempty (strfind (evalc ('llmenv_rank ("ridge")'), "nvidia-h20")))
%!error id=llmenv:badCall   llmenv_rank ()
%!error id=llmenv:badType   llmenv_rank (1)
%!error id=llmenv:badOption llmenv_rank ("lwal")
%!error <^llmenv_rank: no quantity 'l_wal'; nearest: l_wall>
%! llmenv_rank ("l_wal");
%!error id=llmenv:badOption llmenv_rank ("l_wall", "Direction", "up")
%!error <expected ascending or descending>
%! llmenv_rank ("l_wall", "Direction", "up");
%!error id=llmenv:badOption llmenv_rank ("l_wall", "Direction", true)
%!error id=llmenv:badCall   llmenv_rank ("l_wall", "Direction")
%!error id=llmenv:badOption llmenv_rank ("l_wall", "Colour", 1)
%!error id=llmenv:unknownCard llmenv_rank ("l_wall", "Card", "h1000")

%!demo
%! ## The five models that hold the most sequences of 32k on an H100.
%! t = llmenv_rank ("capacity", "Context", "32k", "Direction", "descending");
%! for k = 1:5
%!   printf ("%d  %-24s %8.1f\n", k, t.data.id{k}, t.data.value(k));
%! endfor
