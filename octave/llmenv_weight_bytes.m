## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{W} =} llmenv_weight_bytes (@var{model}, @var{B})
## @deftypefnx {} {@var{W} =} llmenv_weight_bytes (@dots{}, @var{options})
## @deftypefnx {} {[@var{W}, @var{info}] =} llmenv_weight_bytes (@dots{})
## Weight bytes that a decode step of @var{B} sequences streams from memory.
##
## @example
## @group
## published:  W = w P (basis active), w P_tot (basis resident)
## layered:    W(B) = w (S + X (1 - (1 - e/E)^B)), summed over parts
## @end group
## @end example
##
## @noindent
## w is the bytes per weight, P and P_tot the active and total parameters, S the
## parameters every step streams, X those of the routed experts, e of E experts
## serve a token. In @code{layered} the parts have their released formats;
## lookups (an untied input embedding, per-layer tables), towers, encoders and
## multi-token-prediction layers are held, not streamed. Routing is taken as
## uniform and independent, so W(B) is an expectation and the largest there is.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item B
## sequences in the batch, 0 or more
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Basis, Embedding, WeightType, WeightBytes. @code{help
## llmenv_options} explains every option.
## @item W
## bytes; for a dense model the same at every B; @code{NaN} where the parameters
## are not recorded
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{W})
## @end table
##
## The result has the size of @var{B}. A cell of models adds a dimension, the
## first in which that size is 1. Empty input gives empty output; integers and
## singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badValue} (a negative element; NaN gives NaN),
## @code{llmenv:badOption}, @code{llmenv:unknownModel}, @code{llmenv:badRecord}
## (a struct that contradicts itself).
##
## Source: document 003, sections 1.2 and 4.3 (both bases); the expectation
## follows from uniform routing.
##
## @example
## @group
## llmenv_weight_bytes ("llama-3-1-8b", 1) / 1e9
## @result{} ans = 15.010
## @end group
## @group
## llmenv_weight_bytes ("qwen3-30b-a3b", [1, 16, 64]) / 1e9
## @result{} ans =
##
##     6.0837   39.7960   59.5098
## @end group
## @end example
## @seealso{llmenv_kv_bytes, llmenv_b_eq, llmenv_throughput, llmenv_model, llmenv_options}
## @end deftypefn

function varargout = llmenv_weight_bytes (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("weight_bytes", 2, varargin{:});
endfunction

## 8,030,261,248 parameters, of which 525,336,576 are a lookup.
%!assert (llmenv_weight_bytes ("llama-3-1-8b", 1), 2 * (8030261248 - 525336576))
%!assert (llmenv_weight_bytes ("llama-3-1-8b", 1, "Embedding", "streamed"),
%!        2 * 8030261248)

## Document 003's tables.
%!test
%! m = {"llama-3-1-8b", "mixtral-8x7b", "deepseek-v3", "gpt-oss-120b"};
%! W = llmenv_weight_bytes (m, 1, "Convention", "published");
%! assert (W, [16.06; 26; 74; 10.2] * 1e9, -4 * eps);
%! W = llmenv_weight_bytes ("deepseek-v3", 1, "Convention", "published",
%!                          "Basis", "resident");
%! assert (W, 1342e9, -4 * eps);

## Experts touched: S + X (1 - (1 - e/E)^B) from the configuration's sizes
## (3,041,867,776 streamed per token, 28,991,029,248 routed, 8 of 128).
%!test
%! B = [1, 2, 16, 64, 1000];
%! X = 28991029248;
%! S = 3041867776 - X * 8 / 128;
%! W = llmenv_weight_bytes ("qwen3-30b-a3b", B);
%! assert (W, 2 * (S + X * (1 - (1 - 8 / 128) .^ B)), -1e-14);
%! assert (llmenv_weight_bytes ("qwen3-30b-a3b", 0), 2 * S, -1e-14);
%! assert (llmenv_weight_bytes ("qwen3-30b-a3b", Inf), 2 * (S + X), -1e-14);
%! assert (llmenv_weight_bytes ("qwen3-30b-a3b", B, "Basis", "resident"),
%!         repmat (2 * (S + X), 1, 5), -1e-14);
%! assert (llmenv_weight_bytes ("qwen3-30b-a3b", B, "Basis", "active"),
%!         repmat (2 * 3041867776, 1, 5), -1e-14);

## Types, block scales included, and exact bytes spread over the parts.
%!assert (llmenv_weight_bytes ("llama-3-1-8b", 1, "WeightType", "q8_0"),
%!        7504924672 * 34 / 32, -eps)
%!assert (llmenv_weight_bytes ("llama-3-1-8b", 1, "WeightType", 0.5),
%!        7504924672 / 2)
%!assert (llmenv_weight_bytes ("llama-3-1-8b", 1, "Convention", "published",
%!                             "WeightBytes", 4.9e9), 4.9e9, -2 * eps)
%!assert (llmenv_weight_bytes ("llama-3-1-8b", 1, "WeightBytes", 4.9e9),
%!        4.9e9 * 7504924672 / 8030261248, -4 * eps)
%!test
%! [W, info] = llmenv_weight_bytes ("gpt-4-1", 1);
%! assert (W, NaN);
%! assert (info.reason, "no record");

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_weight_bytes (llama, NaN), NaN)
%!test
%! v = llmenv_weight_bytes (llama, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_weight_bytes (llama, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_weight_bytes (llama, true),
%!        llmenv_weight_bytes (llama, 1))
%!assert (llmenv_weight_bytes ("Llama 3.1 8B", 2),
%!        llmenv_weight_bytes (llama, 2))
%!assert (llmenv_weight_bytes (llmenv_model ("llama-3-1-8b"), 2),
%!        llmenv_weight_bytes (llama, 2))
%!test
%! v = llmenv_weight_bytes (llama, 2, "Convention", "published");
%! assert (llmenv_weight_bytes (llama, 2, "CONVENTION", "Published"), v);
%! assert (llmenv_weight_bytes (llama, 2, struct ("convention",
%!        "published")), v);
%!test
%! [v, info] = llmenv_weight_bytes (llama, 2);
%! assert (info.unit, "bytes");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_weight_bytes ()
%!error id=llmenv:badCall  llmenv_weight_bytes (llama)
%!error id=llmenv:badCall  llmenv_weight_bytes (llama, 2, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_weight_bytes (llama, 2);
%!error <^llmenv_weight_bytes: options are pairs>
%! llmenv_weight_bytes (llama, 2, "Basis")
%!error id=llmenv:badType  llmenv_weight_bytes (llama, "text")
%!error id=llmenv:badType  llmenv_weight_bytes (llama, 1 + 2i)
%!error id=llmenv:badType  llmenv_weight_bytes (llama, sparse (1))
%!error id=llmenv:badValue llmenv_weight_bytes (llama, -1)
%!error <B: element 2 is -1, expected 0 or more>
%! llmenv_weight_bytes (llama, [1, -1])
%!error id=llmenv:badType  llmenv_weight_bytes (1, 2)
%!error id=llmenv:badType  llmenv_weight_bytes ({llama, 1}, 2)
%!error id=llmenv:unknownModel llmenv_weight_bytes ("lama-3-1-8b", 2)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_weight_bytes ("lama-3-1-8b", 2);
%!error id=llmenv:badOption llmenv_weight_bytes (llama, 2, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_weight_bytes (llama, 2, "Bassis", "active");
%!error id=llmenv:badOption llmenv_weight_bytes (llama, 2, "Basis", "some")
%!error id=llmenv:badOption llmenv_weight_bytes (llama, 2, "Count", 1.5)
%!error id=llmenv:badOption llmenv_weight_bytes (llama, 2, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_weight_bytes (m, 2);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_weight_bytes (m, 2);

%!demo
%! ## A mixture of experts streams more of itself as the batch grows.
%! B = [1, 4, 16, 64, 256];
%! GB = llmenv_weight_bytes ("deepseek-v3", B) / 1e9;
%! printf ("batch %3d streams %6.1f GB\n", [B; GB]);
