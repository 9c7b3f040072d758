## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{h} =} llmenv_plot (@qcode{"roofline"}, @var{models}, @var{card})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"batch"}, @var{model}, @var{cards})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"context"}, @var{models}, @var{cards})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"ranking"}, @var{quantity})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"ranking"}, @var{quantity}, @var{card_or_model})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"n_star"}, @var{models})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"kv_type"}, @var{model}, @var{card})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"heat_map"}, @var{model}, @var{card})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"sweep"}, @var{x}, @var{y})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"sweep"}, @var{info}, @var{v})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"tornado"}, @var{names}, @var{values})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"mix"}, @var{model}, @var{card}, @qcode{"Contexts"}, @var{mix})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"errors"})
## @deftypefnx {} {@var{h} =} llmenv_plot (@qcode{"errors"}, @var{quantity})
## @deftypefnx {} {@var{h} =} llmenv_plot (@dots{}, @var{options})
## Draw the memory envelope: where a model stands under the roofs of a card,
## what a batch or a context costs, who is best and worst.
##
## @table @asis
## @item @qcode{"roofline"}
## Attainable TFLOP/s against arithmetic intensity (FLOP/byte), both log: the
## memory and compute roofs of one card with the ridge between them, and up to
## 10 models on them at each @code{Batch} (default 1, 8, 64, 512) and
## @code{Context} (default 8192), filled where they fit in memory. Lanes below
## show each model by itself, with the limit of infinite batch.
## @item @qcode{"batch"}
## Tokens/s of all sequences and of one against the batch, log, for one model
## and one @code{Context} on one card or several. A curve ends at the capacity
## of its card. Lines mark where the marginal gain halves (b_knee), where half
## the limit of infinite batch is reached (b_50), the ridge (b_star) and the
## capacity (the last two with one card only).
## @item @qcode{"context"}
## GB of cache and state of one sequence against context, both log, for up to 8
## models, with the memory of up to 8 cards as lines. Marks on the curves say
## where a sequence fills a card that holds the weights and the reserve too.
## @code{Context} gives the ends of the axis, default 1k and 1M tokens.
## @item @qcode{"ranking"}
## Bars of up to 15 models by a quantity of @code{llmenv_rank}, layered beside
## published, log where the values are far apart. A card is where; a model asks
## for the ranking of the cards. @code{Direction} chooses the end; the default
## is @qcode{"descending"} for capacity, fill, throughput, kv_context, kv_bytes
## and weight_bytes, else @qcode{"ascending"}. Words stand for what is no
## number; what is left out is counted below.
## @item @qcode{"n_star"}
## The context past which no batch reaches the ridge, by card, for up to 6
## models: layered filled, published hollow. @code{Card} names the cards, up to
## 20, in place of a usual dozen.
## @item @qcode{"kv_type"}
## The longest sequence that fits (fill) and the wall against the bytes of a KV
## element from 4 to 0.28, both log, with the common types marked.
## @item @qcode{"heat_map"}
## Tokens/s as colour, log, over batch by context, up to the capacity, with
## lines where another resource begins to bind: weights, KV, state, compute.
## @code{Batch} and @code{Context} give the ends of the axes.
## @item @qcode{"sweep"}
## Lines of the columns of @var{y} against @var{x}; or of the values @var{v} and
## the struct @var{info} of @code{llmenv_sweep}, one panel for each quantity. An
## axis is log where the values grow by factors. Up to 8 lines and 3 panels.
## @code{XLabel}, @code{YLabel}, @code{Labels} (a cell, one a line),
## @code{XScale} and @code{YScale} (@qcode{"linear"}, @qcode{"log"}) override.
## @item @qcode{"tornado"}
## Bars of named values by size, such as those of @code{llmenv_elasticity};
## @code{Quantity} names what they move, @code{XLabel} the axis.
## @item @qcode{"mix"}
## A batch whose sequences differ in length, @code{Contexts}: a struct with
## fields @code{lengths} and @code{weights}, lengths that count the same, or the
## name of a file with a length, or a length and its weight, on each line.
## Above, the share of the sequences and of their bytes by context, log where
## the lengths grow by factors, with the mean, the one length of as many bytes
## and the windows of the model. Below, tokens/s against batch for the mix and
## for its mean length, each up to its capacity.
## @item @qcode{"errors"}
## Bars of published over layered, log about 1, for the 20 that are furthest off
## in the table @qcode{"published_vs_layered"}, with their causes; of all that
## it compares, or of one @var{quantity}: b_star, ceiling, kv_bytes, l_wall or
## weight_bytes. What has no finite ratio above 0 is named below the bars.
## @end table
##
## Models and cards are given by id, by a name that is not ambiguous, as a
## struct, or as a cell array of these where several are taken. @code{Batch} is
## in sequences and @code{Context} in tokens, as numbers or text such as
## @qcode{"32k"}. All other options are passed on, see @code{llmenv_options};
## the caption below the title states what they assume.
##
## @code{File}, a name that ends in @code{.png}, @code{.svg} or @code{.pdf},
## writes the picture, 1200 by 750 pixels, whole or not at all; gnuplot draws it
## where there is one, so that the same call gives the same picture with a
## display and without. @code{Title} and @code{Caption} replace those of the
## picture. Without @code{File} the figure is shown where there is a display.
##
## @var{h} is a struct of handles: @code{figure}, @code{axes}, @code{lines}
## (curves or bars), @code{marks} (labelled lines and marks), @code{legend},
## @code{title}, @code{caption}. The axes hold on, so that a script can go on
## drawing in them, in the units that they show.
##
## Errors: @code{llmenv:badOption} (an unknown kind, with the nearest; an
## option), @code{llmenv:badCall}, @code{llmenv:badType}, @code{llmenv:badSize}
## (too many models, cards or lines), @code{llmenv:badValue} (nothing to draw: no record,
## or nothing fits), @code{llmenv:badFile} (@code{File} cannot be written,
## @code{Contexts} cannot be read),
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard}.
##
## Source: documents 000 (batch, n_star, kv_type) and 003 (ranking, errors);
## the roofline is that of spec section 2.
##
## @example
## @group
## h = llmenv_plot ("batch", "llama-3-1-8b", "nvidia-rtx-4090", ...
##                  "Context", 4096, "WeightBytes", 4.9e9);
## get (h.lines(1), "xdata")(end)      # the capacity
## @result{} ans = 36.056
## @end group
## @end example
## @seealso{llmenv_throughput, llmenv_rank, llmenv_sweep, llmenv_elasticity, llmenv_step, llmenv_options}
## @end deftypefn

function h = llmenv_plot (kind, varargin)
  if (nargin == 0)
    error ("llmenv:badCall",
           "llmenv_plot: usage: llmenv_plot (KIND, ..., OPTION, VALUE, ...)");
  endif
  before = get (0, "children");
  try
    [draw, args, own, pairs] = __llmenv_plot_parse__ (kind, varargin{:});
    handles = feval (draw, own, pairs, args{:});
    set (handles.figure, "currentaxes", handles.axes(1));
    if (! isempty (own.File))
      __llmenv_plot_save__ (handles.figure, own.File);
    elseif (have_window_system ())
      set (handles.figure, "visible", "on");
    endif
  catch e
    delete (setdiff (get (0, "children"), before));
    message = ["llmenv_plot: " regexprep(e.message, '^\w+: ', "", "once")];
    error (struct ("message", message, "identifier", e.identifier));
  end_try_catch
  if (nargout > 0)
    h = handles;
  endif
endfunction

%!shared llama, h100, close_all, x_of, y_of
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";
%! close_all = @() delete (findall (0, "type", "figure"));
%! x_of = @(h) get (h, "xdata")(:)';
%! y_of = @(h) get (h, "ydata")(:)';

## The curves are the throughput, end at the capacity, and are marked.
%!test
%! opt = {"WeightBytes", 4.9e9, "Convention", "published"};
%! h = llmenv_plot ("batch", llama, "nvidia-rtx-4090", "Context", "4k", opt{:});
%! f = @(name, varargin) feval (["llmenv_" name], llama, varargin{:}, opt{:});
%! B = x_of (h.lines(1,1));
%! assert (B([1, end]), [1, f("capacity", "nvidia-rtx-4090", 4096)]);
%! assert (round (10 * B(end)), 328);
%! assert (y_of (h.lines(1,1)), f ("throughput", "nvidia-rtx-4090", B, 4096));
%! assert (y_of (h.lines(1,2)), y_of (h.lines(1,1)) ./ B);
%! marks = h.marks(strcmp (get (h.marks, "type"), "line"));
%! at = cellfun (@(x) x(1), get (marks, "xdata"));
%! for x = [f("b_knee", 4096), f("b_50", 4096), B(end)]
%!   assert (any (at == x));
%! endfor
%! assert (isfigure (h.figure) && all (isaxes (h.axes)));
%! assert (get (h.figure, "currentaxes"), h.axes(1));
%! assert (ishold (h.axes(1)));
%! close_all ();

## Several cards; one that holds nothing has no points.
%!test
%! h = llmenv_plot ("batch", llama, {"nvidia-rtx-4080", "nvidia-rtx-4090"});
%! assert (size (h.lines), [2, 2]);
%! assert (x_of (h.lines(1,1)), NaN);
%! assert (x_of (h.lines(2,1))(end),
%!         llmenv_capacity (llama, "nvidia-rtx-4090", 8192));
%! close_all ();

## Points lie on the roofs, at their intensity.
%!test
%! m = {llama, "deepseek-v3"};
%! h = llmenv_plot ("roofline", m, h100, "Batch", [1, 1000000], "Context", 64);
%! assert (x_of (h.lines(1))(2), llmenv_ridge (h100));
%! assert (y_of (h.lines(1))(2:3), [989.5, 989.5], -1e-12);
%! for k = 1:2
%!   assert (x_of (h.lines(k+1,1)), llmenv_intensity (m{k}, [1, 1000000], 64));
%!   assert (y_of (h.lines(k+1,1)),
%!           [3.35 * x_of(h.lines(k+1,1))(1), 989.5], -1e-12);
%! endfor
%! close_all ();

## Bytes of a sequence; the memory that the driver reports.
%!test
%! h = llmenv_plot ("context", {llama, "gemma-3-27b"}, {h100, "nvidia-l4"},
%!                  "KVType", "q8_0", "Context", [2048, 65536]);
%! L = x_of (h.lines(2));
%! assert (L([1, end]), [2048, 65536], -1e-12);
%! assert (y_of (h.lines(2)),
%!         llmenv_kv_bytes ("gemma-3-27b", L, "KVType", "q8_0") / 1e9);
%! assert (any (cellfun (@(y) abs (y(1) / 85.520809984 - 1) < 1e-9,
%!                       get (h.marks, "ydata"))));
%! close_all ();

## Bars end at the values of the ranking, layered beside published.
%!test
%! h = llmenv_plot ("ranking", "capacity", h100, "Context", 32768);
%! t = llmenv_rank ("capacity", "Context", 32768, "Direction", "descending");
%! ends = get (h.lines(1), "vertices")(2:4:end,1);
%! assert (ends, t.data.value(1:15));
%! p = llmenv_capacity (t.data.id(1:15), h100, 32768,
%!                      "Convention", "published");
%! assert (get (h.lines(2), "vertices")(2:4:end,1), p(isfinite (p) & p > 0));
%! assert (! isempty (strfind (get (h.title, "string"), "15 largest of")));
%! close_all ();
%!test # cards for a model; zeros and words have no bar
%! h = llmenv_plot ("ranking", "l_wall", llama);
%! assert (! isempty (strfind (get (h.title, "string"), "of 64 cards")));
%! h = llmenv_plot ("ranking", "b_star", "Context", 16384);
%! t = llmenv_rank ("b_star", "Context", 16384).data;
%! assert (get (h.lines(1), "vertices")(2:4:end,1),
%!         t.value(isfinite (t.value) & t.value > 0));
%! close_all ();

## Document 000's 228 tokens, and 716 with the right inputs.
%!test
%! h = llmenv_plot ("n_star", llama, "WeightBytes", 4.9e9,
%!                  "Card", {h100, "nvidia-rtx-4090"});
%! assert (floor (x_of (h.lines(1,1))), [716, 393]);
%! assert (floor (x_of (h.lines(1,2))), [228, 126]);
%! close_all ();

%!test
%! a = "nvidia-rtx-4090";
%! h = llmenv_plot ("kv_type", llama, a);
%! b = x_of (h.lines(1));
%! assert (b([1, end]), [4, 0.28], -1e-12);
%! assert (y_of (h.lines(1))(1), llmenv_fill (llama, a, "KVType", 4));
%! assert (y_of (h.lines(2))(1), llmenv_l_wall (llama, a, "KVType", 4));
%! close_all ();

## The lines of a heat map: where KV overtakes the weights, and what fits.
%!test
%! h = llmenv_plot ("heat_map", llama, h100, "Batch", [1, 256],
%!                  "Context", [1024, 65536]);
%! x = x_of (h.marks(1));
%! y = y_of (h.marks(1));
%! is = ! isnan (x);
%! assert (nnz (is) > 50);
%! assert (x(is), llmenv_b_eq (llama, y(is)), -1e-3);
%! assert (all (x(is) <= llmenv_capacity (llama, h100, y(is)) * (1 + 1e-9)));
%! x = x_of (h.marks(end));
%! is = ! isnan (x);
%! assert (x(is), llmenv_capacity (llama, h100, y_of (h.marks(end))(is)));
%! close_all ();
%!test # state and compute have theirs
%! h = llmenv_plot ("heat_map", "nemotron-h-8b-base-8k", h100,
%!                  "Context", [64, 65536]);
%! assert (numel (h.marks), 4);
%! on = {"deepseek-v3", "nvidia-h200-sxm"};
%! h = llmenv_plot ("heat map", on{:}, "Count", 8);
%! y = y_of (h.marks(1));
%! x = x_of (h.marks(1));
%! is = ! isnan (x);
%! assert (x(is), llmenv_b_star (on{:}, y(is), "Count", 8), -1e-2);
%! close_all ();

## Plain numbers, the values of a sweep, scales by themselves and as told.
%!test
%! h = llmenv_plot ("sweep", 2 .^ (0:8), [1:9; 10 .^ (0:8)]',
%!                  "Labels", {"a", "b"}, "XLabel", "x", "YLabel", "y",
%!                  "Caption", "made up");
%! assert (y_of (h.lines(2)), 10 .^ (0:8));
%! assert (get (h.axes, {"xscale", "yscale"}), {"log", "log"});
%! assert (get (h.caption, "string"), "made up");
%! h = llmenv_plot ("sweep", 0:4, [1, 2, NaN, Inf, 1], "XScale", "linear");
%! assert (get (h.axes, {"xscale", "yscale"}), {"linear", "linear"});
%! [v, info] = llmenv_sweep ({llama, "deepseek-v3"}, h100, {"l_wall", "fill"},
%!                           {"kv_bytes", [0.5, 1, 2, 4]});
%! h = llmenv_plot ("sweep", info, v);
%! assert (size (h.lines), [2, 2]);
%! assert (y_of (h.lines(1,2)), v(:,1,2,1)');
%! close_all ();

%!test
%! h = llmenv_plot ("tornado", {"a", "b_c", "d", "e"}, [0.2, -3, NaN, 1]);
%! ends = get (h.lines(1), "vertices")(2:4:end,1);
%! assert (ends, [-3; 1; 0.2]);
%! assert (numel (h.lines), 2);
%! close_all ();

## Three of 512 tokens and one of 8192: 10 layers keep all, 52 keep 1024. In
## tokens kept: 3 x 62 x 512 = 95232 and 81920 + 53248 = 135168; a fourth of the
## two is 57600 = 62 x 929.03.
%!test
%! mix = struct ("lengths", [512, 8192], "weights", [3, 1]);
%! on = {"gemma-3-27b", h100};
%! h = llmenv_plot ("mix", on{:}, "Contexts", mix);
%! assert (size (h.lines), [2, 2]);
%! tops = @(bars) get (bars, "vertices")(2:4:end,2)';
%! assert (tops (h.lines(1,1)), [75, 25], -1e-12);
%! assert (tops (h.lines(1,2)), 100 * [95232, 135168] / 230400, -1e-12);
%! marks = h.marks(strcmp (get (h.marks, "type"), "line"));
%! at = cellfun (@(x) x(1), get (marks, "xdata"));
%! for x = [2432, 1024, 57600 / 62]
%!   assert (any (abs (at / x - 1) < 1e-3));
%! endfor
%! for c = {mix, 2432; 1, 2}
%!   B = x_of (h.lines(2,c{2}));
%!   assert (B([1, end]), [1, llmenv_capacity(on{:}, c{1})]);
%!   assert (y_of (h.lines(2,c{2})), llmenv_throughput (on{:}, B, c{1}));
%! endfor
%! assert (isaxes (h.axes), true (2, 1));
%! assert (get (h.axes, "xscale"), {"log"; "log"});
%! close_all ();

## A file is the mix that it holds; without windows the mean does as well.
%!test
%! file = tempname ();
%! unwind_protect
%!   fid = fopen (file, "w");
%!   fputs (fid, "# a day\n100\n 2k,3 # long\n\n100;1\r\n1e3\t0.5\n70 0\n");
%!   fclose (fid);
%!   h = llmenv_plot ("mix", llama, h100, "Contexts", file, "KVType", "q8_0");
%!   mix = struct ("lengths", [100, 2048, 1000], "weights", [2, 3, 0.5]);
%!   assert (llmenv_kv_bytes (llama, file), llmenv_kv_bytes (llama, mix),
%!           -1e-14);
%!   assert (x_of (h.lines(2,1))(end),
%!           llmenv_capacity (llama, h100, file, "KVType", "q8_0"), -1e-12);
%!   assert (x_of (h.lines(2,2))(end), x_of (h.lines(2,1))(end), -1e-12);
%!   assert (get (h.lines(1,1), "vertices")(2:4:end,2)',
%!           100 * [2, 0.5, 3] / 5.5, -1e-12);
%!   text = strjoin (get (h.caption, "string")', " ");
%!   assert (! isempty (strfind (text, "3 lengths from 100 to 2048 tokens")));
%! unwind_protect_cleanup
%!   unlink (file);
%!   close_all ();
%! end_unwind_protect
%!test # plain lengths, close together or one alone or of no tokens
%! h = llmenv_plot ("mix", llama, h100, "Contexts", [4000, 5000, 5000, 7000]);
%! assert (get (h.axes(1), "xscale"), "linear");
%! assert (get (h.lines(1,1), "vertices")(2:4:end,2)', [25, 50, 25]);
%! h = llmenv_plot ("mix", llama, h100, "Contexts", 8192);
%! assert (get (h.lines(1,1), "vertices")(2:4:end,2)', 100);
%! h = llmenv_plot ("mix", llama, h100, "Contexts", [0, 1024, 8192, 8192]);
%! assert (get (h.lines(1,1), "vertices")(2:4:end,2)', [50, 50]);
%! assert (get (h.lines(1,2), "vertices")(2:4:end,2)', 100 * [1, 16] / 17,
%!         -1e-12);
%! for L = {2 .^ (0:0.01:17), 16384:32:65504} # no more bars than can be seen
%!   h = llmenv_plot ("mix", llama, h100, "Contexts", L{1});
%!   tops = get (h.lines(1,1), "vertices")(2:4:end,2);
%!   assert (numel (tops) > 15 && numel (tops) <= 42);
%!   assert (sum (tops), 100, -1e-12);
%! endfor
%! close_all ();

## Bars from 1 to the ratios of the table, its order kept; causes beside them,
## and the names of what has no ratio.
%!test
%! t = llmenv_table ("published_vs_layered").data;
%! is = strcmp (t.quantity, "l_wall") & isfinite (t.ratio) & t.ratio > 0;
%! want = t.ratio(is)(1:20);
%! h = llmenv_plot ("errors", "l_wall");
%! assert (numel (h.lines), 2);
%! for s = 1:2
%!   faces = get (h.lines(s), "faces");
%!   vertices = get (h.lines(s), "vertices");
%!   assert (vertices(faces(:,1),1), ones (rows (faces), 1));
%!   assert (vertices(faces(:,2),1), {want(want > 1), want(want < 1)}{s});
%! endfor
%! assert (issorted (-abs (log (want))));
%! assert (x_of (h.marks), [1, 1]);
%! words = get (findall (h.figure, "type", "text"), "string");
%! assert (nnz (strcmp (words, "latent, embedding lookup")) >= 3);
%! note = [words{:}];
%! for name = {"No bar (", "Kimi-K3", "MiniMax-M1", "MiniCPM-V-4_6"}
%!   assert (! isempty (strfind (note, name{1})));
%! endfor
%! close_all ();
%!test # all of them; a card; the longer name; the other side alone
%! h = llmenv_plot ("errors", "KVType", "q8_0");
%! assert (! isempty (strfind (get (h.title, "string"), "20 largest of ")));
%! assert (sum (cellfun (@rows, get (h.lines, "faces"))), 20);
%! h = llmenv_plot ("errors", "weight_bytes");
%! assert (strncmp (get (h.title, "string"), "weight_bytes at batch 1, ", 25));
%! h = llmenv_plot ("errors", "KV_bytes at 128k", struct ("Context", 1024));
%! assert (isempty (strfind ([get(h.caption, "string"){:}], "1024")));
%! t = llmenv_table ("published_vs_layered", "Card", "nvidia-rtx-4090").data;
%! is = strcmp (t.quantity, "b_star") & isfinite (t.ratio) & t.ratio > 0;
%! want = t.ratio(is & abs (t.ratio - 1) > 5e-4);
%! h = llmenv_plot ("errors", "b_star", "Card", "nvidia-rtx-4090");
%! assert (all (want < 1));
%! assert (get (h.lines, "vertices")(2:4:end,1), want);
%! close_all ();

## Records as structs, options as a struct, options that change the numbers.
%!test
%! m = llmenv_model (llama);
%! m.name = "mine";
%! a = llmenv_accelerator (h100);
%! h = llmenv_plot ("batch", m, a, struct ("Context", 1024, "KVType", "fp8"));
%! assert (x_of (h.lines(1))(end),
%!         llmenv_capacity (m, a, 1024, "KVType", "fp8"));
%! assert (! isempty (strfind (get (h.title, "string"), "mine")));
%! assert (! isempty (strfind (get (h.caption(1), "string"), "KV fp8")));
%! close_all ();

## Files: of the size that is promised, the same each time, nothing beside them.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   for ending = {"png", "svg", "pdf"}
%!     file = fullfile (folder, ["a." ending{1}]);
%!     h = llmenv_plot ("tornado", {"a", "b"}, [1, -1], "File", file);
%!     assert (stat (file).size > 1000 && stat (file).size < 80e3);
%!     assert (get (h.figure, "visible"), "off");
%!   endfor
%!   info = imfinfo (fullfile (folder, "a.png"));
%!   assert ([info.Width, info.Height], [1200, 750]);
%!   svg = fileread (fullfile (folder, "a.svg"));
%!   assert (! isempty (strfind (svg, 'viewBox="0 0 1200 750"')));
%!   assert (! isempty (strfind (svg, 'font-weight="bold"')));
%!   again = fullfile (folder, "b.svg");
%!   llmenv_plot ("tornado", {"a", "b"}, [1, -1], "File", again);
%!   assert (fileread (again), svg);
%!   assert (sort (readdir (folder)(3:end)),
%!           {"a.pdf"; "a.png"; "a.svg"; "b.svg"});
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%!   close_all ();
%! end_unwind_protect

## A file that cannot be written: its error, nothing written, no figure left.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! mkdir (fullfile (folder, "taken.png"));
%! unwind_protect
%!   for file = fullfile (folder, {"none/a.png", "taken.png"})
%!     why = "";
%!     try
%!       llmenv_plot ("tornado", {"a"}, 1, "File", file{1});
%!     catch e
%!       why = e.identifier;
%!     end_try_catch
%!     assert (why, "llmenv:badFile");
%!   endfor
%!   assert (readdir (folder)(3:end), {"taken.png"});
%!   assert (isempty (findall (0, "type", "figure")));
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## Text of records is drawn, not run: gnuplot runs what is in backquotes.
%!test
%! mark = tempname ();
%! file = [tempname() ".svg"];
%! run = ['a "b" `touch ' mark '` \'];
%! unwind_protect
%!   llmenv_plot ("tornado", {run, "b"}, [1, -1], "Title", run, "Caption", run,
%!                "XLabel", run, "File", file);
%!   assert (stat (file).size > 1000);
%!   assert (! exist (mark, "file"));
%! unwind_protect_cleanup
%!   unlink (file);
%!   close_all ();
%! end_unwind_protect

%!error id=llmenv:badCall llmenv_plot ()
%!error id=llmenv:badType llmenv_plot (1)
%!error id=llmenv:badOption llmenv_plot ("rofline", llama, h100)
%!error <no sequence of 'llama-3-3-70b' fits> ...
%!  llmenv_plot ("batch", "llama-3-3-70b", "nvidia-rtx-4090")
%!error <^llmenv_plot: no kind 'rofline'; nearest: roofline;>
%! llmenv_plot ("rofline", llama, h100);
%!error id=llmenv:badCall llmenv_plot ("roofline", llama)
%!error id=llmenv:badCall llmenv_plot ("ranking")
%!error id=llmenv:badCall llmenv_plot ("batch", llama, h100, "Context")
%!error id=llmenv:unknownModel llmenv_plot ("batch", "llama-31", h100)
%!error id=llmenv:unknownCard llmenv_plot ("batch", llama, "h1000")
%!error <^llmenv_plot: no card 'h1000'>
%! llmenv_plot ("batch", llama, "h1000");
%!error id=llmenv:badValue llmenv_plot ("ranking", "l_wall", "h1000")
%!error id=llmenv:badOption llmenv_plot ("ranking", "l_wal")
%!error id=llmenv:badOption llmenv_plot ("batch", llama, h100, "Colour", 1)
%!error id=llmenv:badOption llmenv_plot ("batch", llama, h100, "Context", 0)
%!error id=llmenv:badOption llmenv_plot ("batch", llama, h100, "Context", "8kk")
%!error id=llmenv:badOption llmenv_plot ("batch", llama, h100, "Title", 1)
%!error id=llmenv:badOption llmenv_plot ("batch", llama, h100, "File", "a.jpg")
%!error <must end in .png, .svg or .pdf>
%! llmenv_plot ("batch", llama, h100, "File", "a.jpg");
%!error id=llmenv:badType llmenv_plot ("batch", 1, h100)
%!error id=llmenv:badSize llmenv_plot ("batch", {llama, "deepseek-v3"}, h100)
%!error id=llmenv:badSize llmenv_plot ("batch", {}, h100)
%!error id=llmenv:badSize llmenv_plot ("heat_map", llama, {h100, "nvidia-l4"})
%!error id=llmenv:badSize llmenv_plot ("roofline", repmat ({llama}, 1, 11), h100)
%!error id=llmenv:badValue llmenv_plot ("batch", "o3", h100)
%!error id=llmenv:badValue llmenv_plot ("roofline", "o3", h100)
%!error id=llmenv:badValue llmenv_plot ("context", "o3", h100)
%!error id=llmenv:badValue llmenv_plot ("heat_map", "deepseek-v3", h100)
%!error id=llmenv:badType llmenv_plot ("sweep", "a", 1)
%!error id=llmenv:badType llmenv_plot ("sweep", struct ("a", 1), 1)
%!error id=llmenv:badSize llmenv_plot ("sweep", 1:3, 1:4)
%!error id=llmenv:badSize llmenv_plot ("sweep", 1:3, ones (3, 9))
%!error id=llmenv:badOption llmenv_plot ("sweep", 1:3, 1:3, "XScale", "cubic")
%!error id=llmenv:badType llmenv_plot ("tornado", 1, 1)
%!error id=llmenv:badSize llmenv_plot ("tornado", {"a"}, [1, 2])
%!error id=llmenv:badCall llmenv_plot ("mix", llama, h100)
%!error <^llmenv_plot: kind mix needs option Contexts: lengths, a struct>
%! llmenv_plot ("mix", llama, h100);
%!error id=llmenv:badOption llmenv_plot ("mix", llama, h100, "Contexts", {1})
%!error id=llmenv:badType
%! llmenv_plot ("mix", llama, h100, "Contexts", struct ("a", 1));
%!error <^llmenv_plot: option Contexts: a mix is one struct>
%! llmenv_plot ("mix", llama, h100, "Contexts", struct ("a", 1));
%!error id=llmenv:badSize
%! mix = struct ("lengths", [1, 2], "weights", [1, 2, 3]);
%! llmenv_plot ("mix", llama, h100, "Contexts", mix);
%!error id=llmenv:badValue llmenv_plot ("mix", llama, h100, "Contexts", [1, -1])
%!error <^llmenv_plot: option Contexts.lengths: element 2 is -1>
%! llmenv_plot ("mix", llama, h100, "Contexts", [1, -1]);
%!error id=llmenv:badValue llmenv_plot ("mix", llama, h100, "Contexts", [0, 0])
%!error id=llmenv:badFile
%! llmenv_plot ("mix", llama, h100, "Contexts", "/nowhere");
%!error id=llmenv:badFile llmenv_plot ("mix", llama, h100, "Contexts", "/tmp")
%!error <: not a file> # a pipe could be read only once
%! file = tempname ();
%! mkfifo (file, 600);
%! unwind_protect
%!   llmenv_plot ("mix", llama, h100, "Contexts", file);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!error <: line \d+: '.*' is not accepted, expected a length>
%! file = which ("llmenv_plot");
%! llmenv_plot ("mix", llama, h100, "Contexts", file);
%!error id=llmenv:badSize
%! llmenv_plot ("mix", {llama, "deepseek-v3"}, h100, "Contexts", [1, 2]);
%!error id=llmenv:badValue llmenv_plot ("mix", "o3", h100, "Contexts", [1, 2])
%!error <no sequence of 'deepseek-v3' fits>
%! llmenv_plot ("mix", "deepseek-v3", h100, "Contexts", [1, 2]);
%!error id=llmenv:badType llmenv_plot ("errors", 1)
%!error id=llmenv:badOption llmenv_plot ("errors", "b_eq")
%!error <no quantity 'b_eq' is compared; accepted: b_star, ceiling, kv_bytes>
%! llmenv_plot ("errors", "b_eq");
%!error id=llmenv:badOption llmenv_plot ("errors", "b_star", "Colour", 1)
%!error id=llmenv:badValue
%! llmenv_plot ("errors", "l_wall", "Card", "apple-m4-max");
%!test # an error leaves no figure behind
%! assert (isempty (findall (0, "type", "figure")));

%!demo
%! ## Where do three models stand under the roofs of an H100?
%! m = {"llama-3-1-8b", "qwen3-30b-a3b", "deepseek-v3"};
%! h = llmenv_plot ("roofline", m, "nvidia-h100-sxm");
%! printf ("ridge at %.1f FLOP/byte\n", get (h.lines(1), "xdata")(2));

%!demo
%! ## How far does batching carry an 8B at 4 bits on an RTX 4090?
%! h = llmenv_plot ("batch", "llama-3-1-8b", "nvidia-rtx-4090",
%!                  "Context", 4096, "WeightBytes", 4.9e9);
%! last = get (h.lines(1), "xdata")(end);
%! printf ("the curve ends at %.1f sequences\n", last);

%!demo
%! ## A sequence of which length fills a card? And a line of one's own.
%! m = {"llama-3-1-8b", "deepseek-v3"};
%! h = llmenv_plot ("context", m, "nvidia-h100-sxm");
%! plot (h.axes, [1024, 2^20], [1, 1], "k:");
%! printf ("%d marks\n", numel (h.marks));

%!demo
%! ## Which models hold the most sequences of 32k on an H100?
%! h = llmenv_plot ("ranking", "capacity", "nvidia-h100-sxm", "Context", "32k");
%! disp (get (h.title, "string"));

%!demo
%! ## Past which context does batching stop to help, card by card?
%! h = llmenv_plot ("n_star", "llama-3-1-8b", "WeightBytes", 4.9e9);
%! printf ("from %.0f tokens\n", min (get (h.lines(1), "xdata")));

%!demo
%! ## What does a smaller KV type buy?
%! h = llmenv_plot ("kv_type", "llama-3-1-8b", "nvidia-rtx-4090");
%! printf ("%.0f tokens at 4 bytes\n", get (h.lines(1), "ydata")(1));

%!demo
%! ## Which resource binds where?
%! h = llmenv_plot ("heat_map", "deepseek-v3", "nvidia-h200-sxm", "Count", 8);
%! printf ("%d lines\n", numel (h.marks));

%!demo
%! ## The ceiling of three models by context.
%! [v, info] = llmenv_sweep ({"llama-3-1-8b", "gemma-3-27b", "deepseek-v3"}, [],
%!                           "ceiling", {"context", 2 .^ (4:20)});
%! h = llmenv_plot ("sweep", info, v, "Convention", "layered");
%! printf ("%d lines\n", numel (h.lines));

%!demo
%! ## What moves the tokens/s of an 8B?
%! in = {"weight_bytes", "kv_bytes", "context", "batch", "bandwidth", "peak"};
%! e = llmenv_elasticity ("throughput", in, "llama-3-1-8b", "nvidia-h100-sxm");
%! h = llmenv_plot ("tornado", in, e, "Quantity", "throughput");
%! printf ("%d bars\n", rows (get (h.lines(1), "faces")));

%!demo
%! ## Chats are short, a few are long: what does the mean of them hide?
%! mix.lengths = [200, 500, 1000, 2000, 8000, 100000];
%! mix.weights = [30, 30, 20, 12, 6, 2];
%! h = llmenv_plot ("mix", "gemma-3-27b", "nvidia-h100-sxm", "Contexts", mix);
%! last = cellfun (@(x) x(end), get (h.lines(2,:), "xdata"));
%! printf ("holds %.1f sequences, not %.1f\n", last);

%!demo
%! ## Where is the closed formula furthest from sums over layers?
%! h = llmenv_plot ("errors", "kv_bytes");
%! disp (get (h.title, "string"));
