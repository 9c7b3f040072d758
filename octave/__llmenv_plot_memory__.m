## SPDX-License-Identifier: GPL-3.0-or-later

## BYTES = __llmenv_plot_memory__ (CARDS, PAIRS): memory that may be used, as
## llmenv_capacity takes it: that of a model of one byte with nothing reserved.

function bytes = __llmenv_plot_memory__ (cards, pairs)
  model = "llama-3-1-8b";
  [~, pairs] = __llmenv_take__ (pairs, "Engine", "");
  pairs = [pairs, {"Reserve", 0, "WeightBytes", 1}];
  bytes = llmenv_capacity (model, cards, 1, pairs{:})(:)' ...
          * llmenv_kv_bytes (model, 1, pairs{:}) + 1;
endfunction
