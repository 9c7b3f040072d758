## SPDX-License-Identifier: GPL-3.0-or-later
## Speed as a ratio: an intensity grid from Octave against zeros of its size,
## best of several rounds in one run.
B = 1:4000;
L = 10 * (1:2500)';
made = zeroed = Inf;
for round = 1:9
  t = tic;
  z = zeros (numel (L), numel (B));
  zeroed = min (zeroed, toc (t));
  clear z
  t = tic;
  ai = llmenv_intensity ("llama-3-1-8b", B, L);
  made = min (made, toc (t));
  clear ai
endfor
printf ("octave: intensity  llama-3-1-8b grid of %d x %d: %.2f times zeros of its size\n",
        numel (B), numel (L), made / zeroed);
t = tic;
for k = 1:200
  llmenv_kv_bytes ("llama-3-1-8b", 8192);
endfor
by_id = toc (t);
t = tic;
for k = 1:200
  validatestring ("r", {"red", "green"});
endfor
printf ("octave: a call by id costs %.1f times Octave's validatestring\n",
        by_id / toc (t));
