# Two commands: `make demo` and `make test`. Both install what is missing, build, and hide no failure.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
JOBS ?= $(shell nproc)
PRESET ?= release
BUILD := build/$(PRESET)
PYTHON := $(CURDIR)/.venv/bin/python

.PHONY: help setup build demo test test-slow fuzz bench format tidy lock install clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: ## Install Debian packages and the pinned virtual environment (only what is missing)
	@setup/setup.sh

$(BUILD)/build.ninja: CMakeLists.txt CMakePresets.json setup/requirements.txt | setup
	cmake --preset $(PRESET)

build: setup $(BUILD)/build.ninja ## Build the library, the command line and the tests
	@cmake --build $(BUILD) -j $(JOBS)
	@if [ -d $(BUILD)/python/prehend ]; then setup/link_python.sh .venv $(BUILD)/python; fi

demo: build ## Show what Prehend can do, on embedded data
	@$(BUILD)/bin/prehend demo

test: build fuzz-build ## Run all tests (unit, command line, oracles, install, six seconds of fuzzing per reader)
	@PREHEND_FUZZ_SECONDS=$${PREHEND_FUZZ_SECONDS:-6} ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error || status=$$?; \
		tests/skips.py $(BUILD); exit $${status:-0}
	@tests/fuzz/run.sh build/fuzz $${PREHEND_FUZZ_SECONDS:-6} $(JOBS)

test-slow: build fuzz-build ## Sanitizers, long sweeps, a minute of fuzzing per reader
	@cmake --build $(BUILD) -j $(JOBS) --target benches
	@PREHEND_SLOW=1 ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error
	@cmake --preset asan
	@cmake --build build/asan -j $(JOBS)
	@ctest --test-dir build/asan -j $(JOBS) --output-on-failure --no-tests=error
	@tests/fuzz/run.sh build/fuzz 60 $(JOBS)

.PHONY: fuzz-build
fuzz-build: build
	@[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
	@cmake --build build/fuzz -j $(JOBS) --target fuzzers

bench: build ## Measure the figures of bench/ and print them as a table
	@cmake --build $(BUILD) -j $(JOBS) --target benches
	@$(PYTHON) bench/run.py --build $(BUILD)

format: ## Format all C++ sources
	@git ls-files '*.h' '*.cpp' | xargs clang-format-19 -i

tidy: build ## Run clang-tidy over the library
	@git ls-files 'prehend/*.cpp' 'apps/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy-19 -p $(BUILD) --quiet

lock: ## Pin the closure of setup/requirements.in anew
	@setup/lock.sh

install: build ## Install to PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $${PREFIX:-/usr/local}

clean: ## Remove build results (keeps .venv)
	@rm -rf build
