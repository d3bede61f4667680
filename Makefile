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
.PHONY: run test test-long golden check format bench fuzz hashes audit licences node clean

run: $(VENV)/run.stamp node
	$(BIN)/crscore dashboard --port $(PORT) --no-browser

# Two processes, as most tests wait: for a server, a browser, a tool. tests/conftest.py has the order.
PYTEST := $(BIN)/pytest --numprocesses 2 --no-loadscope-reorder

test: check
	$(PYTEST)

# Proofs that take minutes each; before a release.
test-long: $(VENV)/test.stamp node
	$(PYTEST) -m long

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

# What reads untrusted bytes, an hour each; SECONDS=60 for a first look.
SECONDS ?= 3600
fuzz: $(VENV)/test.stamp
	$(INSTALL) -r requirements-fuzz.txt
	for target in diff symbolic claims splitter importer pulls; do \
		$(BIN)/python -m tests.fuzz $$target $(SECONDS) || exit 1; done

# Pins of constraints.txt with the checksums of their files, those of other builds of torch kept.
hashes: $(VENV)/pip.stamp
	$(UV) pip compile --quiet --universal --no-deps --no-header --no-annotate --generate-hashes \
		--python-version 3.11 constraints.txt --output-file hashes.txt

# Known vulnerabilities of what is installed, by the services of PyPI and npm.
audit: $(VENV)/audit.stamp
	$(VENV)/audit/bin/pip-audit --requirement hashes.txt --no-deps --disable-pip
	npm audit --prefix analyzers

# Licences of what is installed, none of them GPL, and a software bill of materials.
licences: $(VENV)/audit.stamp $(VENV)/run.stamp node
	{ printf '# Licences\n\nPackages of the environment that make test sets up, written by make licences.\n\n'; \
	$(VENV)/audit/bin/pip-licenses --python $(BIN)/python --from=mixed --partial-match \
		--fail-on=GPL --ignore-packages crscore-dashboard --format=markdown; } > docs/licences.md
	$(VENV)/audit/bin/cyclonedx-py environment $(BIN)/python --output-file sbom.json
	cd analyzers && npm sbom --sbom-format cyclonedx > ../sbom-node.json

$(VENV)/audit.stamp: requirements-audit.txt | $(VENV)/pip.stamp
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(VENV)/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.11"; exit 1; }
	$(MAKE_VENV)
	@touch $@

$(VENV)/run.stamp: requirements.txt hashes.txt pyproject.toml | $(VENV)/pip.stamp
	$(INSTALL) -r requirements.txt -c hashes.txt
	$(INSTALL) --no-deps --editable .
	@touch $@

$(VENV)/test.stamp: requirements-dev.txt hashes.txt $(VENV)/run.stamp
	$(INSTALL) -r requirements-dev.txt -c hashes.txt
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
