# The user's and the developer's commands. `make help` lists them.
# They need git, make, python3 (3.11 or newer) and python3-venv, and put everything else into .venv.

PYTHON ?= python3
# As many tests at a time as there are cores, but no more than four: each process compiles for itself.
PYTEST_WORKERS ?= auto
LOCK_OPTIONS ?=
DEMO = data/vga
BIN = .venv/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check
INSTALL_PACKAGE = $(PIP) install --quiet --no-deps --no-build-isolation --editable .
# The folder is opened without asking the Hub for anything.
PRINT_RECORD = from datasets import load_dataset; \
	record = load_dataset("$(DEMO)", "hard_iso", split="test")[0]; \
	print(*(f"{name}: {value}" for name, value in record.items()), sep="\n")

.PHONY: help demo test check oracles lock clean python
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:
	@echo "make demo     build the first 500 records of each split of hard_iso into $(DEMO), open them,"
	@echo "              print one and write $(DEMO)/preview.html"
	@echo "make test     run all tests"
	@echo "make check    ruff and mypy"
	@echo "make oracles  install what some tests compare with and must be compiled (needs gcc)"
	@echo "make lock     write requirements/*.lock again (LOCK_OPTIONS=--upgrade: newest versions)"
	@echo "make clean    remove .venv, caches and $(DEMO)"
	@echo "PYTHON=python3.13 after any of them takes another Python for a new .venv."

demo: .venv/base.stamp
	$(BIN)/benchloom build vga hard_iso --limit 500 --out $(DEMO)
	HF_HUB_OFFLINE=1 HF_DATASETS_DISABLE_PROGRESS_BARS=1 $(BIN)/python -c '$(PRINT_RECORD)'
	$(BIN)/benchloom preview $(DEMO)

# loadscope keeps the tests of one module in one process, so that they share what it built.
test: .venv/test.stamp
	$(BIN)/pytest --numprocesses $(PYTEST_WORKERS) --maxprocesses 4 --dist loadscope

check: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" sh .ci/types

oracles: .venv/test.stamp
	@command -v cc >/dev/null || { \
	  echo "make: a C compiler is missing. Install it: sudo apt-get install gcc python3-dev" >&2; exit 1; }
	$(PIP) install --quiet --use-pep517 --no-build-isolation --require-hashes \
	  --requirement requirements/test.lock --requirement requirements/oracles.lock

lock: python
	$(PYTHON) requirements/lock.py $(LOCK_OPTIONS)

clean:
	rm -rf .venv build *.egg-info $(DEMO) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Says which of the two Debian packages is missing, before anything is half done.
python:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "make: $(PYTHON) is missing. Install it: sudo apt-get install python3 python3-venv" >&2; \
	  exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: benchloom needs Python 3.11 or newer; this is $$("$(PYTHON)" --version)." \
	    "Name a newer one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make: python3-venv is missing. Install it: sudo apt-get install python3-venv" >&2; exit 1; }

# A stamp is written when all before it went well, so that what was cut short is done again.
.venv/made.stamp:
	@$(MAKE) --no-print-directory python
	$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/base.stamp: .venv/made.stamp requirements/base.lock pyproject.toml
	@echo "Installing requirements/base.lock into .venv (some minutes the first time)"
	$(PIP) install --quiet --require-hashes --requirement requirements/base.lock
	$(INSTALL_PACKAGE)
	@touch $@

.venv/test.stamp: .venv/made.stamp requirements/test.lock pyproject.toml
	@echo "Installing requirements/test.lock into .venv (some minutes the first time)"
	$(PIP) install --quiet --require-hashes --requirement requirements/test.lock
	$(INSTALL_PACKAGE)
	@touch $@
