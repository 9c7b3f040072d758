## SPDX-License-Identifier: GPL-3.0-or-later

## [VALUE, INFO] = __llmenv_call__ (QUANTITY, N, ARG...): value of a quantity
## of the core; the first N of ARG are its arguments, the rest are options.

function varargout = __llmenv_call__ (quantity, n, varargin)
  if (nargout > 2)
    error ("llmenv:badCall", "llmenv_%s: called with too many outputs",
           quantity);
  endif
  [varargout{1:nargout}] = __llmenv_gate__ (["llmenv_" quantity],
                                            "__llmenv_quantity__", n + 1,
                                            quantity, varargin{:});
endfunction
