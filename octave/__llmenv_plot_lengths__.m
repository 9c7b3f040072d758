## SPDX-License-Identifier: GPL-3.0-or-later

## [MIX, REST] = __llmenv_plot_lengths__ (PAIRS): take option Contexts out of
## PAIRS: a struct of lengths and weights, lengths that count the same, or the
## name of a file.  MIX: whole (the struct for the quantities), lengths (each
## once, rising), weights, mean, name (words for the caption, of a file).

function [mix, rest] = __llmenv_plot_lengths__ (pairs)
  [value, rest] = __llmenv_take__ (pairs, "Contexts", []);
  if (isempty (value))
    error ("llmenv:badCall",
           "kind mix needs option Contexts: %s", accepted ());
  endif
  mix.name = "";
  if (ischar (value))
    [~, name, ending] = fileparts (value);
    mix.name = ["contexts of " name ending ": "];
    value = read (value);
  elseif (isnumeric (value) && isreal (value))
    value = struct ("lengths", value);
  elseif (! isstruct (value))
    error ("llmenv:badOption", "option Contexts must be %s", accepted ());
  endif
  try                          # what is wrong with it, the core says
    llmenv_kv_bytes ("llama-3-1-8b", value);
  catch e
    text = regexprep (e.message, '^\w+: L(?=\W)', "option Contexts");
    error (struct ("message", text, "identifier", e.identifier));
  end_try_catch
  lengths = double (value.lengths(:))';
  weights = ones (size (lengths));
  if (isfield (value, "weights") && ! isempty (value.weights))
    weights = double (value.weights(:))';
  endif
  mix.whole = struct ("lengths", lengths, "weights", weights);
  [mix.lengths, ~, at] = unique (lengths(weights > 0));
  mix.weights = accumarray (at(:), weights(weights > 0)(:))';
  if (mix.lengths(end) == 0)
    error ("llmenv:badValue", "no picture: all of Contexts are 0 tokens");
  endif
  mix.mean = sum (mix.lengths .* mix.weights) / sum (mix.weights);
endfunction

function text = accepted ()
  text = ["lengths, a struct of lengths and weights, or the name " ...
          "of a file with a length, or a length and its weight, on each line"];
endfunction

## A file that the core has read, so that it is as it should be.
function value = read (file)
  [info, err, why] = stat (file);
  if (err != 0)
    error ("llmenv:badFile", "option Contexts: %s: %s", file, why);
  elseif (! S_ISREG (info.mode))
    error ("llmenv:badFile", "option Contexts: %s: not a file", file);
  endif
  llmenv_kv_bytes ("llama-3-1-8b", file);
  words = regexp (fileread (file),
                  '^[ \t,;\r]*([^\s,;#]+)(?:[ \t,;\r]+([^\s,;#]+))?',
                  "tokens", "lineanchors");
  one = cellfun (@(w) [w(1), w(2:end), {"1"}](1:2), words,
                 "UniformOutput", false);
  one = vertcat (one{:});
  value = struct ("lengths", number (one(:,1)), "weights", number (one(:,2)));
endfunction

## 32k is 32 x 1024.
function x = number (words)
  units = regexp (words, '[kKM]$', "match", "once");
  x = str2double (regexprep (words, '[kKM]$', ""));
  x .*= 1024 .^ (ismember (units, {"k", "K"}) + 2 * strcmp (units, "M"));
endfunction
