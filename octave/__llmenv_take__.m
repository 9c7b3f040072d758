## SPDX-License-Identifier: GPL-3.0-or-later

## [VALUE, REST] = __llmenv_take__ (PAIRS, NAME, DEFAULT): take option NAME out
## of PAIRS, in any case, also with hyphens as in the command; the last one
## counts.

function [value, rest] = __llmenv_take__ (pairs, name, default)
  value = default;
  names = pairs(1:2:end);
  names(! cellfun ("ischar", names)) = {""};
  hit = strcmpi (strrep (names, "-", ""), name);
  at = 2 * find (hit, 1, "last");
  if (! isempty (at) && at <= numel (pairs))
    value = pairs{at};
  elseif (! isempty (at))
    error ("llmenv:badCall", "options are pairs of a name and a value");
  endif
  rest = pairs(! [hit; hit](:)'(1:numel (pairs)));
endfunction
