## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} llmenv_show (@var{model})
## @deftypefnx {} {@var{t} =} llmenv_show (@var{model}, @var{card})
## @deftypefnx {} {@var{t} =} llmenv_show (@dots{}, @var{options})
## @deftypefnx {} {} llmenv_show (@dots{})
## What is known of a model on a card, in a screenful?
##
## @var{model} and @var{card} are ids or names that are not ambiguous; the card
## is @qcode{"nvidia-h100-sxm"} unless given. Batch and context are the options
## @code{Batch} and @code{Context}, 1 and 8192 unless given; @code{Contexts}, a
## file, gives a mix in the place of one context.
##
## @var{t} has the shape that @code{llmenv_table} describes. With no output it
## is printed. @var{options} are name, value pairs in any case or a struct; see
## @code{help llmenv_options}.
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badType} (neither id nor name),
## @code{llmenv:badOption}, @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}, with the nearest ids.
##
## Source: documents 000 and 003.
##
## @example
## llmenv_show ("llama-3-1-8b", "nvidia-rtx-4090", "KVType", "q8_0")
## @end example
## @seealso{llmenv_model, llmenv_accelerator, llmenv_table, llmenv_options}
## @end deftypefn

function t = llmenv_show (model, varargin)
  if (nargin == 0)
    error ("llmenv:badCall",
           "llmenv_show: usage: llmenv_show (MODEL, CARD, OPTION, VALUE, ...)");
  endif
  records = {"Model", model};
  ## Options come in pairs or structs: an odd one out in front is the card.
  n = sum (! cellfun ("isstruct", varargin));
  if (rem (n, 2) == 1)
    records = [records, {"Card", varargin{1}}];
    varargin(1) = [];
  endif
  for k = 2:2:numel (records)
    if (! ischar (records{k}))
      error ("llmenv:badType", "llmenv_show: %s must be an id or a name",
             toupper (records{k-1}));
    endif
  endfor
  [table, text] = __llmenv_table_call__ ("llmenv_show", "show", "", {},
                                         records{:}, varargin{:});
  if (nargout == 0)
    puts (text);
  else
    t = table;
  endif
endfunction

%!test
%! t = llmenv_show ("llama-3-1-8b", "nvidia-rtx-4090", "KVType", "q8_0");
%! assert (fieldnames (t.data), t.columns');
%! assert (! isempty (strfind (t.title, "Llama 3.1 8B")));
%! assert (! isempty (strfind (t.caption, "nvidia-rtx-4090")));
%! assert (! isempty (strfind (t.caption, "q8_0")));

## The card is optional, also before options.
%!test
%! t = llmenv_show ("llama-3-1-8b");
%! assert (llmenv_show ("Llama 3.1 8B", "h100 sxm").data, t.data);
%! t = llmenv_show ("llama-3-1-8b", "Context", 4096);
%! assert (llmenv_show ("llama-3-1-8b", "nvidia-h100-sxm", "Context", 4096), t);
%! assert (llmenv_show ("llama-3-1-8b", struct ("Context", 4096)), t);
%! assert (llmenv_show ("llama-3-1-8b", "nvidia-h100-sxm",
%!                      struct ("Context", 4096)), t);

%!assert (! isempty (evalc ('llmenv_show ("llama-3-1-8b")')))
%!assert (! isempty (evalc ('llmenv_show ("o3")')))
## Numbers of any size: no page of digits, no record that is said to be missing.
%!test
%! text = evalc ('llmenv_show ("gemma-3-27b", "Context", 1e308, "Batch", 1e300)');
%! assert (! isempty (strfind (text, "context 1e+308, batch 1e+300")));
%! assert (isempty (regexp (text, '\d{16}|no record')));

%!error id=llmenv:badCall      llmenv_show ()
%!error id=llmenv:badType      llmenv_show (1)
%!error id=llmenv:badType      llmenv_show ("o3", 1)
%!error id=llmenv:unknownModel llmenv_show ("o33")
%!error id=llmenv:unknownCard  llmenv_show ("o3", "h1000")
%!error <^llmenv_show: no card 'nvidia-h2'; nearest: .*nvidia-h20>
%! llmenv_show ("o3", "nvidia-h2");
%!error id=llmenv:badOption    llmenv_show ("o3", "Colour", 1)

%!demo
%! ## An 8B on a consumer card, four sequences at 8k.
%! llmenv_show ("llama-3-1-8b", "nvidia-rtx-4090", "Batch", 4)
