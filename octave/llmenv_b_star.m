## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{B} =} llmenv_b_star (@var{model}, @var{card}, @var{L})
## @deftypefnx {} {@var{B} =} llmenv_b_star (@dots{}, @var{options})
## @deftypefnx {} {[@var{B}, @var{info}] =} llmenv_b_star (@dots{})
## At which batch does a decode step reach the ridge of the card, so that
## arithmetic binds?
##
## @example
## @group
## published:  B = R W/(2P - (R - g) k L)
## layered:    the B with AI(B, L) = R, that is
##             B (2P + A(L) - R T(L)) = R W(B)
## @end group
## @end example
##
## @noindent
## With R the ridge of the card (@code{llmenv_ridge}), @var{W}(B) the weight
## bytes that a step of B sequences streams (@code{llmenv_weight_bytes}), P the
## parameters active per token, @var{T}(L) the bytes a step reads per sequence,
## @var{A}(L) the attention FLOP per token, k the KV bytes one token adds and g
## query heads per KV head. A batch must be whole: the answer in sequences is
## the ceiling.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item card
## a card: an id (@code{"nvidia-h100-sxm"}, see @code{llmenv_accelerators}), a
## name that is not ambiguous, a record as a struct (see
## @code{llmenv_accelerator}), or a cell array of these
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Basis, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk, ComputeType, BandwidthEfficiency, ComputeEfficiency.
## @code{help llmenv_options} explains every option.
## @item B
## sequences (not rounded); @code{Inf} (@qcode{"none"}) where no batch reaches
## the ridge, which is past @code{llmenv_l_wall}; @code{NaN} where a record is
## silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{B})
## @end table
##
## The result has the size of @var{L}. A cell of models adds a dimension, the
## first in which that size is 1, and a cell of cards the next such one. Empty
## input gives empty output; integers and singles are converted, the result is
## double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badValue} (a negative element; NaN gives NaN),
## @code{llmenv:badFile} (a mix that cannot be read), @code{llmenv:badOption},
## @code{llmenv:unknownModel}, @code{llmenv:unknownCard},
## @code{llmenv:badRecord} (a struct that contradicts itself).
##
## Source: document 003, sections 1.2 (b) and 4.4.
##
## @example
## @group
## llmenv_b_star ("llama-3-1-8b", "nvidia-h100-sxm", [128, 8192])
## @result{} ans =
##
##    438.03      Inf
## @end group
## @end example
## @seealso{llmenv_l_wall, llmenv_ceiling, llmenv_ridge, llmenv_intensity, llmenv_options}
## @end deftypefn

function varargout = llmenv_b_star (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("b_star", 3, varargin{:});
endfunction

## Document 003's table at 1,024, 8,192, 32,768 and 131,072 tokens (floors).
%!test
%! L = [1, 8, 32, 128] * 1024;
%! m = {"llama-3-3-70b", "deepseek-v3", "kimi-k3", "hermes-4-405b", "glm-5-3"};
%! B = llmenv_b_star (m, "nvidia-h100-sxm", L, "Convention", "published");
%! assert (floor (B), [932, Inf, Inf, Inf; 413, Inf, Inf, Inf; ...
%!                     307, 434, Inf, Inf; 361, Inf, Inf, Inf; ...
%!                     300, 344, 695, Inf]);

## Layered, by hand: R W/(2P + (a - R k) L), a = 524,288 attention FLOP a token.
%!test
%! R = 1000 * 989.5 / 3350;
%! W = 2 * 7504924672;
%! assert (llmenv_b_star ("llama-3-1-8b", "nvidia-h100-sxm", 128),
%!         R * W / (W + (524288 - R * 131072) * 128), -1e-13);

## At b_star the intensity is the ridge, for every kind of layer.
%!test
%! for m = {"llama-3-1-8b", "deepseek-v3", "gpt-oss-120b", "gemma-3-27b"}
%!   B = llmenv_b_star (m{1}, "nvidia-h100-sxm", 64);
%!   assert (isfinite (B));
%!   assert (llmenv_intensity (m{1}, B, 64), llmenv_ridge ("nvidia-h100-sxm"),
%!           -1e-12);
%! endfor

## It is finite below the wall and none at and past it.
%!test
%! a = "nvidia-h100-sxm";
%! wall = llmenv_l_wall ("llama-3-1-8b", a);
%! [B, info] = llmenv_b_star ("llama-3-1-8b", a, [0.99, 1.01] * wall);
%! assert (isfinite (B), [true, false]);
%! assert (info.reason, {"", "none"});

## k = 0: R W/(2P).
%!test
%! m = struct ("id", "mine", "params_b", 8, "active_params_b", 8, ...
%!             "kv_cache_bytes_per_token", 0);
%! assert (llmenv_b_star (m, "nvidia-h20", [0, 1e6]), [37, 37]);
%!assert (llmenv_b_star ("llama-3-1-8b", "nvidia-h100-sxm", Inf), Inf)
%!assert (llmenv_b_star ("o3", "nvidia-h100-sxm", 128), NaN)

%!shared llama, h100
%! llama = "llama-3-1-8b";
%! h100 = "nvidia-h100-sxm";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_b_star (llama, h100, NaN), NaN)
%!test
%! v = llmenv_b_star (llama, h100, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_b_star (llama, h100, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_b_star (llama, h100, true),
%!        llmenv_b_star (llama, h100, 1))
%!assert (llmenv_b_star ("Llama 3.1 8B", h100, 8192),
%!        llmenv_b_star (llama, h100, 8192))
%!assert (llmenv_b_star (llmenv_model ("llama-3-1-8b"), h100, 8192),
%!        llmenv_b_star (llama, h100, 8192))
%!assert (llmenv_b_star (llama, "h100 sxm", 8192),
%!        llmenv_b_star (llama, h100, 8192))
%!assert (llmenv_b_star (llama, llmenv_accelerator ("nvidia-h100-sxm"), 8192),
%!        llmenv_b_star (llama, h100, 8192))
%!test
%! v = llmenv_b_star (llama, h100, 8192, "Convention", "published");
%! assert (llmenv_b_star (llama, h100, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_b_star (llama, h100, 8192, struct ("convention",
%!        "published")), v);
%!test
%! [v, info] = llmenv_b_star (llama, h100, 1);
%! assert (info.unit, "sequences");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_b_star ()
%!error id=llmenv:badCall  llmenv_b_star (llama)
%!error id=llmenv:badCall  llmenv_b_star (llama, h100, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_b_star (llama, h100, 8192);
%!error <^llmenv_b_star: options are pairs>
%! llmenv_b_star (llama, h100, 8192, "Basis")
%!error id=llmenv:badType  llmenv_b_star (llama, h100, "/nowhere")
%!error id=llmenv:badFile  llmenv_b_star (llama, h100, "/dev/null")
%!error id=llmenv:badType  llmenv_b_star (llama, h100, struct ())
%!error id=llmenv:badType  llmenv_b_star (llama, h100, {1})
%!error id=llmenv:badType  llmenv_b_star (llama, h100, 1 + 2i)
%!error id=llmenv:badType  llmenv_b_star (llama, h100, sparse (1))
%!error id=llmenv:badValue llmenv_b_star (llama, h100, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_b_star (llama, h100, [1, -1])
%!error id=llmenv:badType  llmenv_b_star (1, h100, 8192)
%!error id=llmenv:badType  llmenv_b_star ({llama, 1}, h100, 8192)
%!error id=llmenv:unknownModel llmenv_b_star ("lama-3-1-8b", h100, 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_b_star ("lama-3-1-8b", h100, 8192);
%!error id=llmenv:badType  llmenv_b_star (llama, 1, 8192)
%!error id=llmenv:unknownCard llmenv_b_star (llama, "nvidia-h100-smx", 8192)
%!error <nearest: .*nvidia-h100-sxm>
%! llmenv_b_star (llama, "nvidia-h100-smx", 8192);
%!error id=llmenv:badOption llmenv_b_star (llama, h100, 8192, "Bassis",
%!        "active")
%!error <nearest: .*Basis>
%! llmenv_b_star (llama, h100, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_b_star (llama, h100, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_b_star (llama, h100, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_b_star (llama, h100, 8192, struct ("a",
%!        {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_star (m, h100, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_star (m, h100, 8192);

%!demo
%! ## The batch that makes arithmetic bind, until none does.
%! L = [1, 64, 128, 256, 384, 512];
%! B = llmenv_b_star ("llama-3-1-8b", "nvidia-h100-sxm", L);
%! printf ("%3d tokens: batch %.0f\n", [L; ceil(B)]);
