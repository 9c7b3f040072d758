## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{p} =} llmenv_n_prefill (@var{card})
## @deftypefnx {} {@var{p} =} llmenv_n_prefill (@var{model}, @var{card}, @var{B}, @var{L})
## @deftypefnx {} {@var{p} =} llmenv_n_prefill (@dots{}, @var{options})
## @deftypefnx {} {[@var{p}, @var{interval}, @var{info}] =} llmenv_n_prefill (@dots{})
## How many prompt tokens can a decode step take along before arithmetic binds?
## With a card alone: the prompt whose arithmetic takes as long as one step's
## weight bytes.
##
## @example
## @group
## published:  p = R w/2, of the card alone
## layered:    p with B (2P + A(L)) + 2P p = R (W(B + p) + B T(L))
## @end group
## @end example
##
## @noindent
## With R the ridge of the card (@code{llmenv_ridge}), w bytes per weight, P the
## parameters active per token, @var{W}(B) the weight bytes that a step of B
## sequences streams (@code{llmenv_weight_bytes}), @var{T}(L) the bytes a step
## reads per sequence, @var{A}(L) the attention FLOP per token. The attention of
## the prompt itself is left out. The published number is the layered one at B =
## 0, L = 0 and basis active.
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
## @item B
## sequences in the batch, 0 or more
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Basis, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk, ComputeType, BandwidthEfficiency, ComputeEfficiency.
## @code{help llmenv_options} explains every option.
## @item p
## tokens (not rounded); 0 where arithmetic binds already; @code{NaN} where a
## record is silent
## @item interval
## @code{[lo, hi]}: where a step that arithmetic binds at p = 0 is bound by
## memory again, because the prompt touches more experts; NaN where there is
## none (a cell of such rows for several answers)
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{p})
## @end table
##
## @var{B} and @var{L} broadcast: a row of @var{B} against a column of @var{L}
## gives a grid. A cell of models adds a dimension, the first in which that size
## is 1, and a cell of cards the next such one. Empty input gives empty output;
## integers and singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badSize} (sizes that do not broadcast), @code{llmenv:badValue}
## (a negative element; NaN gives NaN), @code{llmenv:badFile} (a mix that cannot
## be read), @code{llmenv:badOption}, @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}, @code{llmenv:badRecord} (a struct that contradicts
## itself).
##
## Source: document 000, its first list of lengths.
##
## @example
## @group
## llmenv_n_prefill ("nvidia-rtx-4090")
## @result{} ans = 163.89
## @end group
## @group
## llmenv_n_prefill ("llama-3-1-8b", "nvidia-h100-sxm", 1, 8192)
## @result{} ans = 315.22
## @end group
## @end example
## @seealso{llmenv_ridge, llmenv_b_star, llmenv_n_star, llmenv_options}
## @end deftypefn

function [p, interval, info] = llmenv_n_prefill (varargin)
  n = 4;
  if (is_card_alone (varargin{:}))
    n = 1;
  endif
  if (nargout < 2)
    p = __llmenv_call__ ("n_prefill", n, varargin{:});
  else
    [p, info] = __llmenv_call__ ("n_prefill", n, varargin{:});
    interval = info.interval;
    info = rmfield (info, "interval");
  endif
endfunction

## A card, then nothing or options: an options struct, or a name of one.
function tf = is_card_alone (card, second, third, L, varargin)
  persistent names = lower ([llmenv_options().data.option; ...
                             llmenv_options().data.command]);
  if (nargin > 3 && isnumeric (L))
    tf = false; # the usual call
  elseif (nargin > 1 && isstruct (second))
    tf = nargin == 2 || ischar (third) || isstruct (third);
  elseif (nargin > 1)
    tf = ischar (second) && any (strcmpi (second, names));
  else
    tf = true;
  endif
endfunction

## Document 000: 164 tokens on a 4090; R w/2.
%!assert (round (llmenv_n_prefill ("nvidia-rtx-4090")), 164)
%!assert (llmenv_n_prefill ("nvidia-rtx-4090", "WeightType", "fp8"),
%!        1000 * 165.2 / 1008 / 2, -2 * eps)
%!assert (llmenv_n_prefill ("nvidia-rtx-4090", struct ("WeightType", "fp8")),
%!        1000 * 165.2 / 1008 / 2, -2 * eps)
%!assert (llmenv_n_prefill ("nvidia-rtx-4090", "WeightType", "fp8",
%!                          struct ("Count", 2)), 1000 * 165.2 / 1008 / 2, -eps)
%!assert (llmenv_n_prefill ("nvidia-rtx-4090", struct ("Count", 2),
%!                          "weight-type", "fp8"), 1000 * 165.2 / 1008 / 2, -eps)
%!assert (llmenv_n_prefill ({"nvidia-rtx-4090", "nvidia-h20"}),
%!        [1000 * 165.2 / 1008; 37], -2 * eps)
%!assert (llmenv_n_prefill ("llama-3-1-8b", "nvidia-h20", 9, 9, "Convention",
%!                          "published"), 37, -eps)

## B = 0, L = 0, active: the published number.
%!assert (llmenv_n_prefill ("deepseek-v3", "nvidia-h100-sxm", 0, 0, "Basis",
%!                          "active", "WeightType", "bf16"),
%!        llmenv_ridge ("nvidia-h100-sxm"), -1e-14)

## By hand for a dense model: p = (R bytes - FLOP)/(2P).
%!test
%! R = 1000 * 989.5 / 3350;
%! W = 2 * 7504924672;
%! p = llmenv_n_prefill ("llama-3-1-8b", "nvidia-h100-sxm", 1, 8192);
%! assert (p, (R * (W + 2^30) - (W + 4 * 2^30)) / W, -1e-13);

## The balance holds at the root when the prompt touches experts.
%!test
%! m = "qwen3-30b-a3b";
%! a = "nvidia-h100-sxm";
%! B = [1, 4, 32];
%! p = llmenv_n_prefill (m, a, B, 1024);
%! step = B .* llmenv_intensity (m, B, 1024) ./ B ...
%!        .* (llmenv_weight_bytes (m, B) + B .* llmenv_kv_bytes (m, 1024));
%! flops = step + 2 * 3041867776 * p;
%! bytes = llmenv_weight_bytes (m, B + p) + B .* llmenv_kv_bytes (m, 1024);
%! assert (flops, llmenv_ridge (a) * bytes, -1e-10);

## Latents at a long context are compute-bound on an H20 until a prompt wakes
## the experts.
%!test
%! m = "deepseek-v3";
%! a = "nvidia-h20";
%! [p, interval, info] = llmenv_n_prefill (m, a, 8, 131072);
%! assert (p, 0);
%! assert (all (interval > 0) && interval(1) < interval(2));
%! assert (info.unit, "tokens");
%! [~, interval] = llmenv_n_prefill ("llama-3-1-8b", a, 8, [1, 2]);
%! assert (interval, {[NaN, NaN], [NaN, NaN]});
%!assert (llmenv_n_prefill ("o3", "nvidia-h20", 1, 1), NaN)

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_n_prefill (llama, h100, NaN, 8192), NaN)
%!assert (llmenv_n_prefill (llama, h100, 2, NaN), NaN)
%!test
%! v = llmenv_n_prefill (llama, h100, 2, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_n_prefill (llama, h100, 2, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_n_prefill (llama, h100, 2, true),
%!        llmenv_n_prefill (llama, h100, 2, 1))
%!assert (llmenv_n_prefill ("Llama 3.1 8B", h100, 2, 8192),
%!        llmenv_n_prefill (llama, h100, 2, 8192))
%!assert (llmenv_n_prefill (llmenv_model ("llama-3-1-8b"), h100, 2, 8192),
%!        llmenv_n_prefill (llama, h100, 2, 8192))
%!assert (llmenv_n_prefill (llama, "h100 sxm", 2, 8192),
%!        llmenv_n_prefill (llama, h100, 2, 8192))
%!assert (llmenv_n_prefill (llama, llmenv_accelerator ("nvidia-h100-sxm"), 2,
%!        8192),
%!        llmenv_n_prefill (llama, h100, 2, 8192))
%!test
%! v = llmenv_n_prefill (llama, h100, 2, 8192, "Convention", "published");
%! assert (llmenv_n_prefill (llama, h100, 2, 8192, "CONVENTION",
%!        "Published"), v);
%! assert (llmenv_n_prefill (llama, h100, 2, 8192, struct ("convention",
%!        "published")), v);
%!test
%! [v, ~, info] = llmenv_n_prefill (llama, h100, 2, 8192);
%! assert (info.unit, "tokens");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_n_prefill ()
%!error id=llmenv:badCall  llmenv_n_prefill (llama, h100, 2, 8192, "Basis")
%!error <^llmenv_n_prefill: options are pairs>
%! llmenv_n_prefill (llama, h100, 2, 8192, "Basis")
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, "text", 8192)
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, 1 + 2i, 8192)
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, sparse (1), 8192)
%!error id=llmenv:badValue llmenv_n_prefill (llama, h100, -1, 8192)
%!error <B: element 2 is -1, expected 0 or more>
%! llmenv_n_prefill (llama, h100, [1, -1], 8192)
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, 2, "/nowhere")
%!error id=llmenv:badFile  llmenv_n_prefill (llama, h100, 2, "/dev/null")
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, 2, struct ())
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, 2, {1})
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, 2, 1 + 2i)
%!error id=llmenv:badType  llmenv_n_prefill (llama, h100, 2, sparse (1))
%!error id=llmenv:badValue llmenv_n_prefill (llama, h100, 2, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_n_prefill (llama, h100, 2, [1, -1])
%!error id=llmenv:badType  llmenv_n_prefill (1, h100, 2, 8192)
%!error id=llmenv:badType  llmenv_n_prefill ({llama, 1}, h100, 2, 8192)
%!error id=llmenv:unknownModel llmenv_n_prefill ("lama-3-1-8b", h100, 2, 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_n_prefill ("lama-3-1-8b", h100, 2, 8192);
%!error id=llmenv:badType  llmenv_n_prefill (llama, 1, 2, 8192)
%!error id=llmenv:unknownCard llmenv_n_prefill (llama, "nvidia-h100-smx", 2,
%!        8192)
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_n_prefill (llama, "nvidia-h100-smx", 2, 8192);
%!error id=llmenv:badSize  llmenv_n_prefill (llama, h100, [1, 2], [1, 2, 3])
%!error id=llmenv:badOption llmenv_n_prefill (llama, h100, 2, 8192, "Bassis",
%!        "active")
%!error <nearest: .*Basis>
%! llmenv_n_prefill (llama, h100, 2, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_n_prefill (llama, h100, 2, 8192, "Basis",
%!        "some")
%!error id=llmenv:badOption llmenv_n_prefill (llama, h100, 2, 8192, "Count",
%!        1.5)
%!error id=llmenv:badOption llmenv_n_prefill (llama, h100, 2, 8192,
%!        struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_n_prefill (m, h100, 2, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_n_prefill (m, h100, 2, 8192);

%!demo
%! ## Chunk sizes for a prompt that rides along with 8 sequences at 4k.
%! a = {"nvidia-h20"; "nvidia-h100-sxm"; "nvidia-l40s"};
%! p = llmenv_n_prefill ("llama-3-1-8b", a, 8, 4096);
%! printf ("%-16s %5.0f tokens\n", [a, num2cell(p)]'{:});
