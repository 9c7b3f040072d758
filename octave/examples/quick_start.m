## SPDX-License-Identifier: GPL-3.0-or-later
## Five numbers of a model on a card.  Needs: addpath build/octave

m = "llama-3-1-8b"; a = "nvidia-h100-sxm"; L = 8192;
printf ("KV of one sequence  %.2f GiB\n", llmenv_kv_bytes (m, L) / 2^30);
printf ("tokens/s at most    %.1f\n", llmenv_throughput (m, a, 1, L));
printf ("sequences that fit  %.1f\n", llmenv_capacity (m, a, L));
printf ("wall                %.0f tokens\n", llmenv_l_wall (m, a));

## Prints:
## KV of one sequence  1.00 GiB
## tokens/s at most    208.3
## sequences that fit  63.3
## wall                393 tokens
