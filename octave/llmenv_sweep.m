## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{v} =} llmenv_sweep (@var{model}, @var{card}, @var{quantity}, @var{vary})
## @deftypefnx {} {@var{v} =} llmenv_sweep (@dots{}, @var{options})
## @deftypefnx {} {[@var{v}, @var{info}] =} llmenv_sweep (@dots{})
## Quantities over one or two varied inputs.
##
## @table @var
## @item model, card
## an id, a name that is not ambiguous, a record as a struct, a cell array of
## these, or @code{[]} where the quantity takes none
## @item quantity
## name of a quantity without its prefix (@qcode{"l_wall"}), or a cell of names;
## see @code{llmenv_table ("quantities")}
## @item vary
## what is varied: @code{@{input, values@}} or @code{@{input, values, input,
## values@}}, or a struct with a field for each input; the inputs are those of
## @code{llmenv_solve}, the values real numbers in any order
## @item options
## name, value pairs in any case, or one struct, see @code{llmenv_options};
## Context (or Contexts) and Batch hold where these are not varied
## @item v
## numbers of the first input x of the second (1 without one) x quantities x
## models x cards
## @item info
## struct: @code{inputs}, @code{values}, @code{quantities}, @code{units},
## @code{models}, @code{cards} (cells, in that order)
## @end table
##
## Work on one axis is done once for it, and nothing but the result grows with
## its size. Sweeps that take over a second say how far they are on standard
## error, where that is a terminal.
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badType}, @code{llmenv:badSize},
## @code{llmenv:badValue} (a value that the input does not take),
## @code{llmenv:badOption} (no such quantity, input or option),
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard},
## @code{llmenv:badRecord}, @code{llmenv:badFile}.
##
## @example
## @group
## llmenv_sweep ("llama-3-1-8b", "nvidia-h100-sxm", "l_wall", ...
##               @{"kv_bytes", [4, 2, 1, 0.5625]@})
## @result{} ans =
##
##     195.17
##     393.02
##     796.99
##    1448.22
## @end group
## @end example
## @seealso{llmenv_solve, llmenv_elasticity, llmenv_options}
## @end deftypefn

function varargout = llmenv_sweep (varargin)
  if (nargin < 4)
    error ("llmenv:badCall",
           "llmenv_sweep: usage: llmenv_sweep (MODEL, CARD, QUANTITY, VARY, OPTION, VALUE, ...)");
  endif
  vary = varargin{4};
  if (isstruct (vary) && isscalar (vary))
    varargin{4} = [fieldnames(vary), struct2cell(vary)]'(:)';
  endif
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_gate__ ("llmenv_sweep", "__llmenv_sweep__", 4, varargin{:});
endfunction

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## Each value is the quantity's own function at that place.
%!test
%! b = [4, 2, 1, 0.5625];
%! v = llmenv_sweep (llama, h100, "l_wall", {"kv_bytes", b});
%! assert (size (v), [4, 1]);
%! for k = 1:4
%!   assert (v(k), llmenv_l_wall (llama, h100, "KVType", b(k)));
%! endfor
%!test
%! B = 1:7;
%! L = [1; 128; 4096; 131072];
%! m = {"gemma-3-27b", "deepseek-v3"};
%! a = {h100, "nvidia-h20"};
%! [v, info] = llmenv_sweep (m, a, {"intensity", "throughput"},
%!                           struct ("batch", B, "context", L));
%! assert (size (v), [7, 4, 2, 2, 2]);
%! for i = 1:2
%!   for j = 1:2
%!     assert (v(:,:,1,i,j), llmenv_intensity (m{i}, B, L)');
%!     assert (v(:,:,2,i,j), llmenv_throughput (m{i}, a{j}, B, L)');
%!   endfor
%! endfor
%! assert (info.inputs, {"batch", "context"});
%! assert (info.values, {B, L});
%! assert (info.quantities, {"intensity", "throughput"});
%! assert (info.units, {"FLOP/byte", "tokens/s"});
%! assert (info.models, m);
%! assert (info.cards, a);

## Two axes of which one, or none, is batch or context, in both orders.
%!test
%! v = llmenv_sweep (llama, h100, "b_star", {"context", [16, 64], "kv_bytes", [1, 2, 4]});
%! w = llmenv_sweep (llama, h100, "b_star", {"kv_bytes", [1, 2, 4], "context", [16, 64]});
%! assert (v, w');
%! assert (v(2,1), llmenv_b_star (llama, h100, 64, "KVType", 1));
%!test
%! v = llmenv_sweep (llama, h100, "capacity", {"reserve", [0, 1e9], "utilization", [0.5, 0.9, 1]},
%!                   "Context", 1000);
%! assert (v(2,3), llmenv_capacity (llama, h100, 1000, "Reserve", 1e9));
%! assert (v(1,2), llmenv_capacity (llama, h100, 1000, "Reserve", 0, "Utilization", 0.9));

## e/E with P, and E without: e/E = 1 streams and computes everything.
%!test
%! m = "qwen3-30b-a3b";
%! W = llmenv_weight_bytes (m, Inf);
%! v = llmenv_sweep (m, h100, "weight_bytes", {"expert_ratio", [1/128, 8/128, 1], "batch", [1, 1e6]});
%! assert (v(3,:), [W, W], -1e-12);
%! assert (v(2,1), llmenv_weight_bytes (m, 1), -1e-12);
%! c = llmenv_sweep (m, h100, "ceiling", {"experts", [8, 64, 128, 1024]});
%! assert (c, repmat (llmenv_ceiling (m, 8192), 4, 1), -1e-12);

## More than one block of each axis.
%!test
%! B = linspace (1, 900, 1100);
%! L = linspace (1, 9000, 700);
%! v = llmenv_sweep ("deepseek-v3", h100, "throughput", {"batch", B, "context", L});
%! assert (v, llmenv_throughput ("deepseek-v3", h100, B', L));
%! v = llmenv_sweep ("deepseek-v3", h100, "throughput", {"context", L, "batch", B});
%! assert (v, llmenv_throughput ("deepseek-v3", h100, B, L'));

%!assert (size (llmenv_sweep (llama, h100, "l_wall", {"kv_bytes", []})), [0, 1])
%!assert (llmenv_sweep ([], h100, "ridge", {"peak", 3350e9}), 1)
%!error id=llmenv:badCall   llmenv_sweep (llama, h100, "l_wall")
%!error id=llmenv:badType   llmenv_sweep (llama, h100, "l_wall", 1)
%!error id=llmenv:badOption llmenv_sweep (llama, h100, "l_wall", {"kv", 1})
%!error <^llmenv_sweep: no quantity 'lwal'>
%! llmenv_sweep (llama, h100, "lwal", {"kv_bytes", 1});
%!error id=llmenv:badValue  llmenv_sweep (llama, h100, "l_wall", {"kv_bytes", [1, 0]})
%!error <experts: 1 is not accepted, expected a number of at least 8>
%! llmenv_sweep ("qwen3-30b-a3b", h100, "l_wall", {"experts", 1});
%!error id=llmenv:badCall   llmenv_sweep (llama, h100, "l_wall", {"batch", 1, "batch", 2})
%!error id=llmenv:unknownModel llmenv_sweep ("nope", h100, "l_wall", {"batch", 1})
%!error id=llmenv:unknownCard  llmenv_sweep (llama, "nope", "l_wall", {"batch", 1})
%!error id=llmenv:badOption llmenv_sweep (llama, h100, "l_wall", {"batch", 1}, "Bassis", 1)

%!demo
%! ## How the wall of four models moves with the storage of their KV cache.
%! m = {"smollm2-1-7b-instruct", "llama-3-1-8b", "gemma-3-27b", "deepseek-v3"};
%! b = [4, 2, 1, 0.5625];
%! v = squeeze (llmenv_sweep (m, "nvidia-h100-sxm", "l_wall", {"kv_bytes", b}));
%! printf ("%22s %8g %8g %8g %8g\n", "bytes per element:", b);
%! printf ("%22s %8.0f %8.0f %8.0f %8.0f\n", [m; num2cell(v)]{:});
