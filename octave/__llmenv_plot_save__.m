## SPDX-License-Identifier: GPL-3.0-or-later

## __llmenv_plot_save__ (FIGURE, FILE): FILE as .png, .svg or .pdf, 1200 pixels
## wide. It is written beside its place and renamed: all of it or nothing.

function __llmenv_plot_save__ (fig, file)
  [folder, name, ending] = fileparts (file);
  ending = lower (ending);
  is_gnuplot = strcmp (get (fig, "__graphics_toolkit__"), "gnuplot");
  draft = fullfile (folder, sprintf (".%s-%d%s", name, getpid (), ending));
  [fid, why] = fopen (draft, "w");
  if (fid < 0)
    error ("llmenv:badFile", "cannot write %s: %s", file, why);
  endif
  fclose (fid);
  unwind_protect
    try
      draw (fig, draft, ending, is_gnuplot);
    catch e
      error ("llmenv:badFile", "cannot write %s: %s", file, e.message);
    end_try_catch
    if (stat (draft).size == 0)
      error ("llmenv:badFile", "cannot write %s: the plotter wrote nothing",
             file);
    endif
    [err, why] = rename (draft, file);
    if (err != 0)
      error ("llmenv:badFile", "cannot write %s: %s", file, why);
    endif
  unwind_protect_cleanup
    [~, ~] = unlink (draft);
  end_unwind_protect
endfunction

function draw (fig, draft, ending, is_gnuplot)
  warning ("off", "Octave:gnuplot-graphics", "local");
  warning ("off", "print:nogs", "local");
  if (! is_gnuplot)
    print (fig, draft, ["-d" ending(2:end)], "-r96");
    return;
  endif
  switch (ending)
    case ".png"
      print (fig, draft, "-dpngcairo");
      with_palette (draft);
    case ".svg"                # text is smaller there, marks are larger
      with_scale (fig, [4/3, 1, 0.6], @() print (fig, draft, "-dsvg"));
      mend_fonts (draft);
    case ".pdf"                # text and lines at half size
      with_scale (fig, [2, 2, 1], @() print (fig, draft, "-dpdfcairo"));
  endswitch
endfunction

## Fewer bytes: a palette of the 256 commonest colours; what the edges of
## letters have besides takes the nearest of them.
function with_palette (file)
  x = double (imread (file));
  code = 65536 * x(:,:,1) + 256 * x(:,:,2) + x(:,:,3);
  is_ink = code != 0xffffff;   # most of a picture is white
  [colors, ~, at] = unique (code(is_ink));
  [~, order] = sort (accumarray (at(:), 1), "descend");
  rgb = [floor(colors / 65536), mod(floor (colors / 256), 256), ...
         mod(colors, 256)];
  map = [255, 255, 255; rgb(order(1:min (255, end)),:)];
  far = 0;
  for k = 1:3
    far += (rgb(:,k) - map(:,k)') .^ 2;
  endfor
  [~, nearest] = min (far, [], 2);
  index = zeros (size (code), "uint8");
  index(is_ink) = nearest(at) - 1;
  imwrite (index, map / 255, file, "png");
endfunction

## gnuplot writes DejaVu Sans:Bold, which no reader knows.
function mend_fonts (file)
  text = fileread (file);
  text = strrep (text, 'font-family="DejaVu Sans:Bold"',
                 'font-family="DejaVu Sans" font-weight="bold"');
  text = regexprep (text, 'font-family="(?:DejaVu Sans|Arial|:Bold)?"',
                    'font-family="DejaVu Sans, Verdana, sans-serif"');
  fid = fopen (file, "w");
  if (fputs (fid, text) != 0 || fclose (fid) != 0)
    error ("llmenv:badFile", "no room for the picture");
  endif
endfunction

## Call F while text, lines and marks of FIG are larger by SCALES.
function with_scale (fig, scales, f)
  names = {"fontsize", "linewidth", "markersize"};
  for k = 1:3
    old(k) = scaled (fig, names{k}, scales(k));
  endfor
  unwind_protect
    f ();
  unwind_protect_cleanup
    for k = 1:3
      for i = 1:numel (old(k).h)
        set (old(k).h(i), names{k}, old(k).value{i});
      endfor
    endfor
  end_unwind_protect
endfunction

function old = scaled (fig, name, by)
  h = findall (fig, "-property", name);
  ## Axes first: their labels follow them, and are set after.
  [~, order] = sort (! strcmp (get (h, "type"), "axes"));
  old.h = h(order);
  old.value = get (old.h, name);
  for k = 1:numel (old.h)
    set (old.h(k), name, old.value{k} * by);
  endfor
endfunction
