# One virtual environment in .venv. It is made anew when a requirement file changes, and only then.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE = cd requirements && uv pip compile --quiet \
	--no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make requirements" $(UPGRADE)

.PHONY: help sandbox test lint format bench docs requirements clean

help:
	@echo "make sandbox       try Steward in a loopback Discord: no account, no token"
	@echo "make test          run the tests (ARGS=... goes to pytest)"
	@echo "make lint          style, types and the arrows between the rooms"
	@echo "make format        let ruff put the code in shape"
	@echo "make bench         measure what Steward costs, against targets"
	@echo "make docs          write the generated pages in docs/"
	@echo "make requirements  pin the requirements again (UPGRADE=--upgrade for newer ones; needs uv)"
	@echo "make clean         remove .venv and the caches"

sandbox: .venv/project
	$(BIN)/steward sandbox --tour

test: .venv/dev .venv/project
	$(BIN)/python -m pytest -n 4 --dist worksteal $(ARGS)

lint: .venv/dev .venv/project
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/project
	$(BIN)/python -m bench $(ARGS)

docs: .venv/project
	$(BIN)/python -m domain.diagram > .venv/states.md
	mkdir -p docs && mv .venv/states.md docs/states.md

requirements:
	@command -v uv >/dev/null || { echo "make requirements needs uv: pip install uv" >&2; exit 1; }
	$(COMPILE) run.in --output-file run.txt
	$(COMPILE) build.in --output-file build.txt
	$(COMPILE) dev.in --output-file dev.txt

clean:
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache *.egg-info

.venv/run: requirements/run.txt requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Steward needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "Python's venv is missing: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(INSTALL) --require-hashes -r requirements/run.txt -r requirements/build.txt
	@touch $@

.venv/dev: .venv/run requirements/dev.txt
	$(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

.venv/project: .venv/run pyproject.toml
	$(INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@
