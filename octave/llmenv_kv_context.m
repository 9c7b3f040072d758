## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{L} =} llmenv_kv_context (@var{model}, @var{bytes})
## @deftypefnx {} {@var{L} =} llmenv_kv_context (@dots{}, @var{options})
## @deftypefnx {} {[@var{L}, @var{info}] =} llmenv_kv_context (@dots{})
## How long a context of one sequence do @var{bytes} of cache and state hold?
##
## @example
## @group
## published:  L = bytes/k
## layered:    largest L with K(L) <= bytes
## @end group
## @end example
##
## @noindent
## K(L) are the bytes that @code{llmenv_kv_bytes} gives, k the recorded KV bytes
## of one token.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item bytes
## bytes for the cache and state of one sequence, 0 or more
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, KVType, KType, VType, StateType, Chunk, Engine, Slots,
## MicroBatch, Unified, Ranks, Padding, Snapshots, LatentCache. @code{help
## llmenv_options} explains every option.
## @item L
## tokens (not rounded); @code{Inf} (@qcode{"unbounded"}) where K(L) saturates
## below @var{bytes}; 0 where the state alone needs more; @code{NaN} where the
## record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{L})
## @end table
##
## The result has the size of @var{bytes}. A cell of models adds a dimension,
## the first in which that size is 1. Empty input gives empty output; integers
## and singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badValue} (a negative element; NaN gives NaN),
## @code{llmenv:badOption}, @code{llmenv:unknownModel}, @code{llmenv:badRecord}
## (a struct that contradicts itself).
##
## Source: document 003, section 1.2 (c) and the thresholds of its section 3.
##
## @example
## @group
## floor (llmenv_kv_context ("llama-3-1-8b", 24e9))
## @result{} ans = 183105
## @end group
## @end example
## @seealso{llmenv_kv_bytes, llmenv_fill, llmenv_options}
## @end deftypefn

function varargout = llmenv_kv_context (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("kv_context", 2, varargin{:});
endfunction

## Document 003's thresholds of 1, 24 and 80 GB (floors).
%!test
%! m = {"llama-3-1-8b", "deepseek-v3", "hermes-4-405b"};
%! L = floor (llmenv_kv_context (m, [1, 24, 80] * 1e9, "Convention",
%!                               "published"));
%! assert (L, [7629, 183105, 610351; 14230, 341530, 1138433; ...
%!             1937, 46502, 155009]);

## The inverse of kv_bytes, also between and beyond windows.
%!test
%! L = [1, 100, 1024, 5000, 1e6];
%! for m = {"llama-3-1-8b", "gemma-3-27b", "gpt-oss-120b", ...
%!          "nemotron-h-8b-base-8k", "deepseek-v3-2"}
%!   assert (llmenv_kv_context (m{1}, llmenv_kv_bytes (m{1}, L)), L, -1e-12);
%! endfor

## A state of fixed size: all of it or nothing.
%!test
%! K = llmenv_kv_bytes ("mamba-codestral-7b", 1);
%! [L, info] = llmenv_kv_context ("mamba-codestral-7b", [K - 1, K]);
%! assert (L, [0, Inf]);
%! assert (info.reason, {"", "unbounded"});
%!assert (llmenv_kv_context ("llama-3-1-8b", [0, Inf]), [0, Inf])
%!assert (llmenv_kv_context ("o3", 1e9), NaN)

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_kv_context (llama, NaN), NaN)
%!test
%! v = llmenv_kv_context (llama, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_kv_context (llama, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_kv_context (llama, true),
%!        llmenv_kv_context (llama, 1))
%!assert (llmenv_kv_context ("Llama 3.1 8B", 1e9),
%!        llmenv_kv_context (llama, 1e9))
%!assert (llmenv_kv_context (llmenv_model ("llama-3-1-8b"), 1e9),
%!        llmenv_kv_context (llama, 1e9))
%!test
%! v = llmenv_kv_context (llama, 1e9, "Convention", "published");
%! assert (llmenv_kv_context (llama, 1e9, "CONVENTION", "Published"), v);
%! assert (llmenv_kv_context (llama, 1e9, struct ("convention",
%!        "published")), v);
%!test
%! [v, info] = llmenv_kv_context (llama, 1e9);
%! assert (info.unit, "tokens");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_kv_context ()
%!error id=llmenv:badCall  llmenv_kv_context (llama)
%!error id=llmenv:badCall  llmenv_kv_context (llama, 1e9, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_kv_context (llama, 1e9);
%!error <^llmenv_kv_context: options are pairs>
%! llmenv_kv_context (llama, 1e9, "Basis")
%!error id=llmenv:badType  llmenv_kv_context (llama, "text")
%!error id=llmenv:badType  llmenv_kv_context (llama, 1 + 2i)
%!error id=llmenv:badType  llmenv_kv_context (llama, sparse (1))
%!error id=llmenv:badValue llmenv_kv_context (llama, -1)
%!error <BYTES: element 2 is -1, expected 0 or more>
%! llmenv_kv_context (llama, [1, -1])
%!error id=llmenv:badType  llmenv_kv_context (1, 1e9)
%!error id=llmenv:badType  llmenv_kv_context ({llama, 1}, 1e9)
%!error id=llmenv:unknownModel llmenv_kv_context ("lama-3-1-8b", 1e9)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_kv_context ("lama-3-1-8b", 1e9);
%!error id=llmenv:badOption llmenv_kv_context (llama, 1e9, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_kv_context (llama, 1e9, "Bassis", "active");
%!error id=llmenv:badOption llmenv_kv_context (llama, 1e9, "Basis", "some")
%!error id=llmenv:badOption llmenv_kv_context (llama, 1e9, "Count", 1.5)
%!error id=llmenv:badOption llmenv_kv_context (llama, 1e9, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_kv_context (m, 1e9);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_kv_context (m, 1e9);

%!demo
%! ## What 8 GB of cache hold, by KV type.
%! for type = {"bf16", "q8_0", "q4_0"}
%!   L = llmenv_kv_context ("llama-3-1-8b", 8e9, "KVType", type{1});
%!   printf ("%-5s %7.0f tokens\n", type{1}, floor (L));
%! endfor
