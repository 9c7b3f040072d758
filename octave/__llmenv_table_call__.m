## SPDX-License-Identifier: GPL-3.0-or-later

## [T, TEXT] = __llmenv_table_call__ (CALLER, KIND, NAME, FLAG, ARG...): a table
## of the core as a struct and as aligned text.  ARG: options.
## FLAG is {OPTION, DEFAULT, CHOICES}: an option of this table alone and its
## words, the second of which sets the gateway's flag; {} for none.

function [t, text] = __llmenv_table_call__ (caller, kind, name, flag, varargin)
  try
    pairs = __llmenv_pairs__ (varargin{:});
    is_set = false;
    if (! isempty (flag))
      [word, pairs] = __llmenv_take__ (pairs, flag{1}, flag{2});
      is_set = choice (word, flag{1}, flag{3});
    endif
  catch e
    error (e.identifier, "%s: %s", caller, e.message);
  end_try_catch
  [t, text] = __llmenv_gate__ (caller, "__llmenv_table__", 3, kind, name,
                               is_set, pairs{:});
endfunction

function is_second = choice (word, option, words)
  if ((islogical (word) || isnumeric (word)) && isscalar (word)
      && strcmp (words{1}, "false"))
    word = ifelse_word (word, words);
  endif
  at = [];
  if (ischar (word))
    at = find (strcmpi (word, words));
  endif
  if (isempty (at))
    if (! ischar (word))
      word = disp (word)(1:end-1);
    endif
    error ("llmenv:badOption", "option %s: '%s' is not accepted, expected %s",
           option, word, strjoin (words, " or "));
  endif
  is_second = at == 2;
endfunction

function word = ifelse_word (value, words)
  if (value == 0)
    word = words{1};
  elseif (value == 1)
    word = words{2};
  else
    word = value;
  endif
endfunction
