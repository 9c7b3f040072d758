## SPDX-License-Identifier: GPL-3.0-or-later

## W = __llmenv_plot_width__ (STRING, SIZE): about how many pixels STRING takes
## at SIZE pixels in DejaVu Sans, a little more rather than less.

function w = __llmenv_plot_width__ (string, size)
  if (iscell (string))
    w = cellfun (@(s) __llmenv_plot_width__ (s, size), string);
    return;
  endif
  string = string(:)';
  em = repmat (0.63, 1, numel (string));
  em(any (string == "iljtfrI.,:;'|!()[]/- "', 1)) = 0.38;
  em(any (string == "mwMW@%"', 1)) = 0.95;
  em(string >= "A" & string <= "Z" & em == 0.63) = 0.71;
  em(string > 127) = 0.4;      # a character of UTF-8 is several of these
  w = size * sum (em);
endfunction
