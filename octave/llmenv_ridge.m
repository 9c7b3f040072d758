## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{R} =} llmenv_ridge (@var{card})
## @deftypefnx {} {@var{R} =} llmenv_ridge (@dots{}, @var{options})
## @deftypefnx {} {[@var{R}, @var{info}] =} llmenv_ridge (@dots{})
## Ridge point of a card: how many FLOP must a step do for each byte it moves
## before arithmetic, not memory, sets its time?
##
## @example
## @group
## published:  R = 1000 TFLOP/s / (GB/s), recorded values
## layered:    R = (eta_c peak FLOP/s)/(eta_b peak bytes/s),
##             corrected values
## @end group
## @end example
##
## @noindent
## The peak is the dense rate of the compute type (bf16 unless
## @code{ComputeType} says otherwise; a card without a bf16 row uses its dense
## fp16 row). eta_c and eta_b are the options @code{ComputeEfficiency} and
## @code{BandwidthEfficiency}, 1 by default. Cards ganged by @code{Count} have
## the ridge of one.
##
## @table @var
## @item card
## a card: an id (@code{"nvidia-h100-sxm"}, see @code{llmenv_accelerators}), a
## name that is not ambiguous, a record as a struct (see
## @code{llmenv_accelerator}), or a cell array of these
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, ComputeType, BandwidthEfficiency, ComputeEfficiency. @code{help
## llmenv_options} explains every option.
## @item R
## FLOP/byte; @code{NaN} where the record has no dense rate of that type or no
## bandwidth (reason @qcode{"no record"})
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{R})
## @end table
##
## A cell array gives a column, one element each. Empty input gives empty
## output; integers and singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not a record), @code{llmenv:badOption},
## @code{llmenv:unknownCard}, @code{llmenv:badRecord} (a struct that contradicts
## itself).
##
## Source: document 003, section 1.1; document 000.
##
## @example
## @group
## llmenv_ridge ("nvidia-h100-sxm")
## @result{} ans = 295.37
## @end group
## @end example
## @seealso{llmenv_b_star, llmenv_l_wall, llmenv_intensity, llmenv_accelerator, llmenv_options}
## @end deftypefn

function varargout = llmenv_ridge (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("ridge", 1, varargin{:});
endfunction

## Document 003's table and document 000's ratios.
%!test
%! id = {"nvidia-h100-sxm", "nvidia-h200-sxm", "nvidia-b200", ...
%!       "amd-instinct-mi300x", "amd-instinct-mi325x", ...
%!       "amd-instinct-mi355x", "nvidia-a100-80gb-sxm4", "nvidia-l40s", ...
%!       "nvidia-h20"};
%! printed = [295.4; 206.1; 312.5; 246.7; 217.9; 312.5; 153.0; 419.0; 37.0];
%! R = llmenv_ridge (id, "Convention", "published");
%! assert (R, printed, 0.0501);
%!assert (llmenv_ridge ("nvidia-h100-sxm"), 1000 * 989.5 / 3350, -eps)
%!assert (round (llmenv_ridge ({"nvidia-rtx-4090", "nvidia-rtx-3090"})),
%!        [164; 76])
%!assert (llmenv_ridge ("nvidia-h100-sxm", "ComputeType", "fp8"),
%!        1000 * 1979 / 3350, -eps)

## Identities.
%!test
%! R = llmenv_ridge ("nvidia-h100-sxm");
%! assert (llmenv_ridge ("nvidia-h100-sxm", "ComputeEfficiency", 0.5), R / 2,
%!         -2 * eps);
%! assert (llmenv_ridge ("nvidia-h100-sxm", "BandwidthEfficiency", 0.8),
%!         R / 0.8, -2 * eps);
%! assert (llmenv_ridge ("nvidia-h100-sxm", "Count", 8), R, -2 * eps);
%!test
%! a = struct ("id", "mine", "memory_bandwidth_gbps", 500, "flops", ...
%!             struct ("precision", "bf16", "tflops", 50, "dense", true));
%! assert (llmenv_ridge (a), 100);
%!test
%! [R, info] = llmenv_ridge ({"nvidia-h800-80gb", "nvidia-h20"});
%! assert (R, [NaN; 37]);
%! assert (info.reason, {"no record"; ""});

%!shared h100
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_ridge ("h100 sxm"),
%!        llmenv_ridge (h100))
%!assert (llmenv_ridge (llmenv_accelerator ("nvidia-h100-sxm")),
%!        llmenv_ridge (h100))
%!test
%! v = llmenv_ridge (h100, "Convention", "published");
%! assert (llmenv_ridge (h100, "CONVENTION", "Published"), v);
%! assert (llmenv_ridge (h100, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_ridge (h100);
%! assert (info.unit, "FLOP/byte");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_ridge ()
%!error id=llmenv:badCall  llmenv_ridge (h100, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_ridge (h100);
%!error <^llmenv_ridge: options are pairs>
%! llmenv_ridge (h100, "Basis")
%!error id=llmenv:badType  llmenv_ridge (1)
%!error id=llmenv:unknownCard llmenv_ridge ("nvidia-h100-smx")
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_ridge ("nvidia-h100-smx");
%!error id=llmenv:badOption llmenv_ridge (h100, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_ridge (h100, "Bassis", "active");
%!error id=llmenv:badOption llmenv_ridge (h100, "Basis", "some")
%!error id=llmenv:badOption llmenv_ridge (h100, "Count", 1.5)
%!error id=llmenv:badOption llmenv_ridge (h100, struct ("a", {1, 2}))
%!error id=llmenv:badRecord
%! a = llmenv_accelerator ("nvidia-h100-sxm");
%! a.memory_bandwidth_gbps = "fast";
%! llmenv_ridge (a);

%!demo
%! ## Cards by their ridge: the lower, the sooner a batch reaches it.
%! id = {"nvidia-h20"; "nvidia-rtx-3090"; "nvidia-rtx-4090"; "nvidia-h100-sxm"};
%! R = llmenv_ridge (id);
%! printf ("%-16s %6.1f FLOP/byte\n", [id, num2cell(R)]'{:});
