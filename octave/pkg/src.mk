# SPDX-License-Identifier: GPL-3.0-or-later
# Build of the Octave package: `pkg install` runs make here, with MKOCTFILE set.
# The sources keep their folders beneath this one.
MKOCTFILE ?= mkoctfile
CORE := $(wildcard core/*/*.c)
EXPORT := $(filter-out export/llmenv_command.c export/llmenv_help.c,$(wildcard export/*.c))
OBJECTS := $(CORE:.c=.o) $(EXPORT:.c=.o) $(patsubst %.c,%.o,$(wildcard mex/llmenv_*.c))
GATEWAYS := $(patsubst mex/%.c,%.mex,$(wildcard mex/__*__.c))
INCLUDES := -Icore/formulas -Icore/records -Icore/tables -Iexport -Imex
LIBS := -lxlsxwriter -ljansson -lgsl -lgslcblas -lm

all: $(GATEWAYS)

%.o: %.c
	CFLAGS="-O3 -std=c11 -D_GNU_SOURCE" $(MKOCTFILE) --mex -c $(INCLUDES) $< -o $@

%.mex: mex/%.c $(OBJECTS)
	CFLAGS="-O2 -std=c11 -D_GNU_SOURCE" $(MKOCTFILE) --mex $(INCLUDES) $< $(OBJECTS) $(LIBS) -o $@

clean:
	rm -f *.mex *.o core/*/*.o export/*.o mex/*.o
