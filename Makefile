# SPDX-License-Identifier: GPL-3.0-or-later
# llmenv: `make report` and `make check` are all that most people need.

VERSION := 0.1.0
B := build
OUT := out

CC ?= gcc
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
FLAGS := -std=c11 -D_GNU_SOURCE -DLLMENV_VERSION='"$(VERSION)"' -fPIC -MMD -MP $(WARN) \
         -Icore/formulas -Icore/records -Icore/tables -Iexport
CORE_LIBS := -ljansson -lgsl -lgslcblas -lm
LIBS := -lxlsxwriter $(CORE_LIBS)

FORMULAS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard core/formulas/*.c))
CORE := $(FORMULAS) $(patsubst %.c,$(B)/obj/%.o,$(wildcard core/records/*.c core/tables/*.c))
COMMAND := $(patsubst %.c,$(B)/obj/%.o,export/llmenv_command.c export/llmenv_help.c)
EXPORT := $(filter-out $(COMMAND),$(patsubst %.c,$(B)/obj/%.o,$(wildcard export/*.c)))
TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/core/test_*.c tests/export/test_*.c))
MFILES := $(wildcard octave/*.m)
GATEWAYS := $(patsubst mex/%.c,$(B)/octave/%.mex,$(wildcard mex/__*__.c))
MEX_SHARED := $(wildcard mex/llmenv_*.c)

OCTAVE := octave-cli --quiet --no-init-file --no-history
SETUP := sh .ci/setup
PYTHON := /usr/bin/python3

.DELETE_ON_ERROR:
.PRECIOUS: $(B)/fuzz/fuzz_%
.PHONY: all report gallery check check-oracles check-pkg fuzz purity bench lint asan \
        dist install clean help setup-build setup-check test-programs asan-programs

report: setup-build ## install what is missing, build, write the workbook and the pictures to out/
	@$(MAKE) --no-print-directory all
	@mkdir -p $(OUT)
	$(B)/llmenv report $(OUT)/llmenv.xlsx
	@$(MAKE) --no-print-directory gallery
	@echo "wrote $(OUT)/llmenv.xlsx and $(OUT)/gallery/"

gallery: all ## the pictures, to out/gallery/
	@mkdir -p $(OUT)/gallery
	@$(OCTAVE) --path $(CURDIR)/$(B)/octave octave/examples/gallery.m $(OUT)/gallery

check: setup-check ## install what is missing, build, run every test
	@$(MAKE) --no-print-directory all
	@sh tests/run.sh

all: $(B)/llmenv $(GATEWAYS) $(MFILES:%=$(B)/%) ## build the command, the library and the Octave functions

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup-build:
	@$(SETUP) build

setup-check:
	@$(SETUP) build check

# ---- library, command, gateways ----------------------------------------------

# The inner loops of grids: worth the vectoriser.
$(FORMULAS): override CFLAGS += -O3

$(B)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(FLAGS) -c $< -o $@

$(B)/libllmenv.a: $(CORE)
	rm -f $@
	ar rcs $@ $^

$(B)/llmenv: $(COMMAND) $(EXPORT) $(B)/libllmenv.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Only the report's gateway needs the exporter.
$(B)/octave/__llmenv_report__.mex: GATEWAY_EXPORT := $(EXPORT)
$(B)/octave/__llmenv_report__.mex: $(EXPORT)

# CFLAGS go through the environment: mkoctfile adds Octave's own.
$(B)/octave/%.mex: mex/%.c $(MEX_SHARED) $(wildcard mex/*.h) $(B)/libllmenv.a
	@mkdir -p $(@D) $(B)/obj/mex
	cd $(B)/obj/mex && CFLAGS="$(CFLAGS) $(filter-out -MMD -MP -Wpedantic -Wconversion -Icore/% -Iexport,$(FLAGS))" \
	  mkoctfile --mex -I$(CURDIR)/core/formulas -I$(CURDIR)/core/records -I$(CURDIR)/core/tables \
	  -I$(CURDIR)/export -I$(CURDIR)/mex $(CURDIR)/$< $(addprefix $(CURDIR)/,$(MEX_SHARED)) \
	  $(addprefix $(CURDIR)/,$(GATEWAY_EXPORT)) $(CURDIR)/$(B)/libllmenv.a $(LIBS) -o $(CURDIR)/$@

$(B)/octave/%.m: octave/%.m
	@mkdir -p $(@D)
	cp $< $@

# ---- tests -------------------------------------------------------------------

$(B)/tests/%: tests/%.c $(EXPORT) $(B)/libllmenv.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -Wmissing-prototypes -Wconversion,$(FLAGS)) -o $@ $< $(EXPORT) $(B)/libllmenv.a -lcmocka $(LIBS) -lpthread

test-programs: $(TESTS)

# Readers of foreign files under libFuzzer; the seeds are files of ours.
FUZZ_SECONDS ?= 30
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,fuzz-%,$(wildcard tests/fuzz/fuzz_*.c))

fuzz: $(FUZZERS) ## 30 seconds (FUZZ_SECONDS) of hostile input for each reader

$(B)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h $(wildcard core/formulas/*.c core/records/*.c)
	@mkdir -p $(@D)
	clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -std=c11 -D_GNU_SOURCE \
	  -Icore/formulas -Icore/records -Icore/tables -o $@ $(filter %.c,$^) $(CORE_LIBS)

fuzz-%: $(B)/fuzz/fuzz_%
	@mkdir -p $(B)/fuzz/$*-found
	@cd $(B)/fuzz && ./fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
	  $*-found $(CURDIR)/tests/fuzz/corpus/$* >$*.log 2>&1 || { tail -n 30 $*.log; exit 1; }
	@grep '^Done' $(B)/fuzz/$*.log

check-oracles: setup-check ## compare the GGUF reader with npm packages (not part of check)
	@$(MAKE) --no-print-directory $(B)/tests/core/test_gguf
	B=$(B) sh tests/oracle/gguf_oracle/run.sh $(B)/tests/core/test_gguf

purity: $(FORMULAS) ## prove that the formulas open no file, print nothing, allocate nothing
	sh tests/core/purity.sh $(FORMULAS)

lint: setup-check ## warnings as errors, cppcheck
	$(MAKE) --no-print-directory B=$(B)/lint WERROR=-Werror $(B)/lint/llmenv
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	  --suppress=missingIncludeSystem --error-exitcode=1 -Icore/formulas -Icore/records -Icore/tables \
	  -Iexport core export

asan: setup-check ## the C tests and the command under address and undefined-behaviour sanitizers
	$(MAKE) --no-print-directory B=$(B)/asan CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" \
	  $(B)/asan/llmenv asan-programs

asan-programs: $(TESTS)
	@for t in $(TESTS); do ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0 LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0 $$t >$(B)/log 2>&1 || { tail -30 $(B)/log; exit 1; }; echo "ok $$t"; done

bench: setup-build ## speed as ratios in one run
	@$(MAKE) --no-print-directory all $(B)/bench
	@$(B)/bench
	@$(OCTAVE) --path $(CURDIR)/$(B)/octave --eval 'run ("$(CURDIR)/tests/bench.m")'

$(B)/bench: tests/bench.c $(B)/libllmenv.a
	$(CC) $(CFLAGS) $(filter-out -Wmissing-prototypes,$(FLAGS)) -o $@ $(filter %.c,$^) $(CORE_LIBS)

# ---- installation ------------------------------------------------------------

PREFIX ?= /usr/local
DATA := $(DESTDIR)$(PREFIX)/share/llmenv

install: ## install the command, the records and the Octave functions under PREFIX
	@$(MAKE) --no-print-directory all
	install -d $(DESTDIR)$(PREFIX)/bin $(DATA)/octave
	install $(B)/llmenv $(DESTDIR)$(PREFIX)/bin/llmenv
	cp -r data $(DATA)/
	install -m 644 $(MFILES) $(DATA)/octave/
	install $(GATEWAYS) $(DATA)/octave/
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(B)/llmenv --man >$(DESTDIR)$(PREFIX)/share/man/man1/llmenv.1
	$(B)/llmenv --completion >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/llmenv

# ---- Octave package ----------------------------------------------------------

PKG := llmenv-$(VERSION)

dist: $(B)/$(PKG).tar.gz ## the tarball that `pkg install` builds

$(B)/$(PKG).tar.gz: $(MFILES) $(wildcard core/*/*.[ch] mex/*.[ch] export/*.[ch] data/*.json data/*/*.json octave/pkg/*) NEWS COPYING
	rm -rf $(B)/dist && mkdir -p $(B)/dist/$(PKG)/inst $(B)/dist/$(PKG)/src
	cp octave/pkg/DESCRIPTION octave/pkg/INDEX COPYING NEWS $(B)/dist/$(PKG)/
	cp $(MFILES) $(B)/dist/$(PKG)/inst/
	cp -r data $(B)/dist/$(PKG)/inst/data
	cp -r core mex export $(B)/dist/$(PKG)/src/
	cp octave/pkg/src.mk $(B)/dist/$(PKG)/src/Makefile
	tar -C $(B)/dist --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -czf $@ $(PKG)

check-pkg: dist ## install the package into an empty prefix and run its tests there
	rm -rf $(B)/pkg && mkdir -p $(B)/pkg/prefix
	$(OCTAVE) --eval "pkg prefix $(CURDIR)/$(B)/pkg/prefix $(CURDIR)/$(B)/pkg/prefix; pkg local_list $(CURDIR)/$(B)/pkg/list; pkg install -local $(CURDIR)/$(B)/$(PKG).tar.gz"
	$(OCTAVE) --path $$(dirname $(CURDIR)/$(B)/pkg/prefix/$(PKG)/*/__llmenv_quantity__.mex) \
	  tests/octave/run.m $(CURDIR)/$(B)/pkg/prefix/$(PKG)

clean: ## remove what was built
	rm -rf $(B) $(OUT)

-include $(wildcard $(B)/obj/*/*.d $(B)/obj/*/*/*.d)
