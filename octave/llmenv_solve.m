## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{x} =} llmenv_solve (@var{quantity}, @var{target}, @var{input}, [@var{lo}, @var{hi}], @var{model}, @var{card})
## @deftypefnx {} {@var{x} =} llmenv_solve (@var{quantity}, [], @var{input}, [@var{lo}, @var{hi}], @var{models}, @var{cards})
## @deftypefnx {} {@var{x} =} llmenv_solve (@dots{}, @var{options})
## @deftypefnx {} {[@var{x}, @var{info}] =} llmenv_solve (@dots{})
## For which values of one input does a quantity meet a target?
##
## All of them between @var{lo} and @var{hi} are found: the bracket is scanned
## first, at 256 steps and at both sides of every end of a window, then each
## change of sign is refined to rounding. Infinite values count as a sign. Where
## the quantity leaps over the target, the answer is a jump, and
## @code{info.jump} says so. No crossover is an answer too: @var{x} is empty and
## @code{info} has the values at both ends.
##
## @table @var
## @item quantity
## name of a quantity without its prefix (@qcode{"l_wall"}), see
## @code{llmenv_table ("quantities")}; @qcode{"kv_context"} is taken at the
## memory of the card
## @item target
## a finite number in the quantity's unit; or a share as text
## (@qcode{"90%"}) of the way from the quantity's value where @var{input}, the
## batch or the context, is 0 to its limit where that is infinite; or the name of
## another quantity; or @code{[]}: @var{models} or @var{cards} is a cell of two,
## and the answer is where these agree in the quantity
## @item input
## what is varied, everything else held: @qcode{"kv_bytes"} (bytes of a K or V
## element, both together), @qcode{"weight_bytes"} (bytes of a weight),
## @qcode{"expert_ratio"} (e/E at fixed experts, active parameters move with
## it), @qcode{"experts"} (E at fixed e and size of an expert, active parameters
## do not), @qcode{"context"} (tokens), @qcode{"batch"} (sequences),
## @qcode{"bandwidth"} (bytes/s), @qcode{"peak"} (FLOP/s), @qcode{"memory"},
## @qcode{"reserve"} (bytes), @qcode{"utilization"}
## @item model, card
## an id, a name that is not ambiguous, a record as a struct, or @code{[]}
## @item options
## name, value pairs in any case, or one struct: those of
## @code{llmenv_options}, of which Context and Batch hold where these are not
## varied, and @code{Whole}: @qcode{"first-at-least"}, @qcode{"first-at-most"},
## @qcode{"last-at-least"} or @qcode{"last-at-most"} asks for the smallest
## (first) or largest (last) whole number of the input at which the quantity is
## at least (at most) the target; both neighbours are checked
## @item x
## column of values of the input, rising; empty when there is none
## @item info
## struct: columns @code{value} (of the quantity), @code{jump}, @code{until} (the
## target is met from @var{x} to there), @code{direction} (1 rises, -1 falls),
## @code{before} and @code{after} (of the quantity, or the difference of two;
## for whole numbers at the neighbours); scalars @code{at_lo}, @code{at_hi} with
## @code{reason_lo}, @code{reason_hi}, and @code{evaluations} in all
## @end table
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badType}, @code{llmenv:badSize},
## @code{llmenv:badValue} (a range that the input does not take, a share of a
## quantity without two finite ends),
## @code{llmenv:badOption} (no such quantity, input or option),
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard},
## @code{llmenv:badRecord}, @code{llmenv:badFile}.
##
## @example
## @group
## ## KV bytes per element at which DeepSeek-V3 keeps a wall of 8k.
## llmenv_solve ("l_wall", 8192, "kv_bytes", [0.28, 4], ...
##               "deepseek-v3", "nvidia-h100-sxm")
## @result{} ans = 2.4987
## @end group
## @end example
## @seealso{llmenv_sweep, llmenv_elasticity, llmenv_table, llmenv_options}
## @end deftypefn

function [x, info] = llmenv_solve (varargin)
  if (nargin < 6)
    error ("llmenv:badCall",
           "llmenv_solve: usage: llmenv_solve (QUANTITY, TARGET, INPUT, [LO, HI], MODEL, CARD, OPTION, VALUE, ...)");
  endif
  try
    [whole, pairs] = __llmenv_take__ (__llmenv_pairs__ (varargin{7:end}),
                                      "Whole", "");
  catch e
    error (e.identifier, "llmenv_solve: %s", e.message);
  end_try_catch
  [x, info] = __llmenv_gate__ ("llmenv_solve", "__llmenv_solve__", 8, "solve",
                               varargin{1:6}, whole, pairs{:});
endfunction

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## Closed forms: with k b/2 for k and 2 g/b for g, the published wall is
## 2P/((R - 2 g/b) k b/2) = 2P/(k (R b/2 - g)).
%!test
%! R = 1000 * 989.5 / 3350;
%! m = llmenv_model (llama);
%! k = m.kv_cache_bytes_per_token;
%! for L = [220, 393, 1000, 2400]
%!   b = llmenv_solve ("l_wall", L, "kv_bytes", [0.28, 4], llama, h100,
%!                     "Convention", "published");
%!   assert (b, 2 * (2e9 * m.active_params_b / (k * L) + m.gqa_ratio) / R, -1e-12);
%! endfor

## Halved KV bytes: the wall grows by 2 (R - g)/(R - 2 g).
%!test
%! R = 1000 * 989.5 / 3350;
%! for id = {"deepseek-v3", "smollm2-1-7b-instruct"}
%!   m = llmenv_model (id{1});
%!   wall = llmenv_l_wall (id{1}, h100, "Convention", "published");
%!   growth = 2 * (R - m.gqa_ratio) / (R - 2 * m.gqa_ratio);
%!   b = llmenv_solve ("l_wall", wall * growth, "kv_bytes", [0.5, 3], id{1}, h100,
%!                     "Convention", "published");
%!   assert (b, 1, 1e-12);
%! endfor

## The batch at which nine tenths of the experts stream: ln 0.1/ln (1 - e/E).
%!test
%! W = llmenv_weight_bytes ("deepseek-v3", [0, Inf]);
%! B = llmenv_solve ("weight_bytes", W(1) + 0.9 * diff (W), "batch", [1, 1e4],
%!                   "deepseek-v3", []);
%! assert (B, log (0.1) / log (1 - 8 / 256), -1e-12);

## The same as a share; half the tokens/s that any batch can reach, of a mix too.
%!test
%! B = llmenv_solve ("weight_bytes", "90%", "batch", [1, 1e4], "deepseek-v3", []);
%! assert (B, log (0.1) / log (1 - 8 / 256), -1e-12);
%! [B, info] = llmenv_solve ("weight_bytes", "12.5%", "batch", [1, 1e4],
%!                           "deepseek-v3", [], "Whole", "first-at-least");
%! assert (B, ceil (log (1 - 0.125) / log (1 - 8 / 256)));
%!test
%! far = struct ("lengths", [1000, 5000]);
%! file = tempname ();
%! fid = fopen (file, "w");
%! fprintf (fid, "%d\n", far.lengths);
%! fclose (fid);
%! unwind_protect
%!   for L = {3000, far}
%!     options = merge (isstruct (L{1}), {"Contexts", file}, {"Context", 3000});
%!     B = llmenv_solve ("throughput", "50%", "batch", [1, 1e4], "gemma-3-27b",
%!                       h100, options{:});
%!     half = llmenv_throughput ("gemma-3-27b", h100, Inf, L{1}) / 2;
%!     assert (llmenv_throughput ("gemma-3-27b", h100, B, L{1}), half, -1e-12);
%!   endfor
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect

## A root of two quantities, of two models, of two cards.
%!test
%! L = llmenv_solve ("b_star", "capacity", "context", [16, 300], llama, h100);
%! assert (llmenv_b_star (llama, h100, L), llmenv_capacity (llama, h100, L), -1e-9);
%!test
%! [B, info] = llmenv_solve ("weight_bytes", [], "batch", [1, 1e4],
%!                           {"qwen3-30b-a3b", llama}, []);
%! assert (llmenv_weight_bytes ("qwen3-30b-a3b", B),
%!         llmenv_weight_bytes (llama, B), -1e-12);
%! assert (info.direction, 1);
%!test
%! cards = {"nvidia-h20", h100};
%! B = llmenv_solve ("throughput", [], "batch", [1, 1e4], llama, cards,
%!                   "Context", 1024);
%! assert (llmenv_throughput (llama, cards{1}, B, 1024),
%!         llmenv_throughput (llama, cards{2}, B, 1024), -1e-9);

## No crossover: empty, with the values at both ends.
%!test
%! [x, info] = llmenv_solve ("l_wall", 8192, "kv_bytes", [0.28, 4], llama, h100);
%! assert (isempty (x));
%! assert (info.at_lo, llmenv_l_wall (llama, h100, "KVType", 0.28));
%! assert (info.at_hi, llmenv_l_wall (llama, h100, "KVType", 4));

## All crossings: latents beside a state rise through the ridge.
%!test
%! [x, info] = llmenv_solve ("ceiling", "ridge", "context", [0, 2^20], "kimi-k3",
%!                           h100, "KVType", "fp8");
%! assert (floor (x), 61370);
%! assert (info.direction, 1);
%! assert (info.evaluations < 300);

## Whole numbers: neighbours on both sides.
%!test
%! [B, info] = llmenv_solve ("intensity", "ridge", "batch", [1, 1e5], llama, h100,
%!                           "Context", 128, "Whole", "first-at-least");
%! assert (B, ceil (llmenv_b_star (llama, h100, 128)));
%! assert (info.before < 0 && info.value >= 0);
%!test
%! L = llmenv_solve ("capacity", 4, "context", [1, 1e7], llama, h100,
%!                   "whole", "last-at-least");
%! assert (llmenv_capacity (llama, h100, L) >= 4);
%! assert (llmenv_capacity (llama, h100, L + 1) < 4);
%!assert (llmenv_solve ("capacity", 4, "context", [1, 10], llama, h100,
%!                      "Whole", "first-at-most"), [])

## A mix in the place of the context.
%!test
%! file = tempname ();
%! fid = fopen (file, "w");
%! fprintf (fid, "%d\n", 100, 1000, 100000);
%! fclose (fid);
%! unwind_protect
%!   B = llmenv_solve ("intensity", 2, "batch", [1, 1000], "gemma-3-27b", h100,
%!                     "Contexts", file);
%!   assert (llmenv_intensity ("gemma-3-27b", B, file), 2, 1e-12);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect

%!error id=llmenv:badCall   llmenv_solve ("l_wall", 1, "kv_bytes", [1, 2])
%!error id=llmenv:badOption llmenv_solve ("l_wal", 1, "kv_bytes", [1, 2], llama, h100)
%!error <^llmenv_solve: no input 'kv_byte'; nearest: kv_bytes>
%! llmenv_solve ("l_wall", 1, "kv_byte", [1, 2], llama, h100);
%!error id=llmenv:badValue  llmenv_solve ("l_wall", 1, "kv_bytes", [0, 2], llama, h100)
%!error id=llmenv:badValue  llmenv_solve ("l_wall", 1, "kv_bytes", [3, 2], llama, h100)
%!error id=llmenv:badValue  llmenv_solve ("l_wall", Inf, "kv_bytes", [1, 2], llama, h100)
%!error id=llmenv:badValue  llmenv_solve ("l_wall", "9x%", "kv_bytes", [1, 2], llama, h100)
%!error id=llmenv:badValue  llmenv_solve ("l_wall", "%", "kv_bytes", [1, 2], llama, h100)
%!error id=llmenv:badValue  llmenv_solve ("weight_bytes", "Inf%", "batch", [1, 2], llama, h100)
%!error <^llmenv_solve: TARGET 90%: l_wall has no two ends, finite and different, at kv_bytes 0>
%! llmenv_solve ("l_wall", "90%", "kv_bytes", [1, 2], llama, h100);
%!error id=llmenv:badValue  llmenv_solve ("weight_bytes", "90%", "batch", [1, 2], llama, h100)
%!error id=llmenv:badSize   llmenv_solve ("weight_bytes", "90%", "batch", [1, 2], {llama, llama}, h100)
%!error id=llmenv:badSize   llmenv_solve ("l_wall", 1, "kv_bytes", 1, llama, h100)
%!error id=llmenv:badSize   llmenv_solve ("l_wall", [], "kv_bytes", [1, 2], llama, h100)
%!error id=llmenv:badSize   llmenv_solve ("l_wall", 1, "kv_bytes", [1, 2], {llama, llama}, h100)
%!error id=llmenv:badOption llmenv_solve ("l_wall", 1, "kv_bytes", [1, 2], llama, h100, "Whole", "x")
%!error id=llmenv:unknownModel llmenv_solve ("l_wall", 1, "kv_bytes", [1, 2], "nope", h100)
%!error id=llmenv:badFile
%! llmenv_solve ("l_wall", 1, "kv_bytes", [1, 2], llama, h100, "Contexts", "/nowhere");

%!demo
%! ## KV bytes per element that a wall of 8k takes, by model.
%! for id = {"deepseek-v3", "gemma-3-27b", "llama-3-1-8b"}
%!   b = llmenv_solve ("l_wall", 8192, "kv_bytes", [0.28, 4], id{1},
%!                     "nvidia-h100-sxm");
%!   printf ("%-16s %s\n", id{1}, disp (b)(1:end-1));
%! endfor
