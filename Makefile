# `make run` and `make test` set up everything they need, and are quick when nothing changed.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
NODE_MODULES := analyzers/node_modules

# uv installs in a fifth of pip's time; pip does where uv is missing.
UV := $(shell command -v uv)
ifneq ($(UV),)
export UV_FIND_LINKS ?= $(PIP_FIND_LINKS)
MAKE_VENV = $(UV) venv --quiet --seed --python $(PYTHON) $(VENV)
INSTALL = $(UV) pip install --quiet --python $(BIN)/python
else
MAKE_VENV = $(PYTHON) -m venv $(VENV)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

.DELETE_ON_ERROR:
.PHONY: run test test-long golden check format bench node clean

run: $(VENV)/run.stamp node
	$(BIN)/crscore dashboard --port $(PORT) --no-browser

# Files of tests side by side, as most of them wait: for a server, a browser, a tool.
test: check
	$(BIN)/pytest --numprocesses 2 --dist loadfile

# Proofs that take minutes each; before a release.
test-long: $(VENV)/test.stamp node
	$(BIN)/pytest --numprocesses 2 --dist loadfile -m long

check: $(VENV)/test.stamp node
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

golden: $(VENV)/test.stamp
	$(BIN)/python -m tests.golden

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/run.stamp node
	$(BIN)/python -m benchmarks

$(VENV)/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.11"; exit 1; }
	$(MAKE_VENV)
	@touch $@

$(VENV)/run.stamp: requirements.txt constraints.txt pyproject.toml | $(VENV)/pip.stamp
	$(INSTALL) -r requirements.txt -c constraints.txt
	$(INSTALL) --no-deps --editable .
	@touch $@

$(VENV)/test.stamp: requirements-dev.txt constraints.txt $(VENV)/run.stamp
	$(INSTALL) -r requirements-dev.txt -c constraints.txt
	@touch $@

# Analyzers that come with npm; everything else works without them.
ifneq ($(shell command -v npm),)
node: $(NODE_MODULES)/.stamp
else
node:
	@echo "npm is missing: analyzers that need Node.js are left out."
endif

$(NODE_MODULES)/.stamp: analyzers/package.json analyzers/package-lock.json
	@npm ci --prefix analyzers --ignore-scripts --no-audit --no-fund --silent && touch $@ \
		|| echo "npm failed: analyzers that need Node.js are left out until it succeeds."

clean:
	rm -rf $(VENV) $(NODE_MODULES)
