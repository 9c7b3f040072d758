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
## for the ranking of the cards. @code{Direction} chooses the end; the default is
## @qcode{"descending"} for capacity, fill, throughput, kv_context, kv_bytes and
## weight_bytes, else @qcode{"ascending"}. Words stand for what is no number;
## what is left out is counted below.
## @item @qcode{"n_star"}
## The context past which no batch reaches the ridge, by card, for up to 6
## models: layered filled, published hollow. @code{Card} names the cards, up to
## 20, in place of a usual dozen.
## @item @qcode{"kv_type"}
## The longest sequence that fits (fill) and the wall against the bytes of a KV
## element from 4 to 0.28, both log, with the common types marked.
## @item @qcode{"heat_map"}
## Tokens/s as colour, log, over batch by context, up to the capacity, with lines
## where another resource begins to bind: weights, KV, state, compute.
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
## Errors: @code{llmenv:badOption} (an unknown kind, with the nearest; an option),
## @code{llmenv:badCall}, @code{llmenv:badType}, @code{llmenv:badSize} (too many
## models, cards or lines), @code{llmenv:badValue} (nothing to draw: no record,
## or nothing fits), @code{llmenv:badFile} (@code{File} cannot be written),
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard}.
##
## Source: documents 000 (batch, n_star, kv_type) and 003 (ranking); the roofline
## is that of spec section 2.
##
## @example
## @group
## h = llmenv_plot ("batch", "llama-3-1-8b", "nvidia-rtx-4090", ...
##                  "Context", 4096, "WeightBytes", 4.9e9);
## get (h.lines(1), "xdata")(end)      # the capacity
## @result{} ans = 36.067
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
