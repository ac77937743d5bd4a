#!/usr/bin/env python3
"""Compares reproduction/items.toml with the claims of the experiments and the tests, and with the generated pages.

Each entry of that file is one item of a paper, with the claims or tests that check it. Claims are selected by their
experiment and by words of their text or source. The test requires that
- the mark of an entry follows from the marks of its claims,
- the mark of a claim follows from its row in the experiment's file, by the rules of the notebook, which are written
  down here again; `weft list claims` gives the same,
- every named claim and test exists,
- every printed claim of the five papers belongs to an item,
- open entries that an audit found weakly explained state the result of the audit,
- the tables and counts that tools/reproduction_tables.py writes are there.
The last cases damage each of these, one after another.
"""
import copy
import functools
import fnmatch
import os
import re
import shutil
import sys
import tempfile
import tomllib
import unittest
from fractions import Fraction
from pathlib import Path

SOURCE = Path(os.environ.get("WEFT_SOURCE_DIR", Path(__file__).parents[2]))
PROGRAM = os.environ.get("WEFT_PROGRAM", str(SOURCE / "build/release/bin/weft"))
sys.path.insert(0, str(SOURCE / "tools"))
import reproduction_tables as tables  # noqa: E402

# tests/*/*_test.py and .sh, which CTest knows as FOLDER.NAME.
SCRIPTS = {f"{path.parent.name}.{path.stem.removesuffix('_test')}"
           for suffix in ("py", "sh") for path in (SOURCE / "tests").glob(f"*/*_test.{suffix}")}
CASE = re.compile(r"^ *(?:TYPED_)?TEST(?:_P|_F)?\((\w+), (\w+)\)", re.MULTILINE)
TESTS = SCRIPTS | {f"{suite}.{name}" for path in (SOURCE / "tests").rglob("*_test.cpp")
                   for suite, name in CASE.findall(path.read_text())}


@functools.cache
def shipped_claims():
    return tables.claims_of(PROGRAM, SOURCE)


@functools.cache
def groups_in(text):
    return set(tomllib.loads(text)["experiment"].get("groups", []))


def experiments_in(root):
    return {path.stem: path.read_text() for path in (root / "reproduction/experiments").glob("*.toml")}


def claims_written_in(text):
    """Yields the claims of an experiment's file in order, each as fields by name. Each row of a table is a claim."""
    data = tomllib.loads(text)
    left = {kind: iter(data.get(kind, [])) for kind in ("claim", "claims")}
    for kind in re.findall(r"^\[\[(claims?)\]\]", text, re.MULTILINE):
        table = next(left[kind])
        common = {name: value for name, value in table.items() if name not in ("columns", "rows")}
        for row in table.get("rows", [[]]):
            cells = zip(table.get("columns", []), row)
            yield common | {name: value for name, value in cells if value != []}


def would_pass(claim, value):
    """Returns whether a claim of one value also holds for this value."""
    wanted = float(Fraction(str(claim.get("expected", claim.get("printed")))))
    slack = claim.get("within", claim.get("tolerance", 0.01) * abs(wanted))
    return abs(float(Fraction(str(value))) - wanted) <= slack


def mark_written(claim):
    """Returns the mark that a claim's fields in its file imply."""
    own = "own " if "expected" in claim or claim.get("own") else ""
    if "reason" in claim:
        has_cause = any(name.partition(".")[0] in ("cause", "proof") for name in claim)
        return own + ("≠" if has_cause else "✗")
    loose = claim.get("form") in ("under", "above") or ("rival" in claim and would_pass(claim, claim["rival"]))
    return own + ("≈" if loose else "✓")


def take_written_marks(experiments, claims):
    """Gives the program's claims the marks of the files. Returns a line for each mark that differed."""
    problems = []
    for name, text in experiments.items():
        marks = [mark_written(claim) for claim in claims_written_in(text)]
        if len(marks) != len(claims.get(name, [])):
            problems.append(f"{name}: {len(marks)} claims are written, but the program has {len(claims.get(name, []))}")
            continue
        for mark, claim in zip(marks, claims.get(name, [])):
            if claim["mark"] != mark:
                problems.append(f"{name}: the program marks {claim['mark']}, but {mark} is written: {claim['claim']}")
            claim["mark"] = mark
    return problems


class Check:
    """Collects all faults of the pages below `root`, as lines in `problems`."""

    def __init__(self, root, claims=None):
        experiments = experiments_in(root)
        same = experiments == experiments_in(SOURCE)
        self.claims = claims or copy.deepcopy(shipped_claims() if same else tables.claims_of(PROGRAM, root))
        self.problems = take_written_marks(experiments, self.claims)
        self.groups = {name: groups_in(text) for name, text in experiments.items()}
        self.used = set()
        self.papers = tables.papers_of(root)
        self.items = [item for paper in self.papers for item in paper["items"]]
        for item in self.items:
            if item.before not in tables.STATES:
                self.wrong(item, f"was not {item.before}; write {', '.join(tables.STATES)}")
            self.check(item)
        self.check_all_belong()
        self.problems += tables.differences(root, self.claims)

    def wrong(self, item, text):
        self.problems.append(f"{item.paper} ({item.name[:50]}): {text}")

    def select(self, item, reference):
        """Returns the claims of `EXPERIMENT: words & words & !words`; for a test none, without a problem."""
        if not fnmatch.filter(self.claims, reference.partition(": ")[0]):
            if not fnmatch.filter(TESTS, reference):
                self.wrong(item, f"`{reference}` is neither an experiment's claims nor a test")
            return []
        found = tables.selected(self.claims, reference)
        self.used.update(found)
        if not found:
            self.wrong(item, f"`{reference}` chooses no claim")
        return [self.claims[experiment][place] for experiment, place in found]

    def check(self, item):
        chosen = {role: [claim for reference in item.refs[role] for claim in self.select(item, reference)]
                  for role in ("held", "shown by", "beside")}
        printed = [claim for claim in chosen["held"] if not tables.is_own(claim)]
        if printed:
            mark = tables.worst(printed)
            if mark == "✗" and chosen["shown by"] and tables.worst(chosen["shown by"]) in "✓≈":
                mark = "≠"  # rows that have the cause in the model give what is printed
        elif item.refs["held"]:
            mark = item.mark if item.mark in ("own ✓", "own ≈", "own ≠") else "own ✓, own ≈ or own ≠"
            if len(re.sub(r"`[^`]*`", "", item.cell)) < 20:
                self.wrong(item, "says nothing of what its tests show")
        else:
            mark = "–"
            if not item.prose.get("lacks:"):
                self.wrong(item, "is held by nothing and says not what it lacks")
        if item.prose.get("loosely:") and mark == "✓":
            mark = "≈"
        if item.mark != mark:
            self.wrong(item, f"shows {item.mark}, but its claims make {mark}")
        self.check_fate(item, mark)

    def check_fate(self, item, mark):
        """Requires that open items with weak explanations, and no others, state their result in one form."""
        parts = sum(item.times[f"{fate}:"] for fate in tables.FATES)
        if parts != (item.before == "weak" and mark == "✗"):
            self.wrong(item, f"says {parts} times that an explanation is refuted or undecided")
        if len(re.sub(r"`[^`]*`|[,\s]", "", "".join(item.prose.get(f"{fate}:", "") for fate in tables.FATES))) < 7 * parts:
            self.wrong(item, "says nothing of what the explanation was")
        if item.refs["undecided:"]:
            self.wrong(item, "is undecided, but names claims")
        if "refuted:" in item.prose:
            refuting = [self.select(item, reference) for reference in item.refs["refuted:"]]
            if not refuting or not all(refuting):
                self.wrong(item, "is refuted by no claims")
            if any(claim["mark"][-1] in "≠✗" for claims in refuting for claim in claims if tables.is_own(claim)):
                self.wrong(item, "is refuted by a claim of ours that is not met itself")

    def check_all_belong(self):
        for experiment, claims in self.claims.items():
            if self.groups[experiment] & {paper["group"] for paper in self.papers}:
                self.problems += [f"{experiment}: no item has the claim: {claim['claim']} ({claim['source']})"
                                  for place, claim in enumerate(claims)
                                  if not tables.is_own(claim) and (experiment, place) not in self.used]


class ReproductionItems(unittest.TestCase):
    maxDiff = None

    def test_rows_say_what_their_claims_do(self):
        check = Check(SOURCE)
        self.assertEqual(check.problems, [])
        self.assertEqual(len(check.items), 233)  # of the audit

    def test_links_of_the_tables_exist(self):
        """Checks that every section that a table names exists."""
        for page in (SOURCE / "reproduction/tables").glob("*.md"):
            for target, anchor in re.findall(r"\]\(([^)#]*)#([^)]*)\)", page.read_text()):
                headings = re.findall(r"^#+ (.*)$", (page.parent / target).read_text(), re.MULTILINE)
                anchors = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
                self.assertIn(anchor, anchors, page.name)


class Damage(unittest.TestCase):
    """Damages one thing at a time in a copy, and requires a report of it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        shutil.copytree(SOURCE / "reproduction", self.root / "reproduction",
                        ignore=lambda _, names: [name for name in names if name.endswith((".sqlite", ".measured"))])

    def replace(self, name, old, new):
        path = self.root / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def expect(self, *words):
        problems = Check(self.root).problems
        self.assertTrue(any(all(word in problem for word in words) for problem in problems), problems)

    def row(self, words):
        """Returns the line of items.toml that contains the words."""
        text = (self.root / "reproduction/items.toml").read_text()
        return next(line for line in text.splitlines() if words in line)

    def test_a_better_mark(self):
        row = self.row("`2dfc-figure-4-9: 8.78x`")
        self.replace("reproduction/items.toml", row, row.replace('"✗"', '"✓"'))
        self.expect("8.78", "shows ✓, but its claims make ✗")
        self.expect("reproduction/", "is stale")

    def test_a_program_that_marks_better_than_is_written(self):
        claims = copy.deepcopy(shipped_claims())
        claim = next(claim for claim in claims["2dfc-figure-4-9"] if claim["mark"] == "✗")
        claim["mark"] = "✓"
        problems = Check(SOURCE, claims).problems
        self.assertEqual(problems, [f"2dfc-figure-4-9: the program marks ✓, but ✗ is written: {claim['claim']}"])

    def test_a_program_that_loses_a_claim(self):
        claims = copy.deepcopy(shipped_claims())
        claims["kautz-moore"].pop()
        self.assertIn("kautz-moore: 7 claims are written, but the program has 6", Check(SOURCE, claims).problems)

    def test_a_worse_claim(self):
        self.replace("reproduction/experiments/kautz-moore.toml", "4608, [], 0]", "4608, [], 0, [], 1, \"notes: x\"]")
        self.replace("reproduction/experiments/kautz-moore.toml", "\"within\"]", "\"within\", \"ours\", \"reason\"]")
        self.expect("4,608", "shows ✓, but its claims make ✗")

    def test_a_claim_that_became_loose(self):
        self.replace("reproduction/experiments/kautz-moore.toml", "\"at-least\"", "\"above\"")
        self.expect("shows ✓, but its claims make ≈")

    def test_a_claim_of_other_words(self):
        self.replace("reproduction/experiments/2dfc-figure-4-9.toml", "8.78x", "8.78 times")
        self.expect("`2dfc-figure-4-9: 8.78x` chooses no claim")
        self.expect("2dfc-figure-4-9: no item has the claim", "8.78 times")

    def test_a_claim_without_an_item(self):
        path = self.root / "reproduction/experiments/kautz-moore.toml"
        path.write_text(path.read_text() + "\n[[claim]]\ntext = \"one more\"\nsource = \"section 9\"\n"
                                           "column = \"nodes\"\nwhere = {}\nprinted = 1\n")
        self.expect("kautz-moore: no item has the claim: one more")

    def test_a_test_that_is_not_there(self):
        self.replace("reproduction/items.toml", "`KautzPaths.are_of_the_three_types_of_the_thesis`",
                     "`KautzPaths.are_of_four_types`")
        self.expect("`KautzPaths.are_of_four_types` is neither")

    def test_an_experiment_that_is_not_there(self):
        self.replace("reproduction/items.toml", "`kautz-figure-3-1`", "`kautz-figure-3-11`")
        self.expect("`kautz-figure-3-11` is neither")

    def test_another_state_before(self):
        row = self.row("`2dfc-figure-4-9: 8.78x`")
        self.replace("reproduction/items.toml", row, row.replace('"weak"', '"good"'))
        self.expect("8.78", "was not good")

    def test_a_row_that_is_gone(self):
        self.replace("reproduction/items.toml", self.row("`2dfc-figure-4-9: 8.78x`") + "\n", "")
        self.expect("2dfc-figure-4-9: no item has the claim")
        self.expect("reproduction/", "is stale")

    def test_a_fate_that_is_missing(self):
        row = self.row("`kautz-figure-3-4: 7x faster`")
        self.replace("reproduction/items.toml", row, row.replace("; undecided: no explanation is known", ""))
        self.expect("7 times faster", "says 0 times that an explanation is refuted or undecided")
        self.expect("reproduction/", "is stale")

    def test_two_fates(self):
        row = self.row("`2dfc-figure-4-12: 1.17x`")
        self.replace("reproduction/items.toml", row, row.removesuffix('"],') + '; undecided: no explanation is known"],')
        self.expect("1.17", "says 2 times that an explanation is refuted or undecided")

    def test_a_fate_of_an_item_that_is_met(self):
        row = self.row('`dc-figure-7-every-n: 9 times`"]')
        self.replace("reproduction/items.toml", row, row.removesuffix('"],') + '; undecided: no explanation is known"],')
        self.expect("Circulants 9 times", "says 1 times that an explanation is refuted or undecided")

    def test_a_fate_without_an_explanation(self):
        self.replace("reproduction/items.toml", "undecided: no explanation is known", "undecided: ")
        self.expect("says nothing of what the explanation was")

    def test_another_fate(self):
        self.replace("reproduction/items.toml", "refuted: `kautz-copies`, copies of other", "undecided: copies of other")
        self.expect("reproduction/", "is stale")

    def test_a_refutation_that_names_no_claims(self):
        self.replace("reproduction/items.toml", "refuted: `kautz-copies`, copies of other", "refuted: copies of other")
        self.expect("Kautz-C 1.5 times slower", "is refuted by no claims")

    def test_a_refutation_by_a_claim_that_is_gone(self):
        self.replace("reproduction/experiments/dc-figure-11.toml", "no cost of a step", "no cost of steps")
        self.expect("`dc-figure-11: no cost of a step` chooses no claim")

    def test_a_refutation_by_a_claim_that_is_not_met(self):
        self.replace("reproduction/experiments/kautz-copies.toml", '"1.5", 0.005]', '"1.5", 0.005, 1, "notes: x"]')
        self.replace("reproduction/experiments/kautz-copies.toml", '"expected", "tolerance"]',
                     '"expected", "tolerance", "ours", "reason"]')
        self.expect("Kautz-C 1.5 times slower", "by a claim of ours that is not met itself")

    def test_other_counts(self):
        self.replace("reproduction/README.md", "\n| all | 233 |", "\n| all | 234 |")
        self.expect("reproduction/README.md", "is stale")

    def test_another_table(self):
        self.replace("reproduction/tables/two-opt.md", "| ✗ |", "| ✓ |")
        self.expect("reproduction/tables/two-opt.md", "is stale")


if __name__ == "__main__":
    unittest.main()
