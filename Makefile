# Everything here also works by hand; .ci/run calls the same targets.
PYTHON ?= python3
PORT ?= 8765
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
COMPILED := $(VENV)/.compiled
# Workers that may keep nothing would each compile every test, in each run.
unexport PYTHONDONTWRITEBYTECODE

# Every worker imports all files that it is given: those without a test of the kind would be most of what it does.
files_with = $(shell grep -rlw $(1) tests --include="test_*.py")

.PHONY: setup demo test heavy processes browser postgres check house gallery pictures bench bench-whole soak scaling drill drill-posts fuzz readings writing lock sbom audit release translations site

setup: $(STAMP)  ## Create .venv from requirements.lock.

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Kiroku needs Python 3.11 or newer: name one as in \`make PYTHON=python3.12 $(or $(MAKECMDGOALS),setup)\`." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q bot cogs service
	touch $(STAMP)

demo: setup  ## Service, bot and a chat page on this machine. PORT=8765 CATALOGUE=file.json NO_BROWSER=1
	$(BIN)/kiroku demo --port $(PORT) $(if $(CATALOGUE),--catalogue "$(CATALOGUE)") $(if $(NO_BROWSER),--no-browser)

test: setup $(COMPILED)  ## The whole suite, but for what has a target of its own below.
	$(BIN)/python -m pytest -n 4 --dist worksteal

$(COMPILED): $(STAMP) $(shell find tests -name "*.py")  # once for all workers
	@-$(BIN)/python tests/compiled.py
	@touch $@

heavy: setup  ## Every command at once, and thousands of something: seconds each.
	$(BIN)/python -m pytest -n 4 --dist worksteal -m "heavy and not long" $(call files_with,heavy)

processes: setup  ## Real processes of bot, service and demo: started, told to end, killed.
	$(BIN)/python -m pytest -n 4 --dist worksteal -m "processes and not long and not postgres" $(call files_with,processes)

browser: setup  ## The demo's page in headless Chromium, in both languages.
	$(BIN)/python -m pytest -n 2 tests/browser -m "browser and not long"

postgres: setup  ## What keeps something in the database, with that in PostgreSQL; skipped where there is none.
	$(BIN)/python -m pytest -n 4 --dist worksteal --postgres -m "not long and not browser and not sqlite" tests/store tests/api/budget/test_leased_ledger.py tests/cogs/test_budget.py tests/cogs/test_chronicle.py tests/cogs/test_daily.py tests/cogs/test_feed.py tests/cogs/test_goals.py tests/cogs/test_metrics.py tests/cogs/test_database_away.py tests/cogs/test_elsewhere.py tests/cogs/test_privacy.py tests/features/test_fortnight.py tests/many

gallery: setup  ## Try every command of the demo in a browser, take pictures, and lay them side by side. GALLERY=directory GALLERY_BEFORE=directory
	@failed=; KIROKU_GALLERY=$(or $(GALLERY),docs/gallery) $(BIN)/python -m pytest -n 2 --dist worksteal tests/browser -m browser || failed=1; \
	$(BIN)/python tests/sheets.py $(or $(GALLERY),docs/gallery) $(if $(GALLERY_BEFORE),--before "$(GALLERY_BEFORE)") --to $(or $(GALLERY),docs/gallery)/sheets \
		&& test -z "$$failed"

pictures: setup  ## The site's pictures, docs/site/pictures, from those of `make gallery`. GALLERY=directory
	PYTHONPATH=docs/site:tests $(BIN)/python tests/generators/pictures.py $(or $(GALLERY),docs/gallery) docs/site/pictures

check: setup  ## Format, lint, types, contracts, dependencies, migrations.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright --warnings
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/kiroku db check

house: setup  ## Figures about the code that ships: a mirror, no limit.
	$(BIN)/python tests/house.py

readings: setup  ## Make the words by which kanji are read anew from UniDic, and what words mean from EDICT (Debian's edict).
	$(BIN)/python tests/generators/readings.py
	$(BIN)/python tests/generators/meanings.py

writing: setup  ## Make the table of how languages write numbers and dates anew from Babel.
	$(BIN)/python tests/generators/writing.py

bench: setup  ## Ratios measured side by side in one run; fails at the end where a goal was missed.
	@missed=; for bench in tests/benchmarks/bench_*.py; do \
		echo "$$bench:"; PYTHONPATH=tests $(BIN)/python $$bench || missed="$$missed $$bench"; \
	done; test -z "$$missed" || { echo "missed:$$missed"; exit 1; }

bench-whole: setup  ## The whole process, as it ships, beside a bare bot, against its goals. WHOLE="--only mix --rounds 3"
	PYTHONPATH=tests:tests/benchmarks $(BIN)/python -m whole $(WHOLE)

soak: setup  ## Memory of the whole process while five thousand members ask for half an hour. SOAK="--minutes 5"
	PYTHONPATH=tests:tests/benchmarks $(BIN)/python -m whole.soak $(SOAK)

scaling: setup  ## docs/scaling.md from what bench-whole measures here; best on a machine that does nothing else.
	-PYTHONPATH=tests:tests/benchmarks $(BIN)/python -m whole --to build/whole.json $(WHOLE)
	PYTHONPATH=tests:tests/benchmarks $(BIN)/python -m whole.scaling build/whole.json

drill: setup  ## Restart and kill several `kiroku run` under load, take their database away, and what spends budgets together: half an hour.
	$(BIN)/python tests/drill.py
	$(BIN)/python tests/drill_budgets.py

drill-posts: setup  ## Kill `kiroku run` a hundred times while it posts, on either database: half an hour.
	$(BIN)/python tests/drill_posts.py

fuzz: setup  ## schemathesis over the record service, for as long as FUZZ_EXAMPLES says.
	FUZZ_EXAMPLES=$(or $(FUZZ_EXAMPLES),200) $(BIN)/python -m pytest tests/contract/test_schemathesis.py -v

site: setup  ## The documentation as a site in English and Japanese: build/site/site. SITE_URL=https://… for search engines.
	$(BIN)/python docs/site/render.py build/site

lock: setup  ## Compile requirements.lock anew from pyproject.toml.
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra dev --generate-hashes --no-emit-index-url --no-header --output-file requirements.lock pyproject.toml

sbom: setup  ## What the bot is made of, in CycloneDX's JSON: dist/kiroku.cdx.json.
	mkdir -p dist
	$(BIN)/python ops/sbom.py >dist/kiroku.cdx.json

release: setup  ## All that a release is made of, from the commit checked out, into dist/: the same bits in every folder. DIST=folder
	$(BIN)/python ops/release.py $(or $(DIST),dist)

audit: setup  ## Whether anything is known to be wrong with the packages of requirements.lock.
	$(BIN)/python ops/audit.py

translations: setup  ## Bring every catalogue up to date with the messages in the code.
	$(BIN)/pybabel -q extract --omit-header --no-location --sort-output --no-default-keywords -k t -k plural:1,2 -k mark -k described -k named:1c,2 -o bot/ui/language/locales/kiroku.pot bot cogs
	$(BIN)/pybabel -q update --ignore-pot-creation-date --no-fuzzy-matching --ignore-obsolete -i bot/ui/language/locales/kiroku.pot -D kiroku -d bot/ui/language/locales
	$(BIN)/python tests/generators/translated.py
