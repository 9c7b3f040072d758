## SPDX-License-Identifier: GPL-3.0-or-later

## Shapes of every quantity: cells of records add a dimension, numbers
## broadcast, empty in gives empty out, a mix of contexts counts as one.  Values
## are tested beside the functions.

## Rows: name, does it take models, cards, B, and which number besides (0: none;
## a context; bytes).
%!function q = quantities ()
%!  [L, bytes] = deal (8192, 1e9);
%!  q = {"ridge",        0, 1, 0, 0;     "weight_bytes", 1, 0, 1, 0
%!       "kv_bytes",     1, 0, 0, L;     "kv_context",   1, 0, 0, bytes
%!       "b_eq",         1, 0, 0, L;     "b_star",       1, 1, 0, L
%!       "l_wall",       1, 1, 0, 0;     "ceiling",      1, 0, 0, L
%!       "intensity",    1, 0, 1, L;     "n_prefill",    1, 1, 1, L
%!       "n_star",       1, 1, 0, 0;     "n_cross",      1, 0, 0, 0
%!       "fill",         1, 1, 0, 0;     "capacity",     1, 1, 0, L
%!       "b_50",         1, 0, 0, L;     "b_knee",       1, 0, 0, L
%!       "throughput",   1, 1, 1, L};
%!  q = reshape (q', 5, [])';
%!endfunction

## Value of a row of these with what it does not take left out.
%!function v = value (row, m, a, B, x)
%!  takes = [row{2:4}, row{5} > 0] != 0;
%!  args = {m, a, B, x}(takes);
%!  v = feval (["llmenv_" row{1}], args{:});
%!endfunction

## What fails says of which quantity.
%!function has_size (row, v, want)
%!  assert ({row{1}, size(v)}, {row{1}, want});
%!endfunction

%!function has_none (row, v)
%!  assert ({row{1}, isempty(v)}, {row{1}, true});
%!endfunction

%!shared llama, h100, models, cards, q, with
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";
%! models = {"smollm2-1-7b-instruct", llama, "deepseek-v3"};
%! cards = {h100, "nvidia-rtx-4090"};
%! q = quantities ();
%! with = @(column) q([q{:,column}] > 0,:)';

%!test # none is left out
%! assert (sort (q(:,1)), sort (llmenv_table ("quantities").data.quantity));

## Models down, cards across or down alone.
%!test
%! for row = with (2)
%!   v = value (row, models, h100, 2, row{5});
%!   has_size (row, v, [3, 1]);
%!   for k = 1:3
%!     assert (v(k), value (row, models{k}, h100, 2, row{5}));
%!   endfor
%!   has_none (row, value (row, {}, h100, 2, row{5}));
%! endfor
%!test
%! for row = with (3)
%!   v = value (row, llama, cards, 2, row{5});
%!   has_size (row, v, [2, 1]);
%!   for k = 1:2
%!     assert (v(k), value (row, llama, cards{k}, 2, row{5}));
%!   endfor
%!   if (row{2})
%!     v = value (row, models, cards, 2, row{5});
%!     has_size (row, v, [3, 2]);
%!     assert (v(3,2), value (row, models{3}, cards{2}, 2, row{5}));
%!   endif
%!   has_none (row, value (row, llama, {}, 2, row{5}));
%! endfor

## A matrix of batches, contexts or bytes, whichever there is one of.
%!test
%! x = [1, 128; 4096, 131072];
%! for row = [with(4), with(5)]
%!   if (row{4} && row{5})
%!     continue;
%!   endif
%!   v = value (row, llama, h100, x, x);
%!   has_size (row, v, [2, 2]);
%!   for k = 1:4
%!     assert (v(k), value (row, llama, h100, x(k), x(k)));
%!   endfor
%!   assert (value (row, llama, h100, x(:), x(:)), v(:));
%!   w = value (row, {"deepseek-v3", llama}, h100, x(:)', x(:)');
%!   has_size (row, w, [2, 4]);
%!   assert (w(2,:), v(:)');
%!   none = zeros (0, 3);
%!   has_size (row, value (row, llama, h100, none, none), [0, 3]);
%!   has_size (row, value (row, llama, h100, [], []), [0, 0]);
%! endfor

## A row of batches against a column of contexts gives a grid.
%!test
%! B = [1, 8, 64];
%! L = [128; 1024; 8192; 131072];
%! n = 0;
%! for row = with (4)
%!   if (! row{5})
%!     continue;
%!   endif
%!   n++;
%!   v = value (row, llama, h100, B, L);
%!   has_size (row, v, [4, 3]);
%!   for i = 1:4
%!     for j = 1:3
%!       assert (v(i,j), value (row, llama, h100, B(j), L(i)));
%!     endfor
%!   endfor
%!   w = value (row, {"deepseek-v3", llama}, h100, B, L);
%!   has_size (row, w, [4, 3, 2]);
%!   assert (w(:,:,2), v);
%!   assert (value (row, llama, h100, B', L'), v');
%!   has_size (row, value (row, llama, h100, zeros (0, 3), 8192), [0, 3]);
%!   has_size (row, value (row, llama, h100, 2, zeros (0, 3)), [0, 3]);
%!   has_size (row, value (row, llama, h100, 2, []), [0, 0]);
%! endfor
%! assert (n, 3);

## A mix of one length is that length.
%!test
%! mix = struct ("lengths", [64, 64], "weights", [1, 3]);
%! n = 0;
%! for row = with (5)
%!   if (! strcmp (row{1}, "kv_context"))
%!     n++;
%!     assert (value (row, llama, h100, 2, mix),
%!             value (row, llama, h100, 2, 64), -1e-14);
%!   endif
%! endfor
%! assert (n, 10);
