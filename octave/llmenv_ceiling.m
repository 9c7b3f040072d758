## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} llmenv_ceiling (@var{model}, @var{L})
## @deftypefnx {} {@var{C} =} llmenv_ceiling (@dots{}, @var{options})
## @deftypefnx {} {[@var{C}, @var{info}] =} llmenv_ceiling (@dots{})
## Which arithmetic intensity can no decode step at @var{L} tokens exceed, at
## any batch?
##
## @example
## @group
## published:  C = 2P/(k L) + g
## layered:    C(L) = (2P + A(L))/T(L)
## @end group
## @end example
##
## @noindent
## With P the parameters active per token, @var{T}(L) the bytes a step reads per
## sequence, @var{A}(L) the attention FLOP per token, k the KV bytes one token
## adds and g query heads per KV head. It is the limit of
## @code{llmenv_intensity} at an infinite batch, where the weights cost nothing.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Embedding, KVType, KType, VType, StateType, Chunk. @code{help
## llmenv_options} explains every option.
## @item C
## FLOP/byte; @code{Inf} (@qcode{"unbounded"}) where nothing is read per
## sequence; @code{NaN} where the record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{C})
## @end table
##
## The result has the size of @var{L}. A cell of models adds a dimension, the
## first in which that size is 1. Empty input gives empty output; integers and
## singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badValue} (a negative element; NaN gives NaN),
## @code{llmenv:badFile} (a mix that cannot be read), @code{llmenv:badOption},
## @code{llmenv:unknownModel}, @code{llmenv:badRecord} (a struct that
## contradicts itself).
##
## Source: document 003, section 4.2 (the columns of its ceilings).
##
## @example
## @group
## llmenv_ceiling ("llama-3-1-8b", [1024, 8192, 32768])
## @result{} ans =
##
##    115.8321    17.9790     7.4948
## @end group
## @end example
## @seealso{llmenv_intensity, llmenv_l_wall, llmenv_ridge, llmenv_options}
## @end deftypefn

function varargout = llmenv_ceiling (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("ceiling", 2, varargin{:});
endfunction

## Document 003's ranking: ceilings at 8k, 32k and 128k (one decimal).
%!test
%! m = {"smollm2-1-7b-instruct", "gemma-2-9b", "qwen3-30b-a3b", "gemma-3-27b"};
%! C = llmenv_ceiling (m, [8192, 32768, 131072], "Convention", "published");
%! assert (C, [3.1, 1.5, 1.1; 8.6, 3.6, 2.4; 16.2, 10.0, 8.5; ...
%!             15.2, 5.3, 2.8], 0.0501);
%!assert (llmenv_ceiling ("llama-3-1-8b", 8192, "Convention", "published"),
%!        16.06e9 / 2^30 + 4, -eps)

## Layered: 2 x 7,504,924,672 FLOP and 524,288 of attention a token.
%!assert (llmenv_ceiling ("llama-3-1-8b", 8192),
%!        2 * 7504924672 / 2^30 + 4, -eps)

## The limit of the intensity; without context and without bound.
%!assert (llmenv_intensity ("deepseek-v3", Inf, 8192),
%!        llmenv_ceiling ("deepseek-v3", 8192), -1e-14)
%!assert (llmenv_ceiling ("llama-3-1-8b", Inf), 4)
%!test
%! [C, info] = llmenv_ceiling ("llama-3-1-8b", 0);
%! assert (C, Inf);
%! assert (info.reason, "unbounded");
%!assert (llmenv_ceiling ("o3", 8192), NaN)

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_ceiling (llama, NaN), NaN)
%!test
%! v = llmenv_ceiling (llama, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_ceiling (llama, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_ceiling (llama, true),
%!        llmenv_ceiling (llama, 1))
%!assert (llmenv_ceiling ("Llama 3.1 8B", 8192),
%!        llmenv_ceiling (llama, 8192))
%!assert (llmenv_ceiling (llmenv_model ("llama-3-1-8b"), 8192),
%!        llmenv_ceiling (llama, 8192))
%!test
%! v = llmenv_ceiling (llama, 8192, "Convention", "published");
%! assert (llmenv_ceiling (llama, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_ceiling (llama, 8192, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_ceiling (llama, 8192);
%! assert (info.unit, "FLOP/byte");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_ceiling ()
%!error id=llmenv:badCall  llmenv_ceiling (llama)
%!error id=llmenv:badCall  llmenv_ceiling (llama, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_ceiling (llama, 8192);
%!error <^llmenv_ceiling: options are pairs>
%! llmenv_ceiling (llama, 8192, "Basis")
%!error id=llmenv:badType  llmenv_ceiling (llama, "/nowhere")
%!error id=llmenv:badFile  llmenv_ceiling (llama, "/dev/null")
%!error id=llmenv:badType  llmenv_ceiling (llama, struct ())
%!error id=llmenv:badType  llmenv_ceiling (llama, {1})
%!error id=llmenv:badType  llmenv_ceiling (llama, 1 + 2i)
%!error id=llmenv:badType  llmenv_ceiling (llama, sparse (1))
%!error id=llmenv:badValue llmenv_ceiling (llama, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_ceiling (llama, [1, -1])
%!error id=llmenv:badType  llmenv_ceiling (1, 8192)
%!error id=llmenv:badType  llmenv_ceiling ({llama, 1}, 8192)
%!error id=llmenv:unknownModel llmenv_ceiling ("lama-3-1-8b", 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_ceiling ("lama-3-1-8b", 8192);
%!error id=llmenv:badOption llmenv_ceiling (llama, 8192, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_ceiling (llama, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_ceiling (llama, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_ceiling (llama, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_ceiling (llama, 8192, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_ceiling (m, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_ceiling (m, 8192);

%!demo
%! ## Ceilings against the ridge of an H100, 8k tokens.
%! m = {"llama-3-1-8b"; "deepseek-v3"; "gpt-oss-120b"};
%! C = llmenv_ceiling (m, 8192);
%! share = 100 * C / llmenv_ridge ("nvidia-h100-sxm");
%! printf ("%-14s %6.1f FLOP/byte, %5.1f %% of the ridge\n",
%!         [m, num2cell([C, share])]'{:});
