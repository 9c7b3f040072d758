## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{L} =} llmenv_l_wall (@var{model}, @var{card})
## @deftypefnx {} {@var{L} =} llmenv_l_wall (@dots{}, @var{options})
## @deftypefnx {} {[@var{L}, @var{crossings}, @var{info}] =} llmenv_l_wall (@dots{})
## Past which context does no batch reach the ridge of the card, so that
## decoding stays bound by memory?
##
## @example
## @group
## published:  L = 2P/((R - g) k)
## layered:    first L where C(L) = (2P + A(L))/T(L) falls through R
## @end group
## @end example
##
## @noindent
## With R the ridge of the card (@code{llmenv_ridge}), P the parameters active
## per token, @var{T}(L) the bytes a step reads per sequence, @var{A}(L) the
## attention FLOP per token, k the KV bytes one token adds and g query heads per
## KV head. C is @code{llmenv_ceiling}. Between the ends of windows it has a
## closed form. Where a record has no active parameters, @code{published} takes
## the total.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item card
## a card: an id (@code{"nvidia-h100-sxm"}, see @code{llmenv_accelerators}), a
## name that is not ambiguous, a record as a struct (see
## @code{llmenv_accelerator}), or a cell array of these
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Embedding, WeightType, KVType, KType, VType, StateType, Chunk,
## ComputeType, BandwidthEfficiency, ComputeEfficiency. @code{help
## llmenv_options} explains every option.
## @item L
## tokens (not rounded); @code{Inf} (@qcode{"never"}) where C stays at or above
## the ridge; 0 where a state alone keeps it below; @code{NaN} where a record is
## silent
## @item crossings
## every crossing of C(L) with the ridge, in order of L: a struct with columns
## @code{at} (tokens), @code{direction} (-1 falling below the ridge, 1 rising
## above it) and @code{jump} (1 where a chunk's end skips the value); a cell of
## such structs for several models or cards
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{L})
## @end table
##
## A cell of models gives a column; a cell of cards beside it goes along the
## second dimension, alone along the first. Empty input gives empty output;
## integers and singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not a record), @code{llmenv:badOption},
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard},
## @code{llmenv:badRecord} (a struct that contradicts itself).
##
## Source: document 003, sections 1.2 (b) and 4.2.
##
## @example
## @group
## llmenv_l_wall ("llama-3-1-8b", "nvidia-h100-sxm")
## @result{} ans = 393.02
## @end group
## @group
## a = "nvidia-h100-sxm";
## floor (llmenv_l_wall ("deepseek-v3", a, "Convention", "published"))
## @result{} ans = 3577
## @end group
## @end example
## @seealso{llmenv_ceiling, llmenv_b_star, llmenv_n_star, llmenv_ridge, llmenv_options}
## @end deftypefn

function [L, crossings, info] = llmenv_l_wall (varargin)
  if (nargout < 2)
    L = __llmenv_call__ ("l_wall", 2, varargin{:});
  else
    [L, info] = __llmenv_call__ ("l_wall", 2, varargin{:});
    crossings = info.crossings;
    info = rmfield (info, "crossings");
  endif
endfunction

## Document 003, section 1.2 and its ranking (floors).
%!test
%! m = {"smollm2-1-7b-instruct", "deepseek-v3", "llama-3-1-8b", ...
%!      "phi-3-5-mini-instruct", "gemma-4-12b", "grok-1"};
%! L = floor (llmenv_l_wall (m, "nvidia-h100-sxm", "Convention", "published"));
%! assert (L, [59; 3577; 420; 66; 457; 8278]);

## Its section 7.6: half the KV bytes move the wall by 2(R - g)/(R - 2g).
%!assert (round (llmenv_l_wall ({"deepseek-v3", "smollm2-1-7b-instruct"},
%!                              "nvidia-h100-sxm", "Convention", "published",
%!                              "KVType", "fp8")), [7179; 119])

## Document 000's 228 tokens of an 8B at 4 bits on a 4090, put right.
%!assert (round (llmenv_l_wall ("llama-3-1-8b", "nvidia-rtx-4090",
%!                              "WeightBytes", 4.9e9)), 716)
%!assert (round (llmenv_l_wall ("llama-3-1-8b", "nvidia-rtx-4090",
%!                              "WeightBytes", 4.9e9, "Embedding",
%!                              "streamed")), 766)

## The ceiling at the wall is the ridge.
%!test
%! R = llmenv_ridge ("nvidia-h100-sxm");
%! for m = {"llama-3-1-8b", "deepseek-v3", "gpt-oss-120b", "gemma-3-27b"}
%!   [L, crossings] = llmenv_l_wall (m{1}, "nvidia-h100-sxm");
%!   assert (llmenv_ceiling (m{1}, L), R, -1e-12);
%!   assert (crossings.at(1), L);
%!   assert (crossings.direction(1), -1);
%!   assert (crossings.jump(1), 0);
%! endfor

## Equal inputs: both conventions agree for a dense full-attention model.
%!test
%! m = "deepseek-r1-distill-llama-8b";
%! a = "nvidia-h100-sxm";
%! assert (llmenv_l_wall (m, a, "Embedding", "streamed"),
%!         llmenv_l_wall (m, a, "Convention", "published"), -1e-9);

## Never: g above the ridge; no cache.
%!test
%! m = struct ("id", "mine", "params_b", 8, "active_params_b", 8, ...
%!             "kv_cache_bytes_per_token", 1e5, "gqa_ratio", 64);
%! [L, crossings, info] = llmenv_l_wall (m, "nvidia-h20");
%! assert (L, Inf);
%! assert (isempty (crossings.at));
%! assert (info.reason, "never");
%! m.kv_cache_bytes_per_token = 0;
%! m.gqa_ratio = NaN;
%! assert (llmenv_l_wall (m, "nvidia-h20"), Inf);
%!test
%! [L, crossings, info] = llmenv_l_wall ({"llama-3-1-8b", "o3"}, "nvidia-h20");
%! assert (isfinite (L), [true; false]);
%! assert (size (crossings), [2, 1]);
%! assert (crossings{1}.at, L(1));
%! assert (info.reason, {""; "no record"});

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_l_wall ("Llama 3.1 8B", h100),
%!        llmenv_l_wall (llama, h100))
%!assert (llmenv_l_wall (llmenv_model ("llama-3-1-8b"), h100),
%!        llmenv_l_wall (llama, h100))
%!assert (llmenv_l_wall (llama, "h100 sxm"),
%!        llmenv_l_wall (llama, h100))
%!assert (llmenv_l_wall (llama, llmenv_accelerator ("nvidia-h100-sxm")),
%!        llmenv_l_wall (llama, h100))
%!test
%! v = llmenv_l_wall (llama, h100, "Convention", "published");
%! assert (llmenv_l_wall (llama, h100, "CONVENTION", "Published"), v);
%! assert (llmenv_l_wall (llama, h100, struct ("convention", "published")), v);
%!test
%! [v, ~, info] = llmenv_l_wall (llama, h100);
%! assert (info.unit, "tokens");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_l_wall ()
%!error id=llmenv:badCall  llmenv_l_wall (llama)
%!error id=llmenv:badCall  llmenv_l_wall (llama, h100, "Basis")
%!error <^llmenv_l_wall: options are pairs>
%! llmenv_l_wall (llama, h100, "Basis")
%!error id=llmenv:badType  llmenv_l_wall (1, h100)
%!error id=llmenv:badType  llmenv_l_wall ({llama, 1}, h100)
%!error id=llmenv:unknownModel llmenv_l_wall ("lama-3-1-8b", h100)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_l_wall ("lama-3-1-8b", h100);
%!error id=llmenv:badType  llmenv_l_wall (llama, 1)
%!error id=llmenv:unknownCard llmenv_l_wall (llama, "nvidia-h100-smx")
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_l_wall (llama, "nvidia-h100-smx");
%!error id=llmenv:badOption llmenv_l_wall (llama, h100, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_l_wall (llama, h100, "Bassis", "active");
%!error id=llmenv:badOption llmenv_l_wall (llama, h100, "Basis", "some")
%!error id=llmenv:badOption llmenv_l_wall (llama, h100, "Count", 1.5)
%!error id=llmenv:badOption llmenv_l_wall (llama, h100, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_l_wall (m, h100);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_l_wall (m, h100);

%!demo
%! ## The same model meets its wall later on a card with less arithmetic.
%! a = {"nvidia-l40s"; "nvidia-h100-sxm"; "nvidia-rtx-3090"; "nvidia-h20"};
%! L = llmenv_l_wall ("llama-3-1-8b", a);
%! printf ("%-16s %6.0f tokens\n", [a, num2cell(L)]'{:});
