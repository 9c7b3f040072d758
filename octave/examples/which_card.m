## SPDX-License-Identifier: GPL-3.0-or-later
## Which cards hold Llama 3.1 8B in bf16 with a context of 32k tokens, how many
## such sequences, and how fast is one of them at most?

m = "llama-3-1-8b";
L = 32768;
cards = {"nvidia-rtx-4080"; "nvidia-rtx-4090"; "nvidia-rtx-5090"; ...
         "nvidia-l40s"; "nvidia-h100-sxm"; "nvidia-h200-sxm"};
n = llmenv_capacity (m, cards, L);
rate = llmenv_throughput (m, cards, 1, L);
for k = 1:numel (cards)
  if (n(k) >= 1)
    printf ("%-16s %2d at a time, one at %5.1f tokens/s\n", cards{k},
            floor (n(k)), rate(k));
  else
    printf ("%-16s does not hold one\n", cards{k});
  endif
endfor

## Prints:
## nvidia-rtx-4080  does not hold one
## nvidia-rtx-4090   1 at a time, one at  52.2 tokens/s
## nvidia-rtx-5090   3 at a time, one at  92.8 tokens/s
## nvidia-l40s       7 at a time, one at  44.8 tokens/s
## nvidia-h100-sxm  15 at a time, one at 173.5 tokens/s
## nvidia-h200-sxm  31 at a time, one at 248.6 tokens/s
