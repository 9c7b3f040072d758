## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{a} =} llmenv_accelerator (@var{card})
## @deftypefnx {} {} llmenv_accelerator (@var{card})
## What is recorded of a card?
##
## @var{card} is an id (see @code{llmenv_accelerators}), a name that is not
## ambiguous (letters and digits count, or whole words of it), a struct, which
## is checked and returned, or a cell array of these, for which @var{a} is a
## cell array of that size. With no output a readable card is printed: key
## figures in both conventions, rates, corrections, provenance.
##
## @var{a} is a struct with the fields of the record file; what is not recorded
## is @code{NaN}, in text fields @qcode{""}. The main ones:
##
## @table @code
## @item flops
## cell of @code{precision}, @code{tflops} (1e12 FLOP/s, a multiply-add is 2)
## and @code{dense}; of equal dense rows the largest counts
## @item memory_bandwidth_gbps
## peak bandwidth in GB/s (1e9 bytes)
## @item vram_gb, memory_bytes
## memory as sold, in GB, and as the driver reports it, in bytes
## @item corrections
## cell of @code{field}, @code{published}, @code{right}, @code{why}; one with
## @code{applies} false is noted only
## @end table
##
## Change a field to ask what if. A struct of @code{id}, @code{flops},
## @code{memory_bandwidth_gbps} and @code{vram_gb} is enough for a card of your
## own.
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badType} (neither text, struct
## nor cell), @code{llmenv:unknownCard} (with the nearest ids),
## @code{llmenv:badRecord} (with the field), @code{llmenv:badFile}.
##
## Source: document 003's accelerator records, datasheets where they differ.
##
## @example
## @group
## a = llmenv_accelerator ("nvidia-h100-sxm");
## a.memory_bandwidth_gbps
## @result{} ans = 3350
## @end group
## @end example
## @seealso{llmenv_accelerators, llmenv_model, llmenv_ridge}
## @end deftypefn

function a = llmenv_accelerator (card, varargin)
  if (nargin != 1)
    error ("llmenv:badCall",
           "llmenv_accelerator: usage: llmenv_accelerator (CARD)");
  endif
  if (iscell (card))
    record = cellfun (@get_record, card, "UniformOutput", false);
  else
    record = get_record (card);
  endif
  if (nargout > 0)
    a = record;
  elseif (iscell (record))
    cellfun (@print_card, record);
  else
    print_card (record);
  endif
endfunction

function a = get_record (card)
  a = __llmenv_gate__ ("llmenv_accelerator", "__llmenv_record__", 2, "card",
                       card);
endfunction

function print_card (a)
  name = a.id;
  if (isfield (a, "name") && ! isempty (a.name))
    name = sprintf ("%s (%s)", a.name, a.id);
  endif
  facts = {"vendor", "vendor", "%s"
           "architecture", "architecture", "%s"
           "release_year", "released", "%d"
           "memory_type", "memory type", "%s"
           "memory_bandwidth_gbps", "bandwidth", "%.10g GB/s"
           "tdp_w", "power", "%.10g W"
           "vram_gb", "memory as sold", "%.10g GB"};
  entries = __llmenv_facts__ (a, facts);
  if (isfield (a, "memory_bytes") && isfinite (a.memory_bytes))
    entries(end+1,:) = {"memory reported", ...
                        sprintf("%d bytes, %.2f GB, %.2f GiB",
                                a.memory_bytes * [1, 1e-9, 2^-30])};
  endif
  entries = [entries; key_figures(a); rates(a); __llmenv_facts__(a)];
  __llmenv_card__ (name, entries);
endfunction

## Figures in both conventions, with the word where there is no number.
function entries = key_figures (a)
  m = "llama-3-1-8b";
  figures = {"ridge, bf16", "ridge", {a}, "FLOP/byte"
             "wall of an 8B", "l_wall", {m, a}, "tokens"
             "fill of an 8B", "fill", {m, a}, "tokens"
             "tokens/s of an 8B", "throughput", {m, a, 1, 8192}, ...
             "tokens/s at batch 1, 8k"};
  entries = {"Key figures: layered (published); 8B is Llama 3.1 8B", ""};
  for k = 1:rows (figures)
    [label, quantity, args, word] = figures{k,:};
    text = cell (1, 2);
    for c = 1:2
      convention = {"layered", "published"}{c};
      [x, info] = __llmenv_call__ (quantity, numel (args), args{:},
                                   "Convention", convention);
      text{c} = info.reason;
      if (isempty (text{c}))
        text{c} = sprintf ("%.1f", x);
      endif
    endfor
    entries(end+1,:) = {label, sprintf("%s (%s) %s", text{:}, word)};
  endfor
endfunction

function entries = rates (a)
  entries = cell (0, 2);
  if (! isfield (a, "flops") || isempty (a.flops))
    return;
  endif
  entries = {"Peak rates", ""};
  list = a.flops;
  if (isstruct (list))
    list = num2cell (list);
  endif
  for row = list(:)'
    kind = {"sparse", "dense"}{1 + row{1}.dense};
    entries(end+1,:) = {row{1}.precision, sprintf("%g TFLOP/s %s", ...
                                                  row{1}.tflops, kind)};
  endfor
endfunction

%!test
%! a = llmenv_accelerator ("nvidia-h100-sxm");
%! assert (a.id, "nvidia-h100-sxm");
%! assert (a.memory_bandwidth_gbps, 3350);
%! assert (a.memory_bytes, 81559 * 2^20);
%! k = find (cellfun (@(f) strcmp (f.precision, "bf16"), a.flops));
%! assert (a.flops{k}.tflops, 989.5);
%!assert (llmenv_accelerator ("H100 SXM"),
%!        llmenv_accelerator ("nvidia-h100-sxm"))
%!test
%! a = llmenv_accelerator ({"nvidia-h20", "nvidia-l4"});
%! assert (size (a), [1, 2]);
%! assert (a{1}.id, "nvidia-h20");

## Every record survives the way through a struct, and so do its figures.
%!test
%! ids = llmenv_accelerators ();
%! a = llmenv_accelerator (ids);
%! for k = 1:numel (ids)
%!   assert (llmenv_accelerator (a{k}), a{k});
%! endfor
%! for convention = {"layered", "published"}
%!   opt = {"Convention", convention{1}};
%!   assert (llmenv_ridge (a, opt{:}), llmenv_ridge (ids, opt{:}));
%!   assert (llmenv_fill ("gemma-2-2b", a, opt{:}),
%!           llmenv_fill ("gemma-2-2b", ids, opt{:}));
%! endfor

%!test
%! text = evalc ('llmenv_accelerator ("nvidia-rtx-3090")');
%! assert (! isempty (strfind (text, "RTX 3090")));
%! assert (! isempty (strfind (text, "fp16")));
%! assert (! isempty (strfind (text, "noted only")));
%! lines = strsplit (text, "\n");
%! assert (all (cellfun ("numel", lines) <= 80));
%!test # every record has a card
%! ids = llmenv_accelerators ();
%! text = evalc ("llmenv_accelerator (ids)");
%! assert (numel (text) > 300 * numel (ids));

%!error id=llmenv:badCall     llmenv_accelerator ()
%!error id=llmenv:badCall     llmenv_accelerator ("nvidia-h20", 1)
%!error id=llmenv:badType     llmenv_accelerator (1)
%!error id=llmenv:unknownCard llmenv_accelerator ("nvidia-h21x")
%!error id=llmenv:unknownCard llmenv_accelerator ("nvidia")
%!error <^llmenv_accelerator: no card 'nvidia-h21'; nearest: .*nvidia-h20>
%! llmenv_accelerator ("nvidia-h21");
%!error id=llmenv:badRecord   llmenv_accelerator (struct ("name", "no id"))
%!error <flops.*tflops>
%! llmenv_accelerator (struct ("id", "x", "flops",
%!                             struct ("precision", "bf16", "dense", true)));

%!demo
%! ## The card of a card, and what if it had twice the bandwidth.
%! llmenv_accelerator ("nvidia-rtx-4090")
%! a = llmenv_accelerator ("nvidia-rtx-4090");
%! a.memory_bandwidth_gbps *= 2;
%! printf ("\nwith twice the bandwidth: ridge %.1f\n", llmenv_ridge (a));
