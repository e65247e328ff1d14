# make         set up what a build needs, and build the site into site/
# make test    set up what the tests need (a Chromium too), and run them all
# make help    the other targets

PYTHON ?= python3
IN_VENV = .venv/bin/python

.PHONY: all test pairs check watch bench pdf verify fuzz lock clean help run dev browser

all: run ## build the site into site/ (the default)
	@$(IN_VENV) build.py

test: dev browser ## run every test, the browser's included, and hold the coverage limits
	@$(IN_VENV) -m pytest -n auto --maxprocesses=8 --dist=loadfile --no-loadscope-reorder --cov --cov-report=
	@$(IN_VENV) -m coverage report --include='model/*' --fail-under=100
	@$(IN_VENV) -m coverage report --include='report/*' --fail-under=95

pairs: dev browser ## draw every figure on every machine with every network, for minutes
	@EVERY_PAIR=1 $(IN_VENV) -m pytest -q tests/browser/test_every_pair.py

check: dev ## lint, format and types
	@$(IN_VENV) -m ruff check
	@$(IN_VENV) -m ruff format --check
	@$(IN_VENV) -m mypy

watch: run ## build again at every change
	@$(IN_VENV) build.py watch || [ $$? = 130 ] # Ctrl-C is how it ends

bench: dev browser ## time builds as whole processes, and what a reader waits for, beside the limits
	@$(IN_VENV) bench/run.py
	@$(IN_VENV) -m bench.reading

verify: run ## build under unlike conditions and compare every byte
	@$(IN_VENV) bench/verify.py

fuzz: dev ## try what a slip of the hand can do to the inputs, for minutes
	@$(IN_VENV) -m pytest -q tests/report/test_fuzz.py tests/report/test_fuzz_works.py tests/test_whole_builds.py --hypothesis-profile=fuzz

pdf: browser all ## print the report into report.pdf
	@$(IN_VENV) -m tools.pdf

lock: ## write both locks anew from pyproject.toml; UPGRADE=1 takes newer versions
	@$(PYTHON) tools/lock.py $(if $(UPGRADE),--upgrade)

clean: ## remove what builds and tests leave; the environment in .venv stays
	@rm -rf site report.pdf .cache .bench .coverage htmlcov .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

# Quick when nothing changed: each step looks at a stamp that holds the hash of its lock.
run dev:
	@$(PYTHON) tools/setup.py $@

browser: dev
	@$(IN_VENV) -m tests.browser.chromium
