## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{e} =} llmenv_elasticity (@var{quantity}, @var{input}, @var{model}, @var{card})
## @deftypefnx {} {@var{e} =} llmenv_elasticity (@dots{}, @var{options})
## @deftypefnx {} {[@var{e}, @var{reason}] =} llmenv_elasticity (@dots{})
## By how many percent does a quantity move when an input moves by one?
##
## @example
## e = d ln quantity / d ln input
## @end example
##
## @noindent
## by central differences, halved and extrapolated until they agree. At a bend
## (the end of a window, the ridge) it is the mean of both sides.
##
## @table @var
## @item quantity, input
## a name or a cell of names, as for @code{llmenv_solve}. @qcode{"kv_bytes"}
## scales K and V alike, @qcode{"weight_bytes"} every part of the weights
## @item model, card
## an id, a name that is not ambiguous, a record as a struct, or @code{[]}
## @item options
## name, value pairs in any case, or one struct, see @code{llmenv_options};
## Context (or Contexts) and Batch say where
## @item e
## quantities x inputs; exactly 0 where the quantity does not depend on the
## input, @code{NaN} where it has no finite value above 0
## @item reason
## why @var{e} is @code{NaN}, a cell of that size
## @end table
##
## Errors: those of @code{llmenv_solve}.
##
## @example
## @group
## llmenv_elasticity ("l_wall", @{"kv_bytes", "bandwidth"@}, ...
##                    "llama-3-1-8b", "nvidia-h100-sxm")
## @result{} ans =
##
##   -1.0137   1.0137
## @end group
## @end example
## @seealso{llmenv_sweep, llmenv_solve, llmenv_table, llmenv_options}
## @end deftypefn

function varargout = llmenv_elasticity (varargin)
  if (nargin < 4)
    error ("llmenv:badCall",
           "llmenv_elasticity: usage: llmenv_elasticity (QUANTITY, INPUT, MODEL, CARD, OPTION, VALUE, ...)");
  endif
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_gate__ ("llmenv_elasticity", "__llmenv_solve__", 5, "elasticity",
                       varargin{:});
endfunction

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## The wall 2P/((R - g) k): -1 in k (g moves with it: -R/(R - g)), R/(R - g) in
## the bandwidth, minus that in the peak.
%!test
%! R = 1000 * 989.5 / 3350;
%! e = llmenv_elasticity ("l_wall", {"kv_bytes", "bandwidth", "peak", "memory"},
%!                        llama, h100, "Convention", "published");
%! assert (e, R / (R - 4) * [-1, 1, -1, 0], 1e-10);
%! assert (e(4), 0);

## Throughput on the memory roof: a share of its bytes for each stream.
%!test
%! W = llmenv_weight_bytes (llama, 1);
%! K = llmenv_kv_bytes (llama, 8192);
%! e = llmenv_elasticity ("throughput", {"weight_bytes", "kv_bytes", "context", "batch", "bandwidth", "peak"},
%!                        llama, h100);
%! share = K / (W + K);
%! assert (e, [share - 1, -share, -share, 1 - share, 1, 0], 1e-10);

%!test
%! [e, reason] = llmenv_elasticity ({"ridge", "b_star", "capacity"}, {"peak", "context"}, llama, h100);
%! assert (size (e), [3, 2]);
%! assert (e(1,:), [1, 0], 1e-10);
%! assert (e(3,2), -1, 1e-10);
%! assert (isnan (e(2,:)), [true, true]);
%! assert (reason(2,:), {"none", "none"});
%! assert (reason(1,:), {"", ""});

## Experts: W(1) = w (S + X e/E).
%!test
%! m = "qwen3-30b-a3b";
%! S = llmenv_weight_bytes (m, 0);
%! W = llmenv_weight_bytes (m, 1);
%! e = llmenv_elasticity ("weight_bytes", {"expert_ratio", "experts"}, m, []);
%! assert (e, [1 - S / W, 0], 1e-10);
%! assert (e(2), 0);
%! assert (llmenv_elasticity ("l_wall", {"expert_ratio", "experts"}, llama, h100), [0, 0]);

%!error id=llmenv:badCall   llmenv_elasticity ("l_wall", "kv_bytes", llama)
%!error id=llmenv:badOption llmenv_elasticity ("l_wall", "kv", llama, h100)
%!error id=llmenv:badSize   llmenv_elasticity ("l_wall", "peak", {llama, llama}, h100)
%!error id=llmenv:unknownCard llmenv_elasticity ("l_wall", "peak", llama, "nope")

%!demo
%! ## What moves the tokens per second of one sequence at 8k, most first.
%! in = {"weight_bytes", "kv_bytes", "context", "bandwidth", "peak"};
%! e = llmenv_elasticity ("throughput", in, "llama-3-1-8b", "nvidia-h100-sxm");
%! [~, order] = sort (-abs (e));
%! printf ("%-14s %+.3f\n", [in(order); num2cell(e(order))]{:});
