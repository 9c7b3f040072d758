## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{B} =} llmenv_b_eq (@var{model}, @var{L})
## @deftypefnx {} {@var{B} =} llmenv_b_eq (@dots{}, @var{options})
## @deftypefnx {} {[@var{B}, @var{info}] =} llmenv_b_eq (@dots{})
## At which batch does a decode step read as many KV bytes as weight bytes?
##
## @example
## @group
## published:  B = W/(k L)
## layered:    the B with B T(L) = W(B)
## @end group
## @end example
##
## @noindent
## With @var{W}(B) the weight bytes that a step of B sequences streams
## (@code{llmenv_weight_bytes}), @var{T}(L) the bytes a step reads per sequence
## and k the KV bytes one token adds. Document 003 prints it at L = 1.
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
## per sequence; @code{NaN} where the record is silent. @code{llmenv_b_50} is
## the same number seen from throughput.
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
## Source: document 003, section 1.2 (a); section 4.3 for the resident basis.
##
## @example
## @group
## floor (llmenv_b_eq ("llama-3-1-8b", 1, "Convention", "published"))
## @result{} ans = 122528
## @end group
## @group
## llmenv_b_eq ("llama-3-1-8b", 8192)
## @result{} ans = 13.979
## @end group
## @end example
## @seealso{llmenv_b_50, llmenv_b_knee, llmenv_b_star, llmenv_n_cross, llmenv_options}
## @end deftypefn

function varargout = llmenv_b_eq (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("b_eq", 2, varargin{:});
endfunction

## Document 003: ranked, and on the resident basis (floors).
%!test
%! m = {"smollm2-1-7b-instruct", "llama-3-1-8b", "deepseek-v3", "kimi-k2"};
%! B = floor (llmenv_b_eq (m, 1, "Convention", "published"));
%! assert (B, [17405; 122528; 1053051; 910746]);
%!assert (floor (llmenv_b_eq ({"gpt-oss-120b", "qwen3-235b-a22b"}, 1,
%!                            "Convention", "published", "Basis", "resident")),
%!        [3168402; 2441406])

## Layered: 2 x 7,504,924,672 bytes over 131,072 a token.
%!assert (llmenv_b_eq ("llama-3-1-8b", 8192), 2 * 7504924672 / 2^30, -eps)

## The root of B T(L) = W(B) when experts are touched; T = K without a state.
%!test
%! L = [128, 8192, 131072];
%! B = llmenv_b_eq ("deepseek-v3", L);
%! assert (B .* llmenv_kv_bytes ("deepseek-v3", L),
%!         llmenv_weight_bytes ("deepseek-v3", B), -1e-12);

## It scales as 1/L where the cache does.
%!assert (llmenv_b_eq ("llama-3-1-8b", 1024),
%!        8 * llmenv_b_eq ("llama-3-1-8b", 8192))
%!assert (llmenv_b_eq ("llama-3-1-8b", Inf), 0)
%!test
%! [B, info] = llmenv_b_eq ("llama-3-1-8b", 0);
%! assert (B, Inf);
%! assert (info.reason, "none");
%!assert (llmenv_b_eq ("grok-1", 1, "Convention", "published"), NaN)

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_b_eq (llama, NaN), NaN)
%!test
%! v = llmenv_b_eq (llama, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_b_eq (llama, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_b_eq (llama, true),
%!        llmenv_b_eq (llama, 1))
%!assert (llmenv_b_eq ("Llama 3.1 8B", 8192),
%!        llmenv_b_eq (llama, 8192))
%!assert (llmenv_b_eq (llmenv_model ("llama-3-1-8b"), 8192),
%!        llmenv_b_eq (llama, 8192))
%!test
%! v = llmenv_b_eq (llama, 8192, "Convention", "published");
%! assert (llmenv_b_eq (llama, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_b_eq (llama, 8192, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_b_eq (llama, 8192);
%! assert (info.unit, "sequences");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_b_eq ()
%!error id=llmenv:badCall  llmenv_b_eq (llama)
%!error id=llmenv:badCall  llmenv_b_eq (llama, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_b_eq (llama, 8192);
%!error <^llmenv_b_eq: options are pairs>
%! llmenv_b_eq (llama, 8192, "Basis")
%!error id=llmenv:badType  llmenv_b_eq (llama, "/nowhere")
%!error id=llmenv:badFile  llmenv_b_eq (llama, "/dev/null")
%!error id=llmenv:badType  llmenv_b_eq (llama, struct ())
%!error id=llmenv:badType  llmenv_b_eq (llama, {1})
%!error id=llmenv:badType  llmenv_b_eq (llama, 1 + 2i)
%!error id=llmenv:badType  llmenv_b_eq (llama, sparse (1))
%!error id=llmenv:badValue llmenv_b_eq (llama, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_b_eq (llama, [1, -1])
%!error id=llmenv:badType  llmenv_b_eq (1, 8192)
%!error id=llmenv:badType  llmenv_b_eq ({llama, 1}, 8192)
%!error id=llmenv:unknownModel llmenv_b_eq ("lama-3-1-8b", 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_b_eq ("lama-3-1-8b", 8192);
%!error id=llmenv:badOption llmenv_b_eq (llama, 8192, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_b_eq (llama, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_b_eq (llama, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_b_eq (llama, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_b_eq (llama, 8192, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_eq (m, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_eq (m, 8192);

%!demo
%! ## How soon the cache outweighs the weights.
%! L = [1024, 8192, 32768, 131072];
%! B = llmenv_b_eq ("llama-3-1-8b", L);
%! printf ("%6d tokens: KV bytes pass weight bytes at batch %.1f\n", [L; B]);
