## SPDX-License-Identifier: GPL-3.0-or-later
## What a smaller KV type moves on an RTX 4090: the tokens that fit and the
## wall move together, their ratio hardly at all.  Cf. document 000.

m = "llama-3-1-8b";
a = "nvidia-rtx-4090";
printf ("type    fill   wall  ratio\n");
for type = {"bf16", "q8_0", "q4_0"}
  fill = llmenv_fill (m, a, "KVType", type{1});
  wall = llmenv_l_wall (m, a, "KVType", type{1});
  printf ("%-5s %6.0f %6.0f %6.1f\n", type{1}, fill, wall, fill / wall);
endfor

## Prints:
## type    fill   wall  ratio
## bf16   62536    716   87.3
## q8_0  117715   1379   85.4
## q4_0  222350   2721   81.7
