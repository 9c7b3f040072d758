## SPDX-License-Identifier: GPL-3.0-or-later

## [OUT, ...] = __llmenv_gate__ (CALLER, GATEWAY, N, ARG...): call a gateway.
## The first N of ARG go as they are; the rest are options, pairs or structs.
## Errors keep their identifier and get CALLER's name in the place of the
## gateway's.

function varargout = __llmenv_gate__ (caller, gateway, n, varargin)
  try
    if (numel (varargin) > n)
      pairs = __llmenv_pairs__ (varargin{n+1:end});
      varargin = [varargin(1:n), pairs];
    endif
    [varargout{1:nargout}] = feval (gateway, varargin{:});
  catch e
    message = [caller ": " regexprep(e.message, '^\w+: ', "", "once")];
    ## As a struct: an empty identifier is allowed, and % is no format.
    error (struct ("message", message, "identifier", e.identifier));
  end_try_catch
endfunction
