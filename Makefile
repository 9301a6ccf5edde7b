# make demo   sets everything up and shows the main job on the embedded stores
# make test   sets everything up and runs every check; as root on Debian it installs redis-server, promtool and chromium
# make bench  measures speed, as ratios within one run (make load: of a worker, on servers of this machine)
# make quality  measures quality on labelled conversations (DATA=folder)
# make evaluation  measures Stet beside other systems on them (DATA=folder; docs/evaluation.md)

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
DATA ?= ../shared/data
export HF_HUB_OFFLINE = 1
export TOKENIZERS_PARALLELISM = false

.PHONY: demo test lint types servers check bench load quality evaluation clean

# The stamp is newer than pyproject.toml exactly when the environment has what it asks for.
$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' \
		|| { echo "Stet needs Python 3.11 or 3.12: call make with PYTHON=python3.11" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing Stet and what it needs into $(VENV) (a few minutes the first time) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,evaluation]'
	@touch $@

demo: $(VENV)/installed
	@PATH="$(abspath $(BIN)):$$PATH" sh examples/demo.sh

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed
	$(BIN)/mypy

servers:
	@sh tests/servers/install.sh

# Many tests wait for a process or a server; with three at a time, two cores are busy meanwhile.
check: $(VENV)/installed servers
	$(BIN)/python -m pytest -q -n 3 --dist loadgroup

test: lint types check

bench: $(VENV)/installed
	$(BIN)/python -m evaluation.bench

load: $(VENV)/installed
	$(BIN)/python -m tests.load rate freshness

quality: $(VENV)/installed
	$(BIN)/python -m evaluation.quality --data $(DATA)
	$(BIN)/python -m evaluation.evidence --data $(DATA)

evaluation: $(VENV)/installed
	$(BIN)/python -m evaluation all --data $(DATA)

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
