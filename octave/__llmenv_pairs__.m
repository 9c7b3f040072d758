## SPDX-License-Identifier: GPL-3.0-or-later

## PAIRS = __llmenv_pairs__ (ARG...): options as a row of names and values.
## ARG: name, value pairs and scalar structs of options, in any order.

function pairs = __llmenv_pairs__ (varargin)
  pairs = {};
  k = 1;
  while (k <= numel (varargin))
    arg = varargin{k};
    if (isstruct (arg))
      if (! isscalar (arg))
        error ("llmenv:badOption",
               "a struct of options must be scalar, not of %d elements",
               numel (arg));
      endif
      pairs = [pairs, [fieldnames(arg), struct2cell(arg)]'(:)'];
      k += 1;
    else
      ## An odd one out is the gateway's to refuse.
      pairs = [pairs, varargin(k:min (k + 1, end))];
      k += 2;
    endif
  endwhile
endfunction
