# Needs git, make and Python 3.11 or newer; everything else goes into .venv.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip
INSTALL := $(PIP) install --quiet --disable-pip-version-check --no-compile -c constraints.txt
# A text file opened without an encoding is in another one on Windows; the rule is a preview.
LINTS := "ruff check" "ruff check --preview --select PLW1514" "ruff format --check" mypy lint-imports

# What `make test` leaves to targets of their own, which CI runs beside it.
ONCE := not training and not looks and not integrations and not wide

.PHONY: help report test lint quick wide training looks integrations golden cluster kills objects lab mutations damage fire fuzz wheels bench site manual messages inputs clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

report: $(VENV)/.core ## build the sample lab's report into out/
	$(BIN)/reportgen build inputs/roberta-small-fr/study.toml --out out/report.pdf

test: $(VENV)/.test ## lint, types, import contracts and every test but those that are marked longer
	@$(MAKE) --no-print-directory lint; failed=$$?; \
	$(BIN)/python -m pytest -n auto --dist worksteal -m "$(ONCE)" || exit $$?; \
	if [ $$failed != 0 ]; then echo "the tests passed, but a lint above did not" >&2; exit 1; fi

lint: $(VENV)/.test ## lint, types and import contracts only
	@failed=0; for lint in $(LINTS); do echo "$$lint"; $(BIN)/$$lint || failed=1; done; exit $$failed

quick: $(VENV)/.test ## the tests of modules that take up to two seconds, without the training engine
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and $(ONCE)" \
	  tests/unit tests/contract --ignore tests/unit/train/engine

wide: $(VENV)/.test ## longer: each page's commands, parts of the evidence, kills, failing disks
	$(BIN)/python -m pytest -n auto --dist worksteal -m wide

training: $(VENV)/.test ## longer: grids whose missing cells are trained, interrupted and killed
	$(BIN)/python -m pytest -n auto --dist worksteal -m training

looks: $(VENV)/.test ## longer: the pages of every theme, paper, number of columns and engine
	$(BIN)/python -m pytest -n auto --dist worksteal -m looks

integrations: $(VENV)/.test ## longer: the steps of the GitHub action, GitLab and GitHub Classroom
	$(INSTALL) -e '.[workflows]'
	$(BIN)/python -m pytest -n auto --dist worksteal -m integrations

golden: $(VENV)/.test ## write the golden reports of the tests anew; read the difference
	REPORTGEN_GOLDEN=1 $(BIN)/python -m pytest -q tests/golden
	git diff --stat tests/golden

cluster: $(VENV)/.test ## longer: jobs on a private Slurm of two nodes (Debian's slurm packages)
	REPORTGEN_SLURM=1 $(BIN)/python -m pytest -n 0 tests/e2e/test_slurm.py

objects: $(VENV)/.test ## longer: runs in an object store, a real S3 server (75 MB more)
	$(INSTALL) -e '.[objects]'
	REPORTGEN_S3=1 $(BIN)/python -m pytest -n 0 tests/e2e/test_object_store.py

kills: $(VENV)/.test ## longer: fifty fine-tunes killed at random moments and resumed
	REPORTGEN_KILLS=50 $(BIN)/python -m pytest -n 0 tests/e2e/test_rerun_kills.py

mutations: $(VENV)/.test ## longer: a thousand made-up reports, each changed too; our own with less evidence
	REPORTGEN_MUTATIONS=1000 $(BIN)/python -m pytest -n 0 -s tests/e2e/test_mutations.py
	REPORTGEN_OWN_PARTS=1 $(BIN)/python -m pytest -n auto tests/e2e/test_own_reports.py

damage: $(VENV)/.test ## longer: ten thousand damaged event files
	REPORTGEN_FUZZ=10000 $(BIN)/python -m pytest -n 0 tests/fuzz/test_event_damage.py

wheels: $(BIN)/python ## longer: the wheel with the lowest and highest versions, on each Python here
	$(INSTALL) uv
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python .ci/wheels.py

fire: $(VENV)/.test ## longer: harmed files of every format for half an hour; builds killed and refused
	cd tests && PYTHONPATH=.:.. ../$(BIN)/python -m fire --minutes $(or $(MINUTES),30) --skip $(or $(SKIP),0)
	REPORTGEN_RANDOM=1 $(BIN)/python -m pytest -n auto tests/property
	REPORTGEN_FAULTS=100 $(BIN)/python -m pytest -n auto --dist loadfile tests/e2e/test_file_faults.py \
	  tests/e2e/test_hard_times.py tests/e2e/test_kill_loops.py tests/e2e/test_file_servers.py

fuzz: $(VENV)/.test ## longer: five readers guided by coverage, two minutes each (Linux and macOS)
	$(INSTALL) -e '.[fuzz]'
	cd tests && PYTHONPATH=.:.. ../$(BIN)/python -m fire.guided --minutes $(or $(MINUTES),2)

lab: $(VENV)/.test ## longer: the lab's own model at full size, fifty steps on a CPU
	REPORTGEN_LAB=1 $(BIN)/python -m pytest -n 0 tests/e2e/test_rerun_lab.py

bench: $(VENV)/.bench ## side by side with peers, as ratios
	$(BIN)/python -m benchmarks

site: $(VENV)/.docs ## the documentation as a site in build/site, and the pictures of the README
	$(BIN)/python docs/_site/gallery.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

manual: $(VENV)/.core ## write the manual pages, the reference and the schema of study files anew
	$(BIN)/python .ci/manual.py
	$(BIN)/python docs/_site/reference.py

messages: $(VENV)/.core ## bring the catalogues of languages up to date with what is said
	$(BIN)/python -m tools.messages

inputs: $(VENV)/.test ## make the files of the sample labs again (trains tiny models)
	$(BIN)/python inputs/roberta-small-fr/make_logs.py
	$(BIN)/python inputs/roberta-small-fr/make_model.py
	$(BIN)/python inputs/roberta-small-fr/make_adapter.py
	$(BIN)/python inputs/make_hf_runs.py
	$(BIN)/python inputs/make_grid.py

clean: ## remove what was built, but not .venv
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find out -mindepth 1 ! -name .gitkeep -delete

$(BIN)/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    $$python -m venv $(VENV) && exit 0; \
	    rm -rf $(VENV); \
	    echo "$$python cannot make a virtual environment; install its venv module" >&2; exit 1; \
	  fi; \
	done; \
	echo "reportgen needs Python 3.11 or newer; try: make PYTHON=/path/to/python3" >&2; exit 1

# A stamp a set of dependencies: they are installed again when what declares them has changed.
$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e .
	@$(PIP) uninstall --quiet --yes setuptools
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[test,train,cluster]'
	@touch $@

$(VENV)/.docs: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[docs]'
	@touch $@

$(VENV)/.bench: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[bench,train]'
	@touch $@
