## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{L} =} llmenv_n_cross (@var{model})
## @deftypefnx {} {@var{L} =} llmenv_n_cross (@dots{}, @var{options})
## @deftypefnx {} {[@var{L}, @var{info}] =} llmenv_n_cross (@dots{})
## At which context does one sequence read as many KV bytes as weight bytes?
##
## @example
## @group
## published:  L = W/k
## layered:    the L with T(L) = W(1)
## @end group
## @end example
##
## @noindent
## With @var{W}(B) the weight bytes that a step of B sequences streams
## (@code{llmenv_weight_bytes}), @var{T}(L) the bytes a step reads per sequence
## and k the KV bytes one token adds. Past it a batch of one spends more on its
## cache than on the model.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Basis, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk. @code{help llmenv_options} explains every option.
## @item L
## tokens (not rounded); @code{Inf} (@qcode{"unbounded"}) where the read
## saturates below the weights; @code{NaN} where the record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{L})
## @end table
##
## A cell array gives a column, one element each. Empty input gives empty
## output; integers and singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not a record), @code{llmenv:badOption},
## @code{llmenv:unknownModel}, @code{llmenv:badRecord} (a struct that
## contradicts itself).
##
## Source: document 000, the third of its lengths.
##
## @example
## @group
## llmenv_n_cross ("llama-3-1-8b")
## @result{} ans = 1.1452e+05
## @end group
## @end example
## @seealso{llmenv_n_star, llmenv_b_eq, llmenv_kv_bytes, llmenv_options}
## @end deftypefn

function varargout = llmenv_n_cross (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("n_cross", 1, varargin{:});
endfunction

## W/k: document 000's 8B at 4.9e9 bytes, document 003's B_eq at L = 1.
%!assert (llmenv_n_cross ("llama-3-1-8b", "WeightBytes", 4.9e9, "Convention",
%!                        "published"), 4.9e9 / 131072, -2 * eps)
%!assert (floor (llmenv_n_cross ({"llama-3-1-8b", "deepseek-v3"}, "Convention",
%!                               "published")), [122528; 1053051])

## Layered: 2 x 7,504,924,672 bytes over 131,072 a token.
%!assert (llmenv_n_cross ("llama-3-1-8b"), 2 * 7504924672 / 131072, -eps)

## Where one sequence's cache is the weights (T = K without a state).
%!test
%! for m = {"deepseek-v3", "gpt-oss-120b", "gemma-3-27b"}
%!   assert (llmenv_kv_bytes (m{1}, llmenv_n_cross (m{1})),
%!           llmenv_weight_bytes (m{1}, 1), -1e-12);
%! endfor
%!test
%! [L, info] = llmenv_n_cross ({"mamba-codestral-7b", "o3"});
%! assert (L, [Inf; NaN]);
%! assert (info.reason, {"unbounded"; "no record"});

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_n_cross ("Llama 3.1 8B"),
%!        llmenv_n_cross (llama))
%!assert (llmenv_n_cross (llmenv_model ("llama-3-1-8b")),
%!        llmenv_n_cross (llama))
%!test
%! v = llmenv_n_cross (llama, "Convention", "published");
%! assert (llmenv_n_cross (llama, "CONVENTION", "Published"), v);
%! assert (llmenv_n_cross (llama, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_n_cross (llama);
%! assert (info.unit, "tokens");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_n_cross ()
%!error id=llmenv:badCall  llmenv_n_cross (llama, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_n_cross (llama);
%!error <^llmenv_n_cross: options are pairs>
%! llmenv_n_cross (llama, "Basis")
%!error id=llmenv:badType  llmenv_n_cross (1)
%!error id=llmenv:badType  llmenv_n_cross ({llama, 1})
%!error id=llmenv:unknownModel llmenv_n_cross ("lama-3-1-8b")
%!error <nearest: .*llama-3-1-8b>
%! llmenv_n_cross ("lama-3-1-8b");
%!error id=llmenv:badOption llmenv_n_cross (llama, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_n_cross (llama, "Bassis", "active");
%!error id=llmenv:badOption llmenv_n_cross (llama, "Basis", "some")
%!error id=llmenv:badOption llmenv_n_cross (llama, "Count", 1.5)
%!error id=llmenv:badOption llmenv_n_cross (llama, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_n_cross (m);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_n_cross (m);

%!demo
%! ## Where one sequence's cache outweighs the model.
%! m = {"phi-3-5-mini-instruct"; "llama-3-1-8b"; "deepseek-v3"};
%! L = llmenv_n_cross (m);
%! printf ("%-21s %8.0f tokens\n", [m, num2cell(L)]'{:});
