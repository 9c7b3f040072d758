## SPDX-License-Identifier: GPL-3.0-or-later

## TEXT = __llmenv_plot_caption__ (PAIRS, WHERE): the assumptions of a picture:
## WHERE (model, card, context, batch), then what the options PAIRS say, in the
## words of every table, with those that these leave out. An option that no
## function knows raises here.

function text = __llmenv_plot_caption__ (pairs, where)
  t = llmenv_table ("types", pairs{:});
  text = regexprep (t.caption, ', (card|context|batch) [^,;]*', "");
  told = {"Convention", "Basis", "WeightType", "WeightBytes", "KVType", ...
          "KType", "VType", "ComputeType", "Count", "Reserve", "Model", ...
          "Card", "Context", "Batch"};
  for k = 1:2:numel (pairs)
    words = lower (regexprep (strrep (pairs{k}, "-", ""), '(?<=[a-z])([A-Z])',
                              " $1"));
    if (! any (strcmpi (strrep (words, " ", ""), told))
        && isempty (strfind (text, words)))
      text = [text ", " words " " value_of(pairs{k+1})];
    endif
  endfor
  if (! isempty (where))
    text = [where "; " text];
  endif
endfunction

function text = value_of (value)
  text = "as given";
  if (ischar (value))
    text = value;
  elseif (isnumeric (value) && isscalar (value))
    text = sprintf ("%.6g", value);
  endif
endfunction
