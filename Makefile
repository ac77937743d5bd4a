# Short commands for people; CMakePresets.json and the CMake files hold the build itself.
#
#   make demo      build the program, then compare algorithms on networks that exist (charts in build/demo)
#   make test      build everything, run the fast tests
#   make test-slow run every test with all its samples
#   make cases FILTER='Kautz.*'   run the cases of these names, with all their samples
#   make build     build the program and its helpers: build/release/bin/weft
#   make gpu       build weft-gpu, which runs MSCCL XML files on GPUs (needs nvcc)
#   make bench     run the benchmarks
#   make asan      build and test with invariants checked, under asan and ubsan
#   make tsan      the tests of threads under ThreadSanitizer
#   make site      the documents as a web site in build/site (needs tools/setup.sh site)
#   make fuzz      damaged input to all readers and commands, with new seeds, for FUZZ_SECONDS (600)
#   make lint      formatting, rooms, prose, includes and clang-tidy on what changed
#   make tidy-all  clang-tidy on everything; what is known to be clean is remembered
#   make check-prose  words, sentences and paragraphs of README, docs and help
#   make format    lay the code out with clang-format
#   make reference write the generated pages of docs/reference from the program's tables
#   make install PREFIX=/usr/local   build and install     make package   a Debian package
#   make clean     remove build/
#
# JOBS=N sets how many compilers and tests run at once (default: one per core, if memory allows).
# BASE=COMMIT is what "changed" is relative to in lint (default: the upstream branch, or the last commit).
# PART=part0 to part7, or every_run for asan and tsan, selects a share of test-slow, asan, tsan, includes or tidy.

JOBS ?= $(shell tools/jobs.sh)
PREFIX ?= /usr/local
BUILD := build/release
# In CI a compiler warning is an error.
WEFT_WERROR ?= $(if $(filter true 1 yes,$(CI)),ON,OFF)
PART ?=
CTEST_FLAGS ?=
TIDY_FLAGS ?=
INCLUDES_FLAGS ?=

# Configures build/NAME if that was never done or its settings changed; ninja does the rest by itself.
CONFIGURED = { [ build/$(1)/build.ninja -nt CMakePresets.json ] && grep -qs '^WEFT_WERROR:.*=$(WEFT_WERROR)$$' \
  build/$(1)/CMakeCache.txt; } || cmake --preset $(1) -DWEFT_WERROR=$(WEFT_WERROR) --log-level=NOTICE
COMPILE = cmake --build --preset $(1) -j$(JOBS)
# The tests and programs of a part, or all.
OF_PART = $(if $(PART),-L '^$(PART)$$')
PROGRAMS_OF_PART = $(if $(PART),--target weft_$(PART)_programs)

.PHONY: help setup ready build gpu test test-slow cases demo bench fuzz asan tsan includes lint format check-format check-rooms tidy tidy-all \
  reference install package clean
help:
	@sed -n '/^#  /s/^# *//p' Makefile

setup:
	@tools/setup.sh

# Runs before each target that compiles.
ready:
	@tools/preflight.sh && tools/setup.sh

build: ready
	@$(call CONFIGURED,release)
	$(call COMPILE,release) --target weft weft_helpers

gpu: ready
	@$(call CONFIGURED,release)
	@grep -q '^WEFT_CUDART:[A-Z]*=/' $(BUILD)/CMakeCache.txt || \
	  { echo "make gpu needs nvcc and libcudart_static.a of the CUDA toolkit; put nvcc on the path" >&2; exit 2; }
	$(call COMPILE,release) --target weft_gpu

test: ready
	@$(call CONFIGURED,release)
	$(call COMPILE,release)
	@rm -rf $(BUILD)/times
	ctest --preset release -j$(JOBS) -LE '^slow$$' --output-junit times/ctest.xml $(CTEST_FLAGS)
	@tools/slowest_cases.py $(BUILD)/times tests/long_judges.txt

# Runs every test with all its samples.
test-slow: ready
	@$(call CONFIGURED,release)
	$(call COMPILE,release)
	ctest --preset release -j$(JOBS) -L '^slow$$' $(OF_PART) $(CTEST_FLAGS)

# FILTER is a filter of GoogleTest, for all programs.
cases: ready
	@$(if $(FILTER),,$(error FILTER is empty (expected names of cases, such as FILTER='Kautz.*')))
	@$(call CONFIGURED,release)
	$(call COMPILE,release) --target weft_test_programs
	@found=0; status=0; for program in $(BUILD)/bin/*_test; do \
	  "$$program" --gtest_list_tests --gtest_filter='$(FILTER)' | grep -q '^  ' || continue; found=1; \
	  "$$program" --gtest_brief=1 --gtest_filter='$(FILTER)' || status=1; done; \
	[ $$found = 1 ] || { echo "make: no case matches FILTER='$(FILTER)'" >&2; exit 2; }; exit $$status

demo: ready
	@$(call CONFIGURED,release)
	$(call COMPILE,release) --target weft
	@examples/demo.sh

bench: ready
	@$(call CONFIGURED,release)
	$(call COMPILE,release) --target weft_benchmarks
	@set -e; for program in $(BUILD)/bin/*_bench; do \
	  [ -x "$$program" ] || continue; echo "== $$(basename $$program)"; "$$program" $(BENCH_FLAGS); done

# Damaged input with new seeds, for ten minutes.
FUZZ_SECONDS ?= 600
fuzz: ready
	@$(call CONFIGURED,release)
	$(call COMPILE,release) --target fuzz_test
	@tools/fuzz.sh $(BUILD)/bin/fuzz_test $(FUZZ_SECONDS) $(JOBS)

# tests/CMakeLists.txt sets the samples. CTEST_FLAGS="-L unit" selects tests.
asan: ready
	@$(call CONFIGURED,asan)
	$(call COMPILE,asan) $(PROGRAMS_OF_PART)
	ctest --preset asan -j$(JOBS) $(OF_PART) $(CTEST_FLAGS)

tsan: ready
	@$(call CONFIGURED,tsan)
	$(call COMPILE,tsan) $(or $(PROGRAMS_OF_PART),--target weft_test_programs)
	ctest --preset tsan -j$(JOBS) $(OF_PART) $(CTEST_FLAGS)

lint: setup check-format check-rooms check-prose includes tidy

check-format: setup
	@tools/format.sh --check

check-rooms: setup
	@tools/check_rooms.py
	@tools/check_calls.py
	@tools/checks/check_keys.py

# Reads the help of the program in build/release.
.PHONY: check-prose
check-prose: build
	@tools/prose.py README docs help

# Fails on broken links, missing pictures, and generated pages that differ from the program.
.PHONY: site
site: build
	@WEFT_PROGRAM=$(BUILD)/bin/weft WEFT_SOURCE_DIR=. python3 tests/tools/reference_test.py
	@tools/make_site.py build/site

# build/alone gives the compiler's options for each source by itself. Only the headers that are generated are built.
ALONE = { $(call CONFIGURED,alone); } && $(call COMPILE,alone) --target weft_format_messages >build/alone/messages.log
includes: ready
	@$(ALONE)
	@tools/check_includes.py build/alone $(BASE) --jobs $(JOBS) $(if $(PART),--part $(PART:part%=%)) \
	  $(INCLUDES_FLAGS)

tidy: ready
	@$(ALONE)
	@tools/tidy.py build/alone $(BASE) --jobs $(JOBS) $(if $(PART),--part $(PART:part%=%)) $(TIDY_FLAGS)

tidy-all: ready
	@$(ALONE)
	@tools/tidy.py build/alone --all --jobs $(JOBS) $(TIDY_FLAGS)

format: setup
	@tools/format.sh

# tests/tools/reference_test.py fails where these pages are stale.
reference: build
	@python3 tools/make_reference.py $(BUILD)/bin/weft docs/reference

# PREFIX and DESTDIR may be relative, and may have blanks.
install: export PREFIX := $(PREFIX)
install:
	@tools/preflight.sh install && tools/setup.sh
	@$(call CONFIGURED,release)
	$(call COMPILE,release) --target weft_installed
	@prefix=$$(realpath -ms -- "$$PREFIX"); export DESTDIR="$${DESTDIR:+$$(realpath -ms -- "$$DESTDIR")}"; \
	cmake --install $(BUILD) --prefix "$$prefix" && \
	echo "weft is installed: $$DESTDIR$$prefix/bin/weft (list of files: $(BUILD)/install_manifest.txt)"

package: ready
	@$(call CONFIGURED,release)
	$(call COMPILE,release) --target weft_installed
	@cd $(BUILD) && rm -f weft_*.deb && cpack -G DEB && rm -rf _CPack_Packages
	@echo "To install it, run as root: apt-get install ./$$(echo $(BUILD)/weft_*.deb)"

clean:
	rm -rf build
