# The front door. Each line of output is one step; a step's own words appear
# only when it fails.
#   make demo      a real crash and its report
#   make test      what every change must pass (also .ci/run)
#   make build     build/sigwhy and build/sigwhy-develop
#   make test-all  the long tests too, and the tables under docs/
#   make dist wheel format clean
# Not on Debian, or packages by hand: make INSTALL=true ...

SHELL := /bin/bash
INSTALL ?= tools/install
# Debian's Python: pytest, jsonschema and NumPy are installed for that one
PYTHON ?= /usr/bin/python3
JOBS ?= $(shell nproc)
VERSION := $(shell sed -n 's/^project.sigwhy VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
BUNDLE := dist/sigwhy-$(VERSION)-linux-x86_64.tar.gz
CASES := build/cases
PYTEST := $(PYTHON) -m pytest -q -p no:cacheprovider
step := @tools/step

export NINJA_STATUS = [%f/%t]
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: demo build test test-all compile check-source unit unit-asan crashes memory chain contract \
        dist wheel bundle-test long bench format clean
.NOTPARALLEL:

demo: build
	@echo
	@build/sigwhy demo; status=$$?; [ $$status = 0 ] || [ $$status -gt 128 ]

build: install-build build/build.ninja
	$(step) build ninja -C build -j $(JOBS) sigwhy sigwhy-develop demo-build/all

test: install-test compile check-source unit unit-asan crashes memory chain contract bundle-test
	@echo "all is well"

test-all: install-all test long bench

install-%:
	@$(INSTALL) $*

build/build.ninja:
	$(step) configure cmake -S . -B build -G Ninja

compile: build/build.ninja
	$(step) compile ninja -C build -j $(JOBS)

check-source:
	$(step) layering $(PYTHON) tests/layering.py
	$(step) sizes $(PYTHON) tests/sizes.py

# Golden files (tests/golden) are read by the unit tests; tools/bless renews them.
unit:
	$(step) unit ctest --test-dir build -j $(JOBS) --output-on-failure

# The unit tests of what reads foreign bytes once more, where a wrong access or an
# undefined shift is fatal; `make test-all` does so with all of them. Only unit
# tests: the front is static, which AddressSanitizer cannot be.
ASAN_UNITS := base evidence target native python capture
build-asan/build.ninja:
	$(step) configure cmake -S . -B build-asan -G Ninja -DSIGWHY_SANITIZE=ON

unit-asan: build-asan/build.ninja
	$(step) compile ninja -C build-asan -j $(JOBS) $(ASAN_UNITS:%=unit_%)
	$(step) unit+asan ctest --test-dir build-asan -j $(JOBS) --output-on-failure -R 'unit_($(subst $(eval) ,|,$(ASAN_UNITS)))$$'

crashes:
	@rm -rf $(CASES)
	$(step) crashes $(PYTHON) tests/crashes/run.py --sigwhy build/sigwhy --build build/crashes --cases $(CASES) --jobs $(JOBS)
	$(step) schema $(PYTHON) tests/schema/check.py docs/case.schema.json $(CASES)

# Programs that run out of memory in a control group of their own, and their
# harmless twins; those with real frameworks only with --long.
memory:
	$(step) memory $(PYTHON) tests/crashes/run.py --programs tests/memory --sigwhy build/sigwhy --build build/crashes --jobs $(JOBS)

chain:
	$(step) chain $(PYTEST) -m 'not long' tests/chain

contract:
	$(step) contract $(PYTEST) -m 'not long' tests/contract

dist: build
	$(step) dist $(PYTHON) tools/dist.py build dist

wheel: dist
	$(step) wheel $(PYTHON) tools/wheel.py $(BUNDLE) dist

bundle-test: wheel
	$(step) bundle $(PYTEST) -m 'not long' tests/dist

long:
	$(step) compile ninja -C build-asan -j $(JOBS) units
	$(step) unit+asan ctest --test-dir build-asan -j $(JOBS) --output-on-failure
	$(step) lies env SIGWHY_FLIPS=100000 build/tests/unit_capture --gtest_filter='LyingMemory.*'
	$(step) contract+ $(PYTEST) -m long tests/contract
	$(step) chain+ $(PYTEST) -m long tests/chain
	$(step) bundle+ $(PYTEST) -m long tests/dist
	$(step) crashes+ $(PYTHON) tests/crashes/run.py --sigwhy build/sigwhy --build build/crashes --jobs $(JOBS) \
	  --update-table docs/crashes.md
	$(step) memory+ $(PYTHON) tests/crashes/run.py --programs tests/memory --long --sigwhy build/sigwhy --build build/crashes

bench: build
	$(step) bench $(PYTHON) bench/run.py --sigwhy build/sigwhy
	$(step) death $(PYTHON) bench/death.py --sigwhy build/sigwhy
	$(step) attach $(PYTHON) bench/attach.py --sigwhy build/sigwhy
	$(step) sampler $(PYTHON) bench/sampler.py --sigwhy build/sigwhy
	$(step) memory $(PYTHON) bench/memory.py --sigwhy build/sigwhy
	$(step) table $(PYTHON) bench/table.py docs/benchmarks.md

format:
	@$(INSTALL) all
	$(step) format bash -c 'git ls-files "src/*.cpp" "src/*.h" "tests/unit/*.cpp" | xargs $$(type -P clang-format-14 clang-format | head -1) -i'

clean:
	rm -rf build build-asan dist
