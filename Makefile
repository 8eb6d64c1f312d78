# Two commands: `make demo` and `make test`. Both install what is missing, build, and hide no failure.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
JOBS ?= $(shell nproc)
PRESET ?= release
BUILD := build/$(PRESET)
PYTHON := $(CURDIR)/.venv/bin/python

.PHONY: help setup build demo test test-slow bench format tidy lock install clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: ## Install Debian packages and the pinned virtual environment (only what is missing)
	@setup/setup.sh

# Tests, benchmarks and bindings join a build folder that `make demo` has made without them; nothing is compiled twice.
# What tests need is installed while the command line is compiled.
build: ## Build the library, the command line, the tests and the Python package
	@setup/setup.sh build
	@setup/configure.sh $(PRESET) program
	@setup/setup.sh test & rest=$$!; \
		setup/build.sh $(BUILD) $(JOBS) prehend_cli || { status=$$?; kill $$rest; exit $$status; }; \
		wait $$rest
	@setup/configure.sh $(PRESET) everything
	@setup/build.sh $(BUILD) $(JOBS)
	@if [ -d $(BUILD)/python/prehend ]; then setup/link_python.sh .venv $(BUILD)/python; fi

demo: ## Show what Prehend can do, on embedded data: builds the command line alone
	@setup/setup.sh build
	@setup/configure.sh $(PRESET) program
	@setup/build.sh $(BUILD) $(JOBS) prehend_cli
	@$(BUILD)/bin/prehend demo

test: build fuzz-build ## Run all tests (unit, command line, oracles, install, a second of fuzzing per reader)
	@PREHEND_FUZZ_SECONDS=$${PREHEND_FUZZ_SECONDS:-1} ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error || status=$$?; \
		tests/skips.py $(BUILD); exit $${status:-0}
	@tests/fuzz/run.sh build/fuzz $${PREHEND_FUZZ_SECONDS:-1} $(JOBS)

test-slow: build fuzz-build ## Long sweeps, sanitizers, a minute of fuzzing per reader: all of it, then what failed
	@tests/slow.sh $(BUILD) $(JOBS)

.PHONY: fuzz-build
fuzz-build: build
	@[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
	@setup/build.sh build/fuzz $(JOBS) fuzzers

bench: build ## Measure the figures of bench/ and print them as a table
	@setup/build.sh $(BUILD) $(JOBS) benches sweeps
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
