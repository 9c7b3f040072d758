## SPDX-License-Identifier: GPL-3.0-or-later

## TEXT = __llmenv_plot_plain__ (TEXT): text, or a cell of it, that is safe to
## draw. Octave hands text to gnuplot in double quotes as it is, where gnuplot
## runs what stands in backquotes: names of records come from anywhere.

function text = __llmenv_plot_plain__ (text)
  text = regexprep (text, '[`"]', "'");
  text = strrep (text, "\\", "/");
  text = regexprep (text, '[\x00-\x1f]', " ");
endfunction
