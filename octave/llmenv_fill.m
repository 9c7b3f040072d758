## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{L} =} llmenv_fill (@var{model}, @var{card})
## @deftypefnx {} {@var{L} =} llmenv_fill (@dots{}, @var{options})
## @deftypefnx {} {[@var{L}, @var{info}] =} llmenv_fill (@dots{})
## How long can the context of one sequence grow before the card is full?
##
## @example
## @group
## published:  L = (memory - W_held - reserve)/k
## layered:    the L with K(L) = memory u - W_held - reserve
## @end group
## @end example
##
## @noindent
## W_held are all the weights that memory must hold, also those that are never
## streamed, @var{K}(L) the bytes one sequence holds at L tokens, k the KV bytes
## of one token, u the option @code{Utilization}. Memory is GB x 1e9 in
## @code{published}, else what the driver reports, or GB x 2^30 where that is
## not recorded. @code{Reserve} counts once per gang.
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
## Convention, WeightType, WeightBytes, KVType, KType, VType, StateType, Chunk,
## Engine, Slots, MicroBatch, Unified, Ranks, Padding, Snapshots, LatentCache,
## Memory, Reserve, Utilization, Count. @code{help llmenv_options} explains
## every option.
## @item L
## tokens (not rounded); 0 with reason @qcode{"does not fit"}; @code{Inf}
## (@qcode{"unbounded"}) where the cache saturates; @code{NaN} where a record is
## silent
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
## Source: document 000, its fill.
##
## @example
## @group
## llmenv_fill ("llama-3-1-8b", "nvidia-rtx-4090")
## @result{} ans = 6.2536e+04
## @end group
## @group
## opt = struct ("Count", 2, "WeightBytes", 40.7e9);
## opt.Convention = "published";
## floor (llmenv_fill ("llama-3-3-70b", "nvidia-rtx-3090", opt))
## @result{} ans = 17700
## @end group
## @end example
## @seealso{llmenv_capacity, llmenv_kv_context, llmenv_n_star, llmenv_options}
## @end deftypefn

function varargout = llmenv_fill (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("fill", 2, varargin{:});
endfunction

## Document 000: 49,100 tokens, 17,700 on the pair, q8_0 gives 1.88 times.
%!test
%! fill = @(varargin) llmenv_fill (varargin{:}, "Convention", "published");
%! L = fill ("llama-3-1-8b", "nvidia-rtx-4090");
%! assert (L, (24e9 - 16.06e9 - 1.5e9) / 131072, -4 * eps);
%! assert (round (L / 100) * 100, 49100);
%! pair = fill ("llama-3-3-70b", "nvidia-rtx-3090", "Count", 2, "WeightBytes",
%!              40.7e9);
%! assert (round (pair / 100) * 100, 17700);
%! q8 = fill ("llama-3-1-8b", "nvidia-rtx-4090", "KVType", "q8_0");
%! assert (round (100 * q8 / L) / 100, 1.88);

## Its ratios, free of the KV type: 65.7 and 588.7.
%!test
%! m = "llama-3-1-8b";
%! a = "nvidia-rtx-4090";
%! for kv = {"bf16", "q8_0", "q4_0"}
%!   opt = {"Convention", "published", "KVType", kv{1}};
%!   r = llmenv_fill (m, a, opt{:}) / llmenv_n_star (m, a, opt{:});
%!   assert (round (10 * r) / 10, 65.7);
%!   opt = [opt, {"WeightBytes", 4.9e9}];
%!   r = llmenv_fill (m, a, opt{:}) / llmenv_n_star (m, a, opt{:});
%!   assert (round (10 * r) / 10, 588.7);
%! endfor

## Layered: 24,564 MiB, all 8,030,261,248 parameters held.
%!assert (llmenv_fill ("llama-3-1-8b", "nvidia-rtx-4090"),
%!        (24564 * 2^20 - 2 * 8030261248 - 1.5e9) / 131072, -4 * eps)
%!assert (llmenv_fill ("llama-3-1-8b", "nvidia-rtx-4090", "Memory", 32e9,
%!                     "Reserve", 0, "Utilization", 0.9),
%!        (0.9 * 32e9 - 2 * 8030261248) / 131072, -4 * eps)

## A full card; a state that never grows; a silent record.
%!test
%! [L, info] = llmenv_fill ({"llama-3-3-70b", "mamba-codestral-7b", "o3"},
%!                          "nvidia-h100-sxm");
%! assert (L, [0; Inf; NaN]);
%! assert (info.reason, {"does not fit"; "unbounded"; "no record"});
%!test
%! a = "nvidia-h100-sxm";
%! L = llmenv_fill ("gemma-3-27b", a);
%! assert (llmenv_capacity ("gemma-3-27b", a, L), 1, -1e-12);

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_fill ("Llama 3.1 8B", h100),
%!        llmenv_fill (llama, h100))
%!assert (llmenv_fill (llmenv_model ("llama-3-1-8b"), h100),
%!        llmenv_fill (llama, h100))
%!assert (llmenv_fill (llama, "h100 sxm"),
%!        llmenv_fill (llama, h100))
%!assert (llmenv_fill (llama, llmenv_accelerator ("nvidia-h100-sxm")),
%!        llmenv_fill (llama, h100))
%!test
%! v = llmenv_fill (llama, h100, "Convention", "published");
%! assert (llmenv_fill (llama, h100, "CONVENTION", "Published"), v);
%! assert (llmenv_fill (llama, h100, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_fill (llama, h100);
%! assert (info.unit, "tokens");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_fill ()
%!error id=llmenv:badCall  llmenv_fill (llama)
%!error id=llmenv:badCall  llmenv_fill (llama, h100, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_fill (llama, h100);
%!error <^llmenv_fill: options are pairs>
%! llmenv_fill (llama, h100, "Basis")
%!error id=llmenv:badType  llmenv_fill (1, h100)
%!error id=llmenv:badType  llmenv_fill ({llama, 1}, h100)
%!error id=llmenv:unknownModel llmenv_fill ("lama-3-1-8b", h100)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_fill ("lama-3-1-8b", h100);
%!error id=llmenv:badType  llmenv_fill (llama, 1)
%!error id=llmenv:unknownCard llmenv_fill (llama, "nvidia-h100-smx")
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_fill (llama, "nvidia-h100-smx");
%!error id=llmenv:badOption llmenv_fill (llama, h100, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_fill (llama, h100, "Bassis", "active");
%!error id=llmenv:badOption llmenv_fill (llama, h100, "Basis", "some")
%!error id=llmenv:badOption llmenv_fill (llama, h100, "Count", 1.5)
%!error id=llmenv:badOption llmenv_fill (llama, h100, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_fill (m, h100);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_fill (m, h100);

%!demo
%! ## One sequence of an 8B on a 24 GB card, by weight and KV type.
%! for w = {"bf16", "q8_0", "Q4_K_M"}
%!   L = llmenv_fill ("llama-3-1-8b", "nvidia-rtx-4090", "WeightType", w{1});
%!   printf ("%-7s weights: %6.0f tokens\n", w{1}, floor (L));
%! endfor
