## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{ids} =} llmenv_accelerators ()
## @deftypefnx {} {@var{ids} =} llmenv_accelerators (@var{options})
## @deftypefnx {} {[@var{ids}, @var{t}] =} llmenv_accelerators (@dots{})
## @deftypefnx {} {} llmenv_accelerators (@dots{})
## Which cards are there?
##
## @var{ids} is a cell column of ids; every function that takes a card takes
## such a cell and then answers for all of them. @var{t} is the table with name,
## vendor, peak (TFLOP/s, dense), bandwidth (GB/s), memory (GB of 1e9 bytes),
## ridge (FLOP/byte) and what had to be assumed; it has the shape that
## @code{llmenv_table} describes. With no output the table is printed.
##
## @var{options} are name, value pairs or a struct; @code{Convention},
## @code{ComputeType}, @code{Count} and the efficiencies change figures of the
## table. @code{help llmenv_options} explains every option.
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badOption},
## @code{llmenv:badRecord} or @code{llmenv:badFile} for a record file that
## cannot be read, with file, line and column or the field.
##
## Source: the accelerator records of document 003's repository.
##
## @example
## @group
## numel (llmenv_accelerators ())
## @result{} ans = 64
## @end group
## @end example
## @seealso{llmenv_accelerator, llmenv_models, llmenv_ridge, llmenv_table}
## @end deftypefn

function [ids, t] = llmenv_accelerators (varargin)
  [t, text] = __llmenv_table_call__ ("llmenv_accelerators", "table", "cards",
                                     {}, varargin{:});
  if (nargout == 0)
    puts (text);
  else
    ids = t.data.id;
  endif
endfunction

%!test
%! ids = llmenv_accelerators ();
%! assert (iscellstr (ids));
%! assert (columns (ids), 1);
%! assert (numel (ids) >= 64);
%! assert (numel (unique (ids)), numel (ids));
%! assert (all (ismember ({"nvidia-h100-sxm", "nvidia-rtx-4090"}, ids)));

## The table agrees with the quantity, and with the datasheet of the H100.
%!test
%! [ids, t] = llmenv_accelerators ();
%! assert (t.data.id, ids);
%! assert (t.data.ridge, llmenv_ridge (ids));
%! k = find (strcmp (ids, "nvidia-h100-sxm"));
%! assert (t.data.peak_tflops(k), 989.5, -eps);
%! assert (t.data.bandwidth_gb_s(k), 3350, -eps);
%! assert (t.data.memory_gb(k), 81559 * 2^20 / 1e9, -eps);
%! [~, p] = llmenv_accelerators ("Convention", "published");
%! assert (p.data.memory_gb(k), 80, -eps);

%!assert (! isempty (strfind (evalc ("llmenv_accelerators ();"), "nvidia-h20")))
%!error id=llmenv:badOption llmenv_accelerators ("Nonsense", 1)
%!error id=llmenv:badCall   llmenv_accelerators ("Convention")
%!error <^llmenv_accelerators: no option> llmenv_accelerators ("Nonsense", 1)

%!demo
%! ## The five cards with the most bandwidth per FLOP.
%! ids = llmenv_accelerators ();
%! [R, order] = sort (llmenv_ridge (ids));
%! top = order(1:5);
%! printf ("%-16s %6.1f FLOP/byte\n", [ids(top), num2cell(R(1:5))]'{:});
