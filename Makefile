# Short commands for people; CMakePresets.json and the CMake files hold the build itself.
#
#   make demo      build, then compare algorithms on networks that exist (charts in build/demo)
#   make test      build everything, run the tests    make test-slow   the exhaustive ones (minutes)
#   make build     the program alone: build/release/bin/weft
#   make bench     run the benchmarks
#   make asan      build and test with invariants checked, under asan and ubsan, on fewer samples
#   make tsan      the tests of threads under ThreadSanitizer
#   make lint      formatting, rooms, headers, clang-tidy on what changed
#   make tidy-all  clang-tidy on everything; what is known to be clean is remembered
#   make format    lay the code out with clang-format
#   make install PREFIX=/usr/local                    make clean    remove build/
#
# JOBS=N sets how many compilers and tests run at once (2 unless told; big files need 1 GB each).

JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 1); [ $$n -lt 2 ] && echo $$n || echo 2)
PREFIX ?= /usr/local
BUILD := build/release
# In CI a compiler warning is an error.
WEFT_WERROR ?= $(if $(filter true 1 yes,$(CI)),ON,OFF)
CTEST_FLAGS ?=
TIDY_FLAGS ?=

# Clones in different folders share cached objects.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

CONFIGURE = cmake --preset $(1) -DWEFT_WERROR=$(WEFT_WERROR) --log-level=NOTICE
COMPILE = cmake --build --preset $(1) -j$(JOBS)

.PHONY: help setup build test test-slow demo bench asan tsan headers lint format check-format check-rooms tidy tidy-all \
  install clean
help:
	@sed -n '/^#  /s/^# *//p' Makefile

setup:
	@tools/setup.sh

build: setup
	@$(call CONFIGURE,release)
	$(call COMPILE,release) --target weft

test: setup
	@$(call CONFIGURE,release)
	$(call COMPILE,release)
	ctest --preset release -j$(JOBS) -LE slow $(CTEST_FLAGS)

# Whole ranges where the tests take samples; some have time limits of their own.
test-slow: setup
	@$(call CONFIGURE,release)
	$(call COMPILE,release)
	ctest --preset release -L slow $(CTEST_FLAGS)

demo: build
	examples/demo.sh

bench: setup
	@$(call CONFIGURE,release)
	$(call COMPILE,release) --target weft_benchmarks
	@set -e; for program in $(BUILD)/bin/*_bench; do \
	  [ -x "$$program" ] || continue; echo "== $$(basename $$program)"; "$$program" $(BENCH_FLAGS); done

# CMakePresets.json says how many samples and which tests; CTEST_FLAGS="-L unit" picks some.
asan: setup
	@$(call CONFIGURE,asan)
	$(call COMPILE,asan)
	ctest --preset asan -j$(JOBS) $(CTEST_FLAGS)

tsan: setup
	@$(call CONFIGURE,tsan)
	$(call COMPILE,tsan) --target weft_test_programs
	ctest --preset tsan -j$(JOBS) $(CTEST_FLAGS)

lint: setup check-format check-rooms headers tidy

check-format: setup
	@tools/format.sh --check

check-rooms: setup
	@tools/check_rooms.py

headers: setup
	@$(call CONFIGURE,release)
	$(call COMPILE,release) --target weft_header_check

tidy: setup
	@$(call CONFIGURE,release)
	@tools/tidy.py $(BUILD) --jobs $(JOBS)

tidy-all: setup
	@$(call CONFIGURE,release)
	@tools/tidy.py $(BUILD) --all --jobs $(JOBS) $(TIDY_FLAGS)

format: setup
	@tools/format.sh

install: setup
	@$(call CONFIGURE,release)
	$(call COMPILE,release) --target weft weft_libraries
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build
