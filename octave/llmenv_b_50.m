## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{B} =} llmenv_b_50 (@var{model}, @var{L})
## @deftypefnx {} {@var{B} =} llmenv_b_50 (@dots{}, @var{options})
## @deftypefnx {} {[@var{B}, @var{info}] =} llmenv_b_50 (@dots{})
## At which batch does the memory-bound throughput reach half of what an
## infinite batch would give?
##
## @example
## @group
## published:  B = W/(k L)
## layered:    llmenv_b_eq
## @end group
## @end example
##
## @noindent
## With @var{W}(B) the weight bytes that a step of B sequences streams
## (@code{llmenv_weight_bytes}) and k the KV bytes one token adds. It holds no
## FLOP/s and no bandwidth: the card does not matter. Document 000 calls it the
## point where the marginal gain halves; that is @code{llmenv_b_knee}.
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
## Convention, Basis, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk. @code{help llmenv_options} explains every option.
## @item B
## sequences (not rounded); @code{Inf} (@qcode{"none"}) where nothing is read
## per sequence; @code{NaN} where the record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{B})
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
## Source: document 000, its b_50.
##
## @example
## @group
## opt = @{"WeightBytes", 4.9e9, "Convention", "published"@};
## llmenv_b_50 ("llama-3-1-8b", [4096, 32768], opt@{:@})
## @result{} ans =
##
##    9.1270   1.1409
## @end group
## @end example
## @seealso{llmenv_b_knee, llmenv_b_eq, llmenv_throughput, llmenv_capacity, llmenv_options}
## @end deftypefn

function varargout = llmenv_b_50 (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("b_50", 2, varargin{:});
endfunction

## Document 000: 9.1 and 1.1 of an 8B, 18.5 of a 32B.
%!test
%! B = llmenv_b_50 ("llama-3-1-8b", [4096, 32768], "WeightBytes", 4.9e9,
%!                  "Convention", "published");
%! assert (round (10 * B) / 10, [9.1, 1.1]);
%!assert (round (10 * llmenv_b_50 ("deepseek-r1-distill-qwen-32b", 4096,
%!                                 "WeightBytes", 19.9e9, "Convention",
%!                                 "published")) / 10, 18.5)

## The same number as b_eq; half of the asymptote bandwidth/T.
%!assert (llmenv_b_50 ({"deepseek-v3", "gemma-3-27b"}, [64, 8192]),
%!        llmenv_b_eq ({"deepseek-v3", "gemma-3-27b"}, [64, 8192]))
%!test
%! B = llmenv_b_50 ("llama-3-1-8b", 8192);
%! assert (llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", B, 8192),
%!         3.35e12 / 2^30 / 2, -1e-14);
%!test
%! [B, info] = llmenv_b_50 ("llama-3-1-8b", 0);
%! assert (B, Inf);
%! assert (info.reason, "none");
%!assert (llmenv_b_50 ("llama-3-1-8b", Inf), 0)

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_b_50 (llama, NaN), NaN)
%!test
%! v = llmenv_b_50 (llama, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_b_50 (llama, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_b_50 (llama, true),
%!        llmenv_b_50 (llama, 1))
%!assert (llmenv_b_50 ("Llama 3.1 8B", 8192),
%!        llmenv_b_50 (llama, 8192))
%!assert (llmenv_b_50 (llmenv_model ("llama-3-1-8b"), 8192),
%!        llmenv_b_50 (llama, 8192))
%!test
%! v = llmenv_b_50 (llama, 8192, "Convention", "published");
%! assert (llmenv_b_50 (llama, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_b_50 (llama, 8192, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_b_50 (llama, 8192);
%! assert (info.unit, "sequences");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_b_50 ()
%!error id=llmenv:badCall  llmenv_b_50 (llama)
%!error id=llmenv:badCall  llmenv_b_50 (llama, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_b_50 (llama, 8192);
%!error <^llmenv_b_50: options are pairs>
%! llmenv_b_50 (llama, 8192, "Basis")
%!error id=llmenv:badType  llmenv_b_50 (llama, "/nowhere")
%!error id=llmenv:badFile  llmenv_b_50 (llama, "/dev/null")
%!error id=llmenv:badType  llmenv_b_50 (llama, struct ())
%!error id=llmenv:badType  llmenv_b_50 (llama, {1})
%!error id=llmenv:badType  llmenv_b_50 (llama, 1 + 2i)
%!error id=llmenv:badType  llmenv_b_50 (llama, sparse (1))
%!error id=llmenv:badValue llmenv_b_50 (llama, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_b_50 (llama, [1, -1])
%!error id=llmenv:badType  llmenv_b_50 (1, 8192)
%!error id=llmenv:badType  llmenv_b_50 ({llama, 1}, 8192)
%!error id=llmenv:unknownModel llmenv_b_50 ("lama-3-1-8b", 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_b_50 ("lama-3-1-8b", 8192);
%!error id=llmenv:badOption llmenv_b_50 (llama, 8192, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_b_50 (llama, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_b_50 (llama, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_b_50 (llama, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_b_50 (llama, 8192, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_50 (m, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_50 (m, 8192);

%!demo
%! ## Does the card run out before added sequences stop paying?
%! L = [4096, 8192, 32768];
%! half = llmenv_b_50 ("llama-3-1-8b", L);
%! room = llmenv_capacity ("llama-3-1-8b", "nvidia-h100-sxm", L);
%! printf ("%5d tokens: half at batch %4.1f, room for %5.1f\n",
%!         [L; half; room]);
