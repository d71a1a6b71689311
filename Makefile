# Everything for a fresh clone: each target makes the environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=

.PHONY: env demo test test-all hostile lint docs bench java wheel clean
.DELETE_ON_ERROR:

env: $(VENV)/ready

# Two stamps: the demo does without the tools of development.
$(VENV)/ready: $(VENV)/demo
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# The kernel is compiled, if there is a C compiler, when gramspect is installed.
KERNEL := hatch_build.py $(wildcard core/gramspect/kernel/*.py)
MACHINE_CODE := core/gramspect/kernel/machine_code.*
MISSING := $(if $(wildcard $(MACHINE_CODE)),,$(if $(shell command -v cc gcc clang),again))

.PHONY: again
$(VENV)/demo: pyproject.toml $(KERNEL) $(MISSING)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "gramspect needs Python 3.11 or newer; try: make PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group demo -e .
	@$(BIN)/python -c 'from gramspect.kernel import is_compiled as c; c() or print("no C compiler is here:" \
	  " gramspect works, but slower, and its own tests need one")'
	@touch $@

# The first expression of a for statement may be left out in C. fixtures/demo/faulty_c.py is
# pycparser's parser with a rule in which it may not. Status 1 means that tests fail: they should.
DEMO := fixtures/demo/faulty_c.py:FaultyCParser --accept fixtures/c/accept --reject fixtures/c/reject
FAULTY_RULE := iteration_statement:1

demo: $(VENV)/demo
	@echo '$$ gramspect localize $(DEMO) --top 5'
	@$(BIN)/gramspect localize $(DEMO) --top 5; test $$? -eq 1
	@$(BIN)/gramspect localize $(DEMO) --top 1 --format json | $(BIN)/python -c 'import json, sys; \
	  sys.exit(not json.load(sys.stdin)["ranking"][0]["label"].startswith("$(FAULTY_RULE):"))' || \
	  { echo 'demo: the faulty rule, $(FAULTY_RULE), is not ranked first' >&2; exit 1; }

# Workers get runs of neighbouring tests, which share what is costly: parsers, grammars, a JVM.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal --durations=10

# Everything real, but a sample of the recorded ranks and few examples of each property.
test: env java
	$(PYTEST) -m 'not slow' $(PYTEST_ARGS)

test-all: env java
	$(PYTEST) --hypothesis-profile=ci --ignore tests/hostile $(PYTEST_ARGS)
	$(PYTEST) -m 'not slow' tests/hostile

# Every deed of user code at every place, and longer runs of hostile cases.
hostile: env java
	$(PYTEST) tests/hostile

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A broken link is an error. The site is in build/site.
docs: $(VENV)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --config-file site/mkdocs.yml

$(VENV)/docs: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@

# The Java part needs a JDK (17 or newer) and Maven; who installs the wheel needs neither.
JAR := adapters/gramspect_jvm/gramspect-java.jar

java: $(JAR)

$(JAR): java/pom.xml $(shell find java/src -type f)
	mvn --batch-mode --quiet --file java/pom.xml package
	for name in agent java; do \
	  cp java/target/gramspect-$$name.jar $(dir $@)$$name.new && \
	  mv $(dir $@)$$name.new $(dir $@)gramspect-$$name.jar || exit 1; \
	done

# The tables of docs/measurements.md; each program says how to run it by itself.
BENCHMARKS := ranking lr_tables chart ply_overhead lark_overhead native_batch generation kpaths lr_graphs \
  synthetic input_algebras html_report seeded_faults seeded_edits

bench: env
	@for name in $(BENCHMARKS); do \
	  echo "== $$name"; $(BIN)/python benchmarks/$$name.py || exit 1; echo; done

wheel: $(VENV)/demo $(JAR)
	rm -rf build dist
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	@ls dist

clean:
	rm -rf $(VENV) build dist *.egg-info java/target $(JAR) $(MACHINE_CODE)
