## SPDX-License-Identifier: GPL-3.0-or-later

## TEXT = __llmenv_plot_number__ (X): X for a label: three figures, whole
## thousands with commas, 2.61e7 far from 1.
## TEXT = __llmenv_plot_number__ (X, "count"): powers of two as 4k, 1M.

function text = __llmenv_plot_number__ (x, kind = "")
  if (strcmp (kind, "count"))
    units = {"", "k", "M", "G", "T"};
    k = min (4, floor (log2 (max (1, x) * (1 + eps)) / 10));
    text = sprintf ("%.4g%s", x / 1024 ^ k, units{k+1});
  elseif (x == fix (x) && abs (x) < 999.5)
    text = sprintf ("%d", x);
  elseif (abs (x) >= 999.5 && abs (x) < 1e7)
    text = sprintf ("%.0f", x);
    text = fliplr (regexprep (fliplr (text), '(\d{3})(?=\d)', "$1,"));
  elseif (abs (x) >= 1e7 || abs (x) < 1e-3)
    n = floor (log10 (abs (x)) + 1e-12);
    text = sprintf ("%.3ge%d", x / 10 ^ n, n);
  else
    digits = max (0, 2 - floor (log10 (abs (x)) + 1e-3));
    text = sprintf ("%.*f", digits, x);
  endif
endfunction
