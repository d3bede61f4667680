# `make run` and `make test` set up everything they need, and are quick when nothing changed.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
NODE_MODULES := analyzers/node_modules

.DELETE_ON_ERROR:
.PHONY: run test golden check format bench node clean

run: $(VENV)/run.stamp node
	$(BIN)/crscore dashboard --port $(PORT) --no-browser

# Files of tests side by side, as most of them wait: for a server, a browser, a tool.
test: check
	$(BIN)/pytest --numprocesses 2 --dist loadfile

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
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/run.stamp: requirements.txt constraints.txt pyproject.toml | $(VENV)/pip.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt -c constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/test.stamp: requirements-dev.txt constraints.txt $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -c constraints.txt
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
