# The front door. Each line of output is one step; a step's own words appear
# only when it fails.
#   make demo      a real crash and its report
#   make test      what every change must pass (also .ci/run)
#   make build     build/sigwhy and build/sigwhy-develop
#   make test-all  the long tests too, and the tables under docs/
#   make lab       every cause of the lab in every environment it names
#   make accuracy  how often sigwhy and others are right: docs/accuracy.md
#   make fuzz      every input format on damaged samples, FUZZ_SECONDS each
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

.PHONY: demo build test test-all compile check-source unit unit-asan all-units crashes memory guard guarded waiting chain contract experiment check-up inputs lab lab-quick casebook fuzz \
        dist wheel bundle-test long bench accuracy score format clean
.NOTPARALLEL:

demo: build
	@echo
	@build/sigwhy demo; status=$$?; [ $$status = 0 ] || [ $$status -gt 128 ]

build: install-build build/build.ninja
	$(step) build ninja -C build -j $(JOBS) sigwhy sigwhy-develop sigwhy_guard demo-build/all

test: install-test compile check-source unit unit-asan score crashes waiting lab-quick bundle-test
	@echo "all is well"

test-all: install-all test all-units long lab bench

install-%:
	@$(INSTALL) $*

build/build.ninja:
	$(step) configure cmake -S . -B build -G Ninja

# The programs, and what tests ask for; the unit tests are built where they run.
compile: build/build.ninja
	$(step) compile ninja -C build -j $(JOBS) sigwhy sigwhy-develop sigwhy_guard demo-build/all tensor_reader one_trial requirement_reader

check-source:
	$(step) layering $(PYTHON) tests/layering.py
	$(step) sizes $(PYTHON) tests/sizes.py

# Golden files (tests/golden) are read by the unit tests; tools/bless renews them.
# What parses foreign bytes is tested where a wrong access or an undefined shift is
# fatal, the rest as a user gets it. Each is built once, for time's sake; `make
# test-all` does both with all of them. Only unit tests: the front is static, which
# AddressSanitizer cannot be.
FOREIGN_BYTES := base evidence target native python inputs
OWN_BYTES := inventory capture diagnose experiment report store cli
only = -R 'unit_($(subst $(eval) ,|,$(1)))$$'

unit: build/build.ninja
	$(step) compile ninja -C build -j $(JOBS) $(OWN_BYTES:%=unit_%)
	$(step) unit ctest --test-dir build -j $(JOBS) --output-on-failure $(call only,$(OWN_BYTES))

build-asan/build.ninja:
	$(step) configure cmake -S . -B build-asan -G Ninja -DSIGWHY_SANITIZE=ON

unit-asan: build-asan/build.ninja
	$(step) compile ninja -C build-asan -j $(JOBS) $(FOREIGN_BYTES:%=unit_%)
	$(step) unit+asan ctest --test-dir build-asan -j $(JOBS) --output-on-failure $(call only,$(FOREIGN_BYTES))

all-units: build/build.ninja build-asan/build.ninja
	$(step) compile ninja -C build -j $(JOBS) units
	$(step) compile ninja -C build-asan -j $(JOBS) units
	$(step) units ctest --test-dir build -j $(JOBS) --output-on-failure
	$(step) units+asan ctest --test-dir build-asan -j $(JOBS) --output-on-failure

crashes:
	@rm -rf $(CASES)
	$(step) crashes $(PYTHON) tests/crashes/run.py --sigwhy build/sigwhy --build build/crashes --cases $(CASES) --jobs $(JOBS)
	$(step) schema $(PYTHON) tests/schema/check.py docs/case.schema.json $(CASES)

# Programs that run out of memory in a control group of their own, and their
# harmless twins; those with real frameworks only with --long.
memory:
	$(step) memory $(PYTHON) tests/crashes/run.py --programs tests/memory --sigwhy build/sigwhy --build build/crashes --jobs $(JOBS)

# The preloaded guard alone: programs behave under it as without it.
guard:
	$(step) guard $(PYTEST) -m 'not long' tests/guard

# Seeded memory bugs and their repaired twins below the guarded heap.
guarded:
	$(step) guarded $(PYTHON) tests/guarded/run.py --sigwhy build/sigwhy --build build/guarded --jobs $(JOBS)
	$(step) proven $(PYTHON) tests/guarded/run.py --confirm -k 'small_*' --sigwhy build/sigwhy --build build/guarded --jobs $(JOBS)

# Tests that wait most of their time; side by side they take half of it.
one_lane := chain memory guard guarded
other_lane := contract experiment check-up inputs
waiting:
	@export STEP_WHOLE=1; $(MAKE) --no-print-directory $(one_lane) & one=$$!; $(MAKE) --no-print-directory $(other_lane) & other=$$!; \
	wait $$one; status=$$?; wait $$other && exit $$status

chain:
	$(step) chain $(PYTEST) -m 'not long' tests/chain

contract:
	$(step) contract $(PYTEST) -m 'not long' tests/contract

# The throw-away layer and what runs in it.
experiment:
	$(step) experiment $(PYTEST) -m 'not long' tests/experiment

# What `sigwhy check` says of environments made up file by file; of real ones with `make test-all`.
check-up:
	$(step) check-up $(PYTEST) -m 'not long' tests/check
# `sigwhy verify` on files, sound and damaged.
inputs:
	$(step) inputs $(PYTEST) -m 'not long' tests/inputs

# A few causes of the lab on real TensorFlow, and all of them everywhere.
lab-quick:
	$(step) lab $(PYTHON) lab/run.py --quick --brief --sigwhy $(CURDIR)/build/sigwhy

lab: install-all build
	$(step) lab $(PYTHON) lab/run.py --all --brief --jobs $(JOBS) --keep build/lab --sigwhy $(CURDIR)/build/sigwhy

casebook:
	$(step) casebook $(PYTHON) tools/casebook.py build/lab

# An input that breaks a format is left behind as fuzz-FORMAT.input.
FUZZ_SECONDS ?= 3600

build-fuzz/build.ninja:
	$(step) configure cmake -S . -B build-fuzz -G Ninja -DSIGWHY_SANITIZE=ON -DSIGWHY_FUZZ=ON

fuzz: build-fuzz/build.ninja
	$(step) compile ninja -C build-fuzz -j $(JOBS) fuzz_formats
	@for file in src/inputs/formats/*.cpp; do format=$$(basename $$file .cpp | tr _ -); \
	  build-fuzz/tests/fuzz_formats $$format $(FUZZ_SECONDS) || exit 1; done

dist: build
	$(step) dist $(PYTHON) tools/dist.py build dist

wheel: dist
	$(step) wheel $(PYTHON) tools/wheel.py $(BUNDLE) dist

bundle-test: wheel
	$(step) bundle $(PYTEST) -m 'not long' tests/dist

long:
	$(step) lies env SIGWHY_FLIPS=100000 build/tests/unit_capture --gtest_filter='LyingMemory.*'
	$(step) guard+ $(PYTEST) -m long tests/guard
	$(step) contract+ $(PYTEST) -m long tests/contract
	$(step) chain+ $(PYTEST) -m long tests/chain
	$(step) experiment+ $(PYTEST) -m long tests/experiment
	$(step) check-up+ $(PYTEST) -m long tests/check
	$(step) inputs+ $(PYTEST) -m long tests/inputs
	$(step) bundle+ $(PYTEST) -m long tests/dist
	$(step) crashes+ $(PYTHON) tests/crashes/run.py --sigwhy build/sigwhy --build build/crashes --jobs $(JOBS) \
	  --update-table docs/crashes.md
	$(step) guarded+ $(PYTHON) tests/guarded/run.py --long --confirm --sigwhy build/sigwhy --build build/guarded \
	  --update-table docs/guarded.md
	$(step) healthy+ $(PYTHON) tests/guarded/healthy.py --long --sigwhy build/sigwhy --build build/crashes
	$(step) guarded-lab $(PYTHON) lab/run.py --guarded --brief --environment tensorflow --environment torch --sigwhy $(CURDIR)/build/sigwhy
	$(step) protobuf+ $(PYTHON) tests/protobuf/matrix.py --sigwhy build/sigwhy --update docs/protobuf.md
	$(step) memory+ $(PYTHON) tests/crashes/run.py --programs tests/memory --long --sigwhy build/sigwhy --build build/crashes

bench: build
	$(step) bench $(PYTHON) bench/run.py --sigwhy build/sigwhy
	$(step) death $(PYTHON) bench/death.py --sigwhy build/sigwhy
	$(step) attach $(PYTHON) bench/attach.py --sigwhy build/sigwhy
	$(step) sampler $(PYTHON) bench/sampler.py --sigwhy build/sigwhy
	$(step) memory $(PYTHON) bench/memory.py --sigwhy build/sigwhy
	$(step) guard $(PYTHON) bench/guard.py --sigwhy build/sigwhy
	$(step) bugs $(PYTHON) bench/guard.py --sigwhy build/sigwhy --only bugs
	$(step) check $(PYTHON) bench/check.py --sigwhy build/sigwhy
	$(step) table $(PYTHON) bench/table.py docs/benchmarks.md

# Hours: every case under every witness. What was answered is kept under
# build/accuracy, so that an interrupted run goes on.
accuracy: build
	$(step) accuracy $(PYTHON) accuracy/run.py --sigwhy build/sigwhy --output docs/accuracy.md

# How its answers are scored.
score:
	$(step) score $(PYTEST) tests/accuracy

format:
	@$(INSTALL) all
	$(step) format bash -c 'git ls-files "src/*.cpp" "src/*.h" "tests/unit/*.cpp" | xargs $$(type -P clang-format-14 clang-format | head -1) -i'

clean:
	rm -rf build build-asan build-fuzz dist
