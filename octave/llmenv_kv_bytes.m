## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{K} =} llmenv_kv_bytes (@var{model}, @var{L})
## @deftypefnx {} {@var{K} =} llmenv_kv_bytes (@dots{}, @var{options})
## @deftypefnx {} {[@var{K}, @var{info}] =} llmenv_kv_bytes (@dots{})
## KV cache and recurrent state that one sequence of @var{L} tokens holds.
##
## @example
## @group
## published:  K = k L
## layered:    K(L) = sum of H(L) over layers
## @end group
## @end example
##
## @noindent
## k is the recorded KV bytes of one token, at 2 bytes an element; H(L) the
## bytes that a layer holds: L n_kv (d_k b_k + d_v b_v) for full attention, the
## same with min (L, w) for a window of w tokens, L (r + d_rope) b_k for a
## latent cache, a constant for a recurrent state or a cross-attention cache.
## With the option @code{Engine} it is what that engine allocates for L tokens
## of all its slots. b_k and b_v are bytes per element of the KV types, block
## scales included.
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
## Convention, KVType, KType, VType, StateType, Chunk, Engine, Slots,
## MicroBatch, Unified, Ranks, Padding, Snapshots, LatentCache. @code{help
## llmenv_options} explains every option.
## @item K
## bytes; @code{NaN} with reason @qcode{"no record"} or @qcode{"not applicable"}
## (no decoder, no cache)
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{K})
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
## Source: document 003, sections 1.2 (c), 2.4 and 2.6.
##
## @example
## @group
## llmenv_kv_bytes ("llama-3-1-8b", [1024, 8192]) / 2^20
## @result{} ans =
##
##     128   1024
## @end group
## @group
## llmenv_kv_bytes ("llama-3-1-8b", 8192, "KVType", "q8_0") / 2^20
## @result{} ans = 544
## @end group
## @end example
## @seealso{llmenv_kv_context, llmenv_b_eq, llmenv_fill, llmenv_capacity, llmenv_options}
## @end deftypefn

function varargout = llmenv_kv_bytes (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("kv_bytes", 2, varargin{:});
endfunction

## 32 layers, 8 heads of 128, K and V, 2 bytes: 131,072 a token, 1 GiB at 8192.
%!assert (llmenv_kv_bytes ("llama-3-1-8b", [0, 1; 4096, 8192]),
%!        [0, 131072; 536870912, 1073741824])
%!assert (llmenv_kv_bytes ("llama-3-1-8b", 1, "Convention", "published"),
%!        131072)

## Figures of document 003, section 2.5.
%!test
%! m = {"llama-3-3-70b", "qwen3-235b-a22b", "qwen3-30b-a3b", ...
%!      "mixtral-8x22b", "glm-4-5", "gpt-oss-120b", "qwen3-8b", "olmo-3-7b", ...
%!      "smollm2-1-7b-instruct", "granite-4-0-h-tiny", "kimi-linear-48b-a3b"};
%! k = [327680; 192512; 98304; 229376; 376832; 73728; 147456; 524288; ...
%!      196608; 8192; 8064];
%! assert (llmenv_kv_bytes (m, 1, "Convention", "published"), k);

## What llama.cpp reserves for 8,192 tokens, MiB.
%!assert (llmenv_kv_bytes ("llama-3-1-8b", 8192, "KVType", "q8_0"), 544 * 2^20)
%!assert (llmenv_kv_bytes ("llama-3-1-8b", 8192, "KVType", "q4_0"), 288 * 2^20)
%!assert (llmenv_kv_bytes ("llama-3-1-8b", 8192, "KType", "q8_0",
%!                         "VType", "f16"), 784 * 2^20)
%!assert (llmenv_kv_bytes ("deepseek-v3", 8192), 549 * 2^20)

## Latents (61 layers of 512 + 64), windows (18 of 128 tokens beside 18 full
## layers of 8 heads of 64; 52 of 1,024 tokens beside 10 of 16 heads of 128).
%!assert (llmenv_kv_bytes ("deepseek-v3", [1, 65536]),
%!        61 * 576 * 2 * [1, 65536])
%!test
%! L = [1, 128, 8192, 131072];
%! each = 2 * 8 * 64 * 2;
%! assert (llmenv_kv_bytes ("gpt-oss-120b", L),
%!         18 * each * (L + min (L, 128)));
%!test
%! L = [1, 1024, 8192, 131072];
%! each = 2 * 16 * 128 * 2;
%! assert (llmenv_kv_bytes ("gemma-3-27b", L),
%!         each * (10 * L + 52 * min (L, 1024)));

## 24 Mamba layers keep 48 MiB of matrices and 1,474,560 bytes of columns.
%!assert (llmenv_kv_bytes ("nemotron-h-8b-base-8k", [0, 8192]),
%!        48 * 2^20 + 1474560 + 16384 * [0, 8192])
%!assert (llmenv_kv_bytes ("nemotron-h-8b-base-8k", 0, "StateType", "fp32"),
%!        2 * (48 * 2^20 + 1474560))

## Corrections: right here, as printed there.
%!test
%! m = {"gemma-4-12b", "gemma-4-26b-a4b", "gemma-4-31b"};
%! assert (llmenv_kv_bytes (m, 1), [344064; 225280; 901120]);
%! assert (llmenv_kv_bytes (m, 1, "Convention", "published"),
%!         [178176; 112640; 450560]);

## A mix of contexts is the weighted mean, each through its windows.
%!test
%! mix = struct ("lengths", [100, 5000], "weights", [3, 1]);
%! for m = {"llama-3-1-8b", "gemma-3-27b", "nemotron-h-8b-base-8k"}
%!   K = llmenv_kv_bytes (m{1}, [100, 5000]);
%!   assert (llmenv_kv_bytes (m{1}, mix), (3 * K(1) + K(2)) / 4, -1e-14);
%! endfor

## Of an engine: blocks of 16 of vLLM's pool, 256 cells of llama.cpp's one stream,
## on average; its slots are alike, so that each holds the longest.
%!test
%! mix = struct ("lengths", [1, 17, 300, 9000], "weights", [1, 1, 2, 0]);
%! K = @(varargin) llmenv_kv_bytes ("llama-3-1-8b", mix, "Engine", varargin{:});
%! assert (K ("vllm"), 2^17 * (16 + 32 + 2 * 304) / 4);
%! assert (K ("sglang"), 2^17 * (1 + 17 + 2 * 300) / 4);
%! assert (K ("llama.cpp"), 2^17 * 512);
%! assert (K ("llama.cpp", "Unified", "yes"), 2^17 * (2 * 256 + 2 * 512) / 4);

%!assert (llmenv_kv_bytes ("llama-3-1-8b", [1e308, Inf]), [Inf, Inf])
%!test
%! [K, info] = llmenv_kv_bytes ({"o3", "parakeet-ctc-1-1b", "llama-3-1-8b"}, 1);
%! assert (K, [NaN; NaN; 131072]);
%! assert (info.reason, {"no record"; "not applicable"; ""});
%!test
%! m = struct ("id", "mine", "params_b", 8, "active_params_b", 8, ...
%!             "kv_cache_bytes_per_token", 1000, "gqa_ratio", 4);
%! assert (llmenv_kv_bytes (m, [1, 8]), [1000, 8000]);

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_kv_bytes (llama, NaN), NaN)
%!test
%! v = llmenv_kv_bytes (llama, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_kv_bytes (llama, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_kv_bytes (llama, true),
%!        llmenv_kv_bytes (llama, 1))
%!assert (llmenv_kv_bytes ("Llama 3.1 8B", 8192),
%!        llmenv_kv_bytes (llama, 8192))
%!assert (llmenv_kv_bytes (llmenv_model ("llama-3-1-8b"), 8192),
%!        llmenv_kv_bytes (llama, 8192))
%!test
%! v = llmenv_kv_bytes (llama, 8192, "Convention", "published");
%! assert (llmenv_kv_bytes (llama, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_kv_bytes (llama, 8192, struct ("convention", "published")),
%!        v);
%!test
%! [v, info] = llmenv_kv_bytes (llama, 8192);
%! assert (info.unit, "bytes");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_kv_bytes ()
%!error id=llmenv:badCall  llmenv_kv_bytes (llama)
%!error id=llmenv:badCall  llmenv_kv_bytes (llama, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_kv_bytes (llama, 8192);
%!error <^llmenv_kv_bytes: options are pairs>
%! llmenv_kv_bytes (llama, 8192, "Basis")
%!error id=llmenv:badType  llmenv_kv_bytes (llama, "/nowhere")
%!error id=llmenv:badFile  llmenv_kv_bytes (llama, "/dev/null")
%!error id=llmenv:badType  llmenv_kv_bytes (llama, struct ())
%!error id=llmenv:badType  llmenv_kv_bytes (llama, {1})
%!error id=llmenv:badType  llmenv_kv_bytes (llama, 1 + 2i)
%!error id=llmenv:badType  llmenv_kv_bytes (llama, sparse (1))
%!error id=llmenv:badValue llmenv_kv_bytes (llama, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_kv_bytes (llama, [1, -1])
%!error id=llmenv:badType  llmenv_kv_bytes (1, 8192)
%!error id=llmenv:badType  llmenv_kv_bytes ({llama, 1}, 8192)
%!error id=llmenv:unknownModel llmenv_kv_bytes ("lama-3-1-8b", 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_kv_bytes ("lama-3-1-8b", 8192);
%!error id=llmenv:badOption llmenv_kv_bytes (llama, 8192, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_kv_bytes (llama, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_kv_bytes (llama, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_kv_bytes (llama, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_kv_bytes (llama, 8192, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_kv_bytes (m, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_kv_bytes (m, 8192);

%!demo
%! ## The same 32k tokens in four designs: MHA, GQA, windows, latents.
%! m = {"olmo-2-1b"; "llama-3-1-8b"; "gemma-3-27b"; "deepseek-v3"};
%! GiB = llmenv_kv_bytes (m, 32768) / 2^30;
%! printf ("%-14s %6.2f GiB\n", [m, num2cell(GiB)]'{:});
