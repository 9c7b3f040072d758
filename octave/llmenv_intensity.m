## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{AI} =} llmenv_intensity (@var{model}, @var{B}, @var{L})
## @deftypefnx {} {@var{AI} =} llmenv_intensity (@dots{}, @var{options})
## @deftypefnx {} {[@var{AI}, @var{info}] =} llmenv_intensity (@dots{})
## Arithmetic intensity of a decode step: FLOP per byte moved, for @var{B}
## sequences at @var{L} tokens.
##
## @example
## @group
## published:  AI = (2P B + g k L B)/(W + k L B)
## layered:    AI = B (2P + A(L))/(W(B) + B T(L))
## @end group
## @end example
##
## @noindent
## With P the parameters active per token, @var{W}(B) the weight bytes that a
## step of B sequences streams (@code{llmenv_weight_bytes}), @var{T}(L) the
## bytes a step reads per sequence, @var{A}(L) the attention FLOP per token, k
## the KV bytes one token adds and g query heads per KV head. A step with an
## intensity under the ridge of its card is bound by memory.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item B
## sequences in the batch, 0 or more
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Basis, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk. @code{help llmenv_options} explains every option.
## @item AI
## FLOP/byte; 0 at B = 0; @code{NaN} where the record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{AI})
## @end table
##
## @var{B} and @var{L} broadcast: a row of @var{B} against a column of @var{L}
## gives a grid. A cell of models adds a dimension, the first in which that size
## is 1. Empty input gives empty output; integers and singles are converted, the
## result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badSize} (sizes that do not broadcast), @code{llmenv:badValue}
## (a negative element; NaN gives NaN), @code{llmenv:badFile} (a mix that cannot
## be read), @code{llmenv:badOption}, @code{llmenv:unknownModel},
## @code{llmenv:badRecord} (a struct that contradicts itself).
##
## Source: document 003, section 1.2 (b).
##
## @example
## @group
## llmenv_intensity ("llama-3-1-8b", [1, 64], [1024; 8192])
## @result{} ans =
##
##     1.0266   42.1610
##     1.2003   14.7560
## @end group
## @end example
## @seealso{llmenv_ceiling, llmenv_ridge, llmenv_b_star, llmenv_throughput, llmenv_options}
## @end deftypefn

function varargout = llmenv_intensity (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("intensity", 3, varargin{:});
endfunction

## By hand, both conventions.
%!assert (llmenv_intensity ("llama-3-1-8b", 64, 8192, "Convention",
%!                          "published"),
%!        64 * (16.06e9 + 4 * 2^30) / (16.06e9 + 64 * 2^30), -4 * eps)
%!assert (llmenv_intensity ("llama-3-1-8b", 64, 8192),
%!        64 * (2 * 7504924672 + 4 * 2^30) / (2 * 7504924672 + 64 * 2^30),
%!        -4 * eps)

## Equal inputs: both conventions agree for a dense full-attention model.
%!test
%! m = "deepseek-r1-distill-llama-8b";
%! B = [1, 7, 300];
%! L = [1; 500; 1e5];
%! assert (llmenv_intensity (m, B, L, "Embedding", "streamed"),
%!         llmenv_intensity (m, B, L, "Convention", "published"), -1e-9);

## It rises in B and stays under the ceiling.
%!test
%! for m = {"llama-3-1-8b", "deepseek-v3", "nemotron-h-8b-base-8k"}
%!   AI = llmenv_intensity (m{1}, 2 .^ (0:16), 4096);
%!   assert (all (diff (AI) > 0));
%!   assert (AI(end) < llmenv_ceiling (m{1}, 4096));
%! endfor
%!assert (llmenv_intensity ("llama-3-1-8b", 0, 8192), 0)
%!assert (llmenv_intensity ("llama-3-1-8b", 1, Inf), 4)
%!assert (llmenv_intensity ("o3", 1, 8192), NaN)

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_intensity (llama, NaN, 8192), NaN)
%!assert (llmenv_intensity (llama, 2, NaN), NaN)
%!test
%! v = llmenv_intensity (llama, 2, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_intensity (llama, 2, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_intensity (llama, 2, true),
%!        llmenv_intensity (llama, 2, 1))
%!assert (llmenv_intensity ("Llama 3.1 8B", 2, 8192),
%!        llmenv_intensity (llama, 2, 8192))
%!assert (llmenv_intensity (llmenv_model ("llama-3-1-8b"), 2, 8192),
%!        llmenv_intensity (llama, 2, 8192))
%!test
%! v = llmenv_intensity (llama, 2, 8192, "Convention", "published");
%! assert (llmenv_intensity (llama, 2, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_intensity (llama, 2, 8192, struct ("convention",
%!        "published")), v);
%!test
%! [v, info] = llmenv_intensity (llama, 2, 8192);
%! assert (info.unit, "FLOP/byte");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_intensity ()
%!error id=llmenv:badCall  llmenv_intensity (llama)
%!error id=llmenv:badCall  llmenv_intensity (llama, 2, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_intensity (llama, 2, 8192);
%!error <^llmenv_intensity: options are pairs>
%! llmenv_intensity (llama, 2, 8192, "Basis")
%!error id=llmenv:badType  llmenv_intensity (llama, "text", 8192)
%!error id=llmenv:badType  llmenv_intensity (llama, 1 + 2i, 8192)
%!error id=llmenv:badType  llmenv_intensity (llama, sparse (1), 8192)
%!error id=llmenv:badValue llmenv_intensity (llama, -1, 8192)
%!error <B: element 2 is -1, expected 0 or more>
%! llmenv_intensity (llama, [1, -1], 8192)
%!error id=llmenv:badType  llmenv_intensity (llama, 2, "/nowhere")
%!error id=llmenv:badFile  llmenv_intensity (llama, 2, "/dev/null")
%!error id=llmenv:badType  llmenv_intensity (llama, 2, struct ())
%!error id=llmenv:badType  llmenv_intensity (llama, 2, {1})
%!error id=llmenv:badType  llmenv_intensity (llama, 2, 1 + 2i)
%!error id=llmenv:badType  llmenv_intensity (llama, 2, sparse (1))
%!error id=llmenv:badValue llmenv_intensity (llama, 2, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_intensity (llama, 2, [1, -1])
%!error id=llmenv:badType  llmenv_intensity (1, 2, 8192)
%!error id=llmenv:badType  llmenv_intensity ({llama, 1}, 2, 8192)
%!error id=llmenv:unknownModel llmenv_intensity ("lama-3-1-8b", 2, 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_intensity ("lama-3-1-8b", 2, 8192);
%!error id=llmenv:badSize  llmenv_intensity (llama, [1, 2], [1, 2, 3])
%!error id=llmenv:badOption llmenv_intensity (llama, 2, 8192, "Bassis",
%!        "active")
%!error <nearest: .*Basis>
%! llmenv_intensity (llama, 2, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_intensity (llama, 2, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_intensity (llama, 2, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_intensity (llama, 2, 8192, struct ("a",
%!        {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_intensity (m, 2, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_intensity (m, 2, 8192);

%!demo
%! ## A grid: contexts down, batches across.
%! AI = llmenv_intensity ("llama-3-1-8b", [1, 16, 256], [512; 4096; 32768])
