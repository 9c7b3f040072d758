## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{B} =} llmenv_b_knee (@var{model}, @var{L})
## @deftypefnx {} {@var{B} =} llmenv_b_knee (@dots{}, @var{options})
## @deftypefnx {} {[@var{B}, @var{info}] =} llmenv_b_knee (@dots{})
## At which batch has the gain of one more sequence fallen to half of what the
## first one brought?
##
## @example
## @group
## published:  B = (sqrt (2) - 1) W/(k L)
## layered:    B = (sqrt (2) - 1) W(Inf)/T(L)
## @end group
## @end example
##
## @noindent
## With @var{W}(B) the weight bytes that a step of B sequences streams
## (@code{llmenv_weight_bytes}), @var{T}(L) the bytes a step reads per sequence
## and k the KV bytes one token adds. The marginal throughput on the memory roof
## is proportional to W/(W + B T)^2, which halves there. With experts that gain
## is not monotone under touched weights, hence W(Inf), the resident ones. No
## card enters.
##
## @table @var
## @item model
## a model: an id (@code{"llama-3-1-8b"}, see @code{llmenv_models}), a name that
## is not ambiguous (@code{"Llama 3.1 8B"}), a record as a struct (see
## @code{llmenv_model}), or a cell array of these
## @item L
## tokens of context of each sequence, 0 or more; or a mix of contexts, which
## counts as one: a struct with fields @code{lengths} and @code{weights}, or the
## name of a file with a length, or a length and its weight, on each line
## @item options
## name, value pairs in any case, or one struct with a field per option:
## Convention, Basis, Embedding, WeightType, WeightBytes, KVType, KType, VType,
## StateType, Chunk. @code{help llmenv_options} explains every option.
## @item B
## sequences (not rounded); @code{Inf} (@qcode{"none"}) where nothing is read
## per sequence; @code{NaN} where the record is silent
## @item info
## struct with @code{unit} (text) and @code{reason}: why a value is no ordinary
## number (text, or a cell of the size of @var{B})
## @end table
##
## The result has the size of @var{L}. A cell of models adds a dimension, the
## first in which that size is 1. Empty input gives empty output; integers and
## singles are converted, the result is double.
##
## Errors: @code{llmenv:badCall} (too few arguments, an option without its
## value), @code{llmenv:badType} (not real numbers or not a record),
## @code{llmenv:badValue} (a negative element; NaN gives NaN),
## @code{llmenv:badFile} (a mix that cannot be read), @code{llmenv:badOption},
## @code{llmenv:unknownModel}, @code{llmenv:badRecord} (a struct that
## contradicts itself).
##
## Source: the derivative of document 000's throughput; that document attaches
## the words to W/(k L).
##
## @example
## @group
## llmenv_b_knee ("llama-3-1-8b", [4096, 8192])
## @result{} ans =
##
##    11.5806    5.7903
## @end group
## @end example
## @seealso{llmenv_b_50, llmenv_b_eq, llmenv_throughput, llmenv_capacity, llmenv_options}
## @end deftypefn

function varargout = llmenv_b_knee (varargin)
  [varargout{1:max (1, nargout)}] ...
    = __llmenv_call__ ("b_knee", 2, varargin{:});
endfunction

## (sqrt (2) - 1) of b_50 for a dense model, in both conventions.
%!assert (llmenv_b_knee ("llama-3-1-8b", 4096, "WeightBytes", 4.9e9,
%!                       "Convention", "published"),
%!        (sqrt (2) - 1) * 4.9e9 / 131072 / 4096, -4 * eps)
%!assert (llmenv_b_knee ("llama-3-1-8b", [1, 8192]),
%!        (sqrt (2) - 1) * llmenv_b_50 ("llama-3-1-8b", [1, 8192]), -4 * eps)

## The slope of the throughput there is half of that at B = 0.
%!test
%! f = @(B) llmenv_throughput ("llama-3-1-8b", "nvidia-h100-sxm", B, 8192);
%! B = llmenv_b_knee ("llama-3-1-8b", 8192);
%! h = 1e-4;
%! slope = (f (B + h) - f (B - h)) / (2 * h);
%! first = f (1e-6) / 1e-6;
%! assert (slope, first / 2, -1e-6);

## Experts: stated for the weights that rest.
%!assert (llmenv_b_knee ("deepseek-v3", 4096),
%!        (sqrt (2) - 1) * llmenv_weight_bytes ("deepseek-v3", Inf)
%!        / llmenv_kv_bytes ("deepseek-v3", 4096), -1e-14)
%!test
%! [B, info] = llmenv_b_knee ("llama-3-1-8b", 0);
%! assert (B, Inf);
%! assert (info.reason, "none");
%!assert (llmenv_b_knee ("llama-3-1-8b", Inf), 0)

%!shared llama
%! llama = "llama-3-1-8b";

## NaN, classes, ids and names and structs, options.
%!assert (llmenv_b_knee (llama, NaN), NaN)
%!test
%! v = llmenv_b_knee (llama, [1, 100]);
%! for type = {"single", "int8", "uint16", "int32", "uint64"}
%!   w = llmenv_b_knee (llama, cast ([1, 100], type{1}));
%!   assert (w, v);
%!   assert (class (w), "double");
%! endfor
%!assert (llmenv_b_knee (llama, true),
%!        llmenv_b_knee (llama, 1))
%!assert (llmenv_b_knee ("Llama 3.1 8B", 8192),
%!        llmenv_b_knee (llama, 8192))
%!assert (llmenv_b_knee (llmenv_model ("llama-3-1-8b"), 8192),
%!        llmenv_b_knee (llama, 8192))
%!test
%! v = llmenv_b_knee (llama, 8192, "Convention", "published");
%! assert (llmenv_b_knee (llama, 8192, "CONVENTION", "Published"), v);
%! assert (llmenv_b_knee (llama, 8192, struct ("convention", "published")), v);
%!test
%! [v, info] = llmenv_b_knee (llama, 8192);
%! assert (info.unit, "sequences");
%! assert (info.reason, "");

## One error per check.
%!error id=llmenv:badCall  llmenv_b_knee ()
%!error id=llmenv:badCall  llmenv_b_knee (llama)
%!error id=llmenv:badCall  llmenv_b_knee (llama, 8192, "Basis")
%!error id=llmenv:badCall  [x, y, z] = llmenv_b_knee (llama, 8192);
%!error <^llmenv_b_knee: options are pairs>
%! llmenv_b_knee (llama, 8192, "Basis")
%!error id=llmenv:badType  llmenv_b_knee (llama, "/nowhere")
%!error id=llmenv:badFile  llmenv_b_knee (llama, "/dev/null")
%!error id=llmenv:badType  llmenv_b_knee (llama, struct ())
%!error id=llmenv:badType  llmenv_b_knee (llama, {1})
%!error id=llmenv:badType  llmenv_b_knee (llama, 1 + 2i)
%!error id=llmenv:badType  llmenv_b_knee (llama, sparse (1))
%!error id=llmenv:badValue llmenv_b_knee (llama, -1)
%!error <L: element 2 is -1, expected 0 or more>
%! llmenv_b_knee (llama, [1, -1])
%!error id=llmenv:badType  llmenv_b_knee (1, 8192)
%!error id=llmenv:badType  llmenv_b_knee ({llama, 1}, 8192)
%!error id=llmenv:unknownModel llmenv_b_knee ("lama-3-1-8b", 8192)
%!error <nearest: .*llama-3-1-8b>
%! llmenv_b_knee ("lama-3-1-8b", 8192);
%!error id=llmenv:badOption llmenv_b_knee (llama, 8192, "Bassis", "active")
%!error <nearest: .*Basis>
%! llmenv_b_knee (llama, 8192, "Bassis", "active");
%!error id=llmenv:badOption llmenv_b_knee (llama, 8192, "Basis", "some")
%!error id=llmenv:badOption llmenv_b_knee (llama, 8192, "Count", 1.5)
%!error id=llmenv:badOption llmenv_b_knee (llama, 8192, struct ("a", {1, 2}))
%!error <kv_heads|kv_cache_bytes_per_token>
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_knee (m, 8192);
%!error id=llmenv:badRecord
%! m = llmenv_model ("llama-3-1-8b");
%! m.layers{1}.kv_heads = 4;
%! llmenv_b_knee (m, 8192);

%!demo
%! ## Where the next sequence brings half of what the first one did.
%! L = [1024, 4096, 16384];
%! printf ("%5d tokens: batch %.1f\n", [L; llmenv_b_knee("llama-3-1-8b", L)]);
