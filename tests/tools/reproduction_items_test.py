#!/usr/bin/env python3
"""Holds reproduction/items.md against the claims of the experiments and the tests.

Each row of that page is one item of a paper with what holds it: claims, chosen by their experiment and words of
their text or source, or tests. The mark of a row is worked out from the claims here, as `weft list groups` does, and must
be the one that the row shows; whatever is named must exist; every printed claim of the five papers must belong to
an item; rows that an audit found weakly explained and that are open must say what became of the explanation; and the
counts of reproduction/notebook.md must be those of the rows. The last cases damage each in turn.
"""
import collections
import fnmatch
import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
from fractions import Fraction
from pathlib import Path

SOURCE = Path(os.environ.get("WEFT_SOURCE_DIR", Path(__file__).parents[2]))
PROGRAM = os.environ.get("WEFT_PROGRAM", str(SOURCE / "build/release/bin/weft"))
MARKS = "✓≈≠✗"  # from best to worst, as report::ClaimMark
FATES = ["refuted", "undecided"]  # of weak explanations, where the print is not met and no rows show its cause
STATES = ["met", "loosely", "convincing", "weak", "missing", "misread"]
# The headings of both pages, and the groups of experiments.
PAPERS = {"Kautz and 2dfc (thesis)": "kautz-and-2dfc", "Fat tree": "fat-tree", "Direct-connect": "direct-connect",
          "Two-opt": "two-opt", "Dragonfly": "dragonfly"}
ROLES = ("shown by", "beside", "loosely:", "lacks:", "refuted:", "undecided:")  # of parts of a row's last cell
# tests/*/*_test.py and .sh, which CTest knows as FOLDER.NAME.
SCRIPTS = {f"{path.parent.name}.{path.stem.removesuffix('_test')}"
           for suffix in ("py", "sh") for path in (SOURCE / "tests").glob(f"*/*_test.{suffix}")}
CASE = re.compile(r"^ *(?:TYPED_)?TEST(?:_P|_F)?\((\w+), (\w+)\)", re.MULTILINE)
TESTS = SCRIPTS | {f"{suite}.{name}" for path in (SOURCE / "tests").rglob("*_test.cpp")
                   for suite, name in CASE.findall(path.read_text())}


@functools.cache
def parsed(text):
    return tomllib.loads(text)


def number(text):
    return float(Fraction(str(text).replace("_", "")))


def is_loose(claim):
    """Whether what is held would be held for another reading, too (src/weft/report/claims/judge.cpp)."""
    if claim.get("form") in ("under", "above"):
        return True
    if "rival" not in claim:
        return False
    printed = number(claim["printed"])
    slack = claim.get("within", claim.get("tolerance", 0.01) * abs(printed))
    return abs(number(claim["rival"]) - printed) <= slack + 1e-9 * abs(printed)


def mark_of(claim):
    if "reason" in claim:
        return "≠" if "cause" in claim or "proof" in claim else "✗"
    return "≈" if is_loose(claim) else "✓"


def is_own(claim):
    return "expected" in claim or claim.get("own", False)


def worst(claims):
    return max((mark_of(claim) for claim in claims), key=MARKS.index)


class Item:
    """A row: what it says, and the references of its last cell by the part that they play."""

    def __init__(self, paper, line, cells):
        self.paper, self.line = paper, line
        self.name, self.before, self.mark, self.cell = cells
        self.refs = collections.defaultdict(list)
        self.prose, self.times = {}, collections.Counter()
        for part in self.cell.split("; "):
            role = next((word for word in ROLES if part.startswith(word)), "held")
            if role.endswith(":"):
                self.prose[role] = self.prose.get(role, "") + part[len(role):].strip()
                self.times[role] += 1
            if role not in ("loosely:", "lacks:"):
                self.refs[role] += re.findall(r"`([^`]+)`", part)

    @property
    def fate(self):
        """What became of a weak explanation: met or shown, or one of FATES; None for other items."""
        if self.before != "weak":
            return None
        return "settled" if self.mark != "✗" else next((f for f in FATES if f"{f}:" in self.prose), "neither")


def items_of(text, problems):
    items, paper = [], None
    for at, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            paper = line[3:] if line[3:] in PAPERS else None
        if not paper or not line.startswith("| ") or line.startswith("| item |"):
            continue
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if len(cells) != 4 or cells[1] not in STATES:
            problems.append(f"line {at}: no row of item, before, now, held by: {line[:60]}")
        else:
            items.append(Item(paper, at, cells))
    return items


def words_of(claim):
    return f"{claim['text']} | {claim.get('source', '')}".lower()


class Check:
    """All that is wrong with the pages below `root`, in lines."""

    def __init__(self, root):
        self.problems = []
        self.claims, self.groups = {}, {}
        for path in sorted((root / "reproduction/experiments").glob("*.toml")):
            content = parsed(path.read_text())
            self.claims[path.stem] = content.get("claim", [])
            self.groups[path.stem] = content["experiment"].get("groups", [])
        self.used = set()
        self.items = items_of((root / "reproduction/items.md").read_text(), self.problems)
        for item in self.items:
            self.check(item)
        self.check_all_belong()
        self.check_counts((root / "reproduction/notebook.md").read_text())

    def wrong(self, item, text):
        self.problems.append(f"{item.paper}, line {item.line} ({item.name[:50]}): {text}")

    def select(self, item, reference):
        """The claims of `EXPERIMENT: words & words & !words`; none, and no problem, for a test."""
        name, _, words = reference.partition(": ")
        experiments = fnmatch.filter(self.claims, name)
        if not experiments:
            if not fnmatch.filter(TESTS, reference):
                self.wrong(item, f"`{reference}` is neither an experiment's claims nor a test")
            return []
        terms = [term.strip().lower() for term in words.split(" & ")] if words else []
        found = []
        for experiment in experiments:
            for place, claim in enumerate(self.claims[experiment]):
                text = words_of(claim)
                if all((term[1:] not in text) if term.startswith("!") else (term in text) for term in terms):
                    self.used.add((experiment, place))
                    found.append(claim)
        if not found:
            self.wrong(item, f"`{reference}` chooses no claim")
        return found

    def check(self, item):
        chosen = {role: [claim for reference in item.refs[role] for claim in self.select(item, reference)]
                  for role in ("held", "shown by", "beside")}
        printed = [claim for claim in chosen["held"] if not is_own(claim)]
        if printed:
            mark = worst(printed)
            if mark == "✗" and chosen["shown by"] and worst(chosen["shown by"]) in "✓≈":
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
        """Open items of weak explanations, and no others, say in one way what became of them."""
        parts = sum(item.times[f"{fate}:"] for fate in FATES)
        if parts != (item.before == "weak" and mark == "✗"):
            self.wrong(item, f"says {parts} times that an explanation is refuted or undecided")
        if len(re.sub(r"`[^`]*`|[,\s]", "", "".join(item.prose.get(f"{fate}:", "") for fate in FATES))) < 7 * parts:
            self.wrong(item, "says nothing of what the explanation was")
        if item.refs["undecided:"]:
            self.wrong(item, "is undecided, but names claims")
        if "refuted:" in item.prose:
            refuting = [self.select(item, reference) for reference in item.refs["refuted:"]]
            if not refuting or not all(refuting):
                self.wrong(item, "is refuted by no claims")
            if any(mark_of(claim) in "≠✗" for claims in refuting for claim in claims if is_own(claim)):
                self.wrong(item, "is refuted by a claim of ours that is not met itself")

    def check_all_belong(self):
        for experiment, claims in self.claims.items():
            if set(self.groups[experiment]) & set(PAPERS.values()):
                self.problems += [f"{experiment}: no item has the claim: {claim['text']} ({claim['source']})"
                                  for place, claim in enumerate(claims)
                                  if not is_own(claim) and (experiment, place) not in self.used]

    def check_counts(self, page):
        by_paper, by_state = collections.Counter(), collections.Counter()
        for item in self.items:
            for paper in (item.paper, "all"):
                by_paper[paper, item.fate] += 1
                by_paper[paper, item.before] += 1
                by_paper[paper, item.mark[-1]] += 1
                by_paper[paper, "items"] += 1
                by_paper[paper, "own"] += item.mark.startswith("own")
            by_state[item.before, item.mark[-1]] += 1
            by_state[item.before, "items"] += 1
        columns = ["items", *STATES, *MARKS, "–", "own"]
        for paper in [*PAPERS, "all"]:
            self.check_row(page, [paper, *(by_paper[paper, column] for column in columns)])
            self.check_row(page, [paper, *(by_paper[paper, column] for column in ("weak", "settled", *FATES))])
        for state in STATES:
            self.check_row(page, [state, *(by_state[state, column] for column in ["items", *MARKS, "–"])])

    def check_row(self, page, cells):
        row = "| " + " | ".join(str(cell) for cell in cells) + " |"
        if row not in page.splitlines():
            self.problems.append(f"reproduction/notebook.md has not the counts of the items: {row}")


class ReproductionItems(unittest.TestCase):
    maxDiff = None

    def test_rows_say_what_their_claims_do(self):
        check = Check(SOURCE)
        self.assertEqual(check.problems, [])
        self.assertEqual(len(check.items), 233)  # of the audit

    def test_marks_are_those_of_the_program(self):
        told = json.loads(subprocess.run([PROGRAM, "list", "groups", "--json"], cwd=SOURCE, check=True,
                                         capture_output=True, text=True).stdout)["groups"]
        check = Check(SOURCE)
        for row in told:
            if row["counted"] != "claims":
                continue
            counts = collections.Counter()
            for experiment, claims in check.claims.items():
                if row["name"] in check.groups[experiment]:
                    counts.update("own" if is_own(claim) else mark_of(claim) for claim in claims)
            shown = [row[name] for name in ("met", "loosely", "explained", "open", "own")]
            self.assertEqual(shown, [str(counts[mark]) for mark in [*MARKS, "own"]], row["name"])


class Damage(unittest.TestCase):
    """One thing at a time is made wrong in a copy, and named."""

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
        """A row of the page, whole."""
        text = (self.root / "reproduction/items.md").read_text()
        return next(line for line in text.splitlines() if words in line)

    def test_a_better_mark(self):
        row = self.row("`2dfc-figure-4-9: 8.78x`")
        self.replace("reproduction/items.md", row, row.replace("| ✗ |", "| ✓ |"))
        self.expect("8.78", "shows ✓, but its claims make ✗")
        self.expect("reproduction/notebook.md has not the counts", "| Kautz and 2dfc (thesis) |")

    def test_a_worse_claim(self):
        self.replace("reproduction/experiments/kautz-moore.toml", "printed = 4608\ntolerance = 0\n",
                     "printed = 4608\ntolerance = 0\nours = 1\nreason = \"reproduction/notebook.md: x\"\n")
        self.expect("4,608", "shows ✓, but its claims make ✗")

    def test_a_claim_that_became_loose(self):
        self.replace("reproduction/experiments/kautz-moore.toml", "form = \"at-least\"", "form = \"above\"")
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
        self.replace("reproduction/items.md", "`KautzPaths.are_of_the_three_types_of_the_thesis`",
                     "`KautzPaths.are_of_four_types`")
        self.expect("`KautzPaths.are_of_four_types` is neither")

    def test_an_experiment_that_is_not_there(self):
        self.replace("reproduction/items.md", "`kautz-figure-3-1`", "`kautz-figure-3-11`")
        self.expect("`kautz-figure-3-11` is neither")

    def test_another_state_before(self):
        row = self.row("`2dfc-figure-4-9: 8.78x`")
        self.replace("reproduction/items.md", row, row.replace("| weak |", "| met |"))
        self.expect("reproduction/notebook.md has not the counts", "| weak |")

    def test_a_row_that_is_gone(self):
        self.replace("reproduction/items.md", self.row("`2dfc-figure-4-9: 8.78x`") + "\n", "")
        self.expect("2dfc-figure-4-9: no item has the claim")
        self.expect("reproduction/notebook.md has not the counts", "| all |")

    def test_a_fate_that_is_missing(self):
        row = self.row("`kautz-figure-3-4: 7x faster`")
        self.replace("reproduction/items.md", row, row.replace("; undecided: none was given", ""))
        self.expect("7 times faster", "says 0 times that an explanation is refuted or undecided")
        self.expect("reproduction/notebook.md has not the counts", "| Kautz and 2dfc (thesis) | 27 |")

    def test_two_fates(self):
        row = self.row("`2dfc-figure-4-12: 1.17x`")
        self.replace("reproduction/items.md", row, row.removesuffix(" |") + "; undecided: none was given |")
        self.expect("1.17", "says 2 times that an explanation is refuted or undecided")

    def test_a_fate_of_an_item_that_is_met(self):
        row = self.row("`dc-figure-7-every-n: 9 times` |")
        self.replace("reproduction/items.md", row, row.removesuffix(" |") + "; undecided: none was given |")
        self.expect("Circulants 9 times", "says 1 times that an explanation is refuted or undecided")

    def test_a_fate_without_an_explanation(self):
        self.replace("reproduction/items.md", "undecided: none was given", "undecided: ")
        self.expect("says nothing of what the explanation was")

    def test_another_fate(self):
        self.replace("reproduction/items.md", "refuted: `kautz-copies`, copies of other", "undecided: copies of other")
        self.expect("reproduction/notebook.md has not the counts", "| all | 51 |")

    def test_a_refutation_that_names_no_claims(self):
        self.replace("reproduction/items.md", "refuted: `kautz-copies`, copies of other", "refuted: copies of other")
        self.expect("Kautz-C 1.5 times slower", "is refuted by no claims")

    def test_a_refutation_by_a_claim_that_is_gone(self):
        self.replace("reproduction/experiments/dc-figure-11.toml", "no cost of a step", "no cost of steps")
        self.expect("`dc-figure-11: no cost of a step` chooses no claim")

    def test_a_refutation_by_a_claim_that_is_not_met(self):
        self.replace("reproduction/experiments/kautz-copies.toml", 'expected = "1.5"\n',
                     'expected = "1.5"\nours = 1\nreason = "reproduction/notebook.md: x"\n')
        self.expect("Kautz-C 1.5 times slower", "by a claim of ours that is not met itself")

    def test_other_counts(self):
        self.replace("reproduction/notebook.md", "\n| all | 233 |", "\n| all | 234 |")
        self.expect("reproduction/notebook.md has not the counts", "| all | 233 |")


if __name__ == "__main__":
    unittest.main()
