## SPDX-License-Identifier: GPL-3.0-or-later

## TEXT = __llmenv_plot_caption__ (PAIRS, WHERE): the assumptions of a picture:
## WHERE (model, card, context, batch), then what the options PAIRS say, in the
## words of every table. An option that no function knows raises here.

function text = __llmenv_plot_caption__ (pairs, where)
  t = llmenv_table ("types", pairs{:});
  text = regexprep (t.caption, ', (card|context|batch) [^,;]*', "");
  if (! isempty (where))
    text = [where "; " text];
  endif
endfunction
