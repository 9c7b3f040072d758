## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} llmenv_import (@var{path})
## @deftypefnx {} {[@var{m}, @var{notes}] =} llmenv_import (@var{path})
## @deftypefnx {} {} llmenv_import (@var{path})
## Make a record of the files of a model.
##
## @var{path} is a folder or a file: a Hugging Face @file{config.json}, a
## safetensors file or the index of one, a GGUF file (any part of a split one),
## or a record. Weights come from the tensors where there are any, else from the
## configuration; layers and the cache from the configuration or the metadata.
##
## @var{m} is a struct as @code{llmenv_model} describes it. It can be given
## wherever a model can, and so can the path itself. With no output its card is
## printed, and the notes.
##
## @var{notes} is a cell column of text: what was assumed, guessed from a class
## default, or left out.
##
## Errors: @code{llmenv:badFile} (no such file, not a model), @code{llmenv:badRecord}
## (the field that is missing or absurd: what a token adds to the cache is never
## guessed), @code{llmenv:tooLarge}, @code{llmenv:badCall}, @code{llmenv:badType}
## (@var{path} is no text).
##
## @example
## @group
## m = llmenv_import ("models/Llama-3.1-8B");
## llmenv_kv_bytes (m, 8192)
## @end group
## @end example
## @seealso{llmenv_model, llmenv_audit}
## @end deftypefn

function [m, notes] = llmenv_import (varargin)
  [record, lines] = __llmenv_gate__ ("llmenv_import", "__llmenv_import__",
                                     numel (varargin), varargin{:});
  if (nargout == 0)
    llmenv_model (record);
    printf ("note: %s\n", lines{:});
  else
    m = record;
    notes = lines;
  endif
endfunction

%!function folder = example ()
%!  ## A dense model of 4 layers with 8 query heads and 2 KV heads of 64.
%!  folder = tempname ();
%!  mkdir (folder);
%!  fid = fopen (fullfile (folder, "config.json"), "w");
%!  fputs (fid, ['{"model_type": "llama", "hidden_size": 512, ' ...
%!    '"num_hidden_layers": 4, "num_attention_heads": 8, ' ...
%!    '"num_key_value_heads": 2, "intermediate_size": 1024, ' ...
%!    '"vocab_size": 1000, "max_position_embeddings": 4096, ' ...
%!    '"tie_word_embeddings": false, "torch_dtype": "bfloat16"}']);
%!  fclose (fid);
%!endfunction

%!function clean (folder)
%!  confirm_recursive_rmdir (false, "local");
%!  rmdir (folder, "s");
%!endfunction

## The record, by its struct and by its path, wherever a model can be.
%!test
%! folder = example ();
%! unwind_protect
%!   [m, notes] = llmenv_import (folder);
%!   assert (m.kv_cache_bytes_per_token, 4 * 2 * 64 * 2 * 2);
%!   assert (m.gqa_ratio, 4);
%!   assert (iscellstr (notes) && columns (notes) <= 1);
%!   assert (llmenv_kv_bytes (m, [1, 100]), 2048 * [1, 100]);
%!   assert (llmenv_kv_bytes (folder, [1, 100]), 2048 * [1, 100]);
%!   assert (llmenv_kv_bytes ({m, folder}, 10), llmenv_kv_bytes ({folder, m}, 10));
%!   attention = 512 * (8 + 2 + 2 + 8) * 64;
%!   params = 4 * (attention + 3 * 512 * 1024 + 2 * 512) + 2 * 1000 * 512 + 512;
%!   assert (llmenv_weight_bytes (m, 1, "Basis", "resident", ...
%!                                "Embedding", "streamed"), 2 * params);
%!   assert (llmenv_model (folder), m);
%!   file = fullfile (folder, "config.json");
%!   t = llmenv_rank ("fill", "Model", file);
%!   assert (t.data.value, llmenv_fill (m, t.data.id));
%!   s = llmenv_step (file, "nvidia-l40s", 1, 100);
%!   assert (s, llmenv_step (m, "nvidia-l40s", 1, 100));
%!   text = evalc ("llmenv_import (folder)");
%!   assert (! isempty (strfind (text, "layers")));
%! unwind_protect_cleanup
%!   clean (folder);
%! end_unwind_protect

## A record that an earlier import wrote is read unchanged.
%!test
%! ## The records lie one folder up in a package, two in the built tree.
%! here = fileparts (which ("__llmenv_record__"));
%! places = {[here "/../data"], [here "/../../data"]};
%! data = places{find (cellfun (@isfolder, places), 1)};
%! m = llmenv_import ([data "/models/llama-3-1-8b.json"]);
%! assert (m, llmenv_model ("llama-3-1-8b"));

%!error id=llmenv:badCall llmenv_import ()
%!error id=llmenv:badCall llmenv_import ("a", "b")
%!error id=llmenv:badType llmenv_import (1)
%!error id=llmenv:badFile llmenv_import ("/nowhere/config.json")
%!error <^llmenv_import: /nowhere/config.json: > llmenv_import ("/nowhere/config.json")
%!error id=llmenv:badFile llmenv_import ("/dev/null")
%!error id=llmenv:badFile llmenv_kv_bytes ("/dev/null", 1)
%!error <no such file> llmenv_kv_bytes ("./nowhere.gguf", 1)

%!demo
%! ## A configuration that is nobody's.
%! file = [tempname() ".json"];
%! fid = fopen (file, "w");
%! fputs (fid, ['{"model_type": "llama", "hidden_size": 512, ' ...
%!   '"num_hidden_layers": 4, "num_attention_heads": 8, ' ...
%!   '"num_key_value_heads": 2, "intermediate_size": 1024, "vocab_size": 1000}']);
%! fclose (fid);
%! m = llmenv_import (file);
%! printf ("%d bytes a token\n", m.kv_cache_bytes_per_token);
%! delete (file);
