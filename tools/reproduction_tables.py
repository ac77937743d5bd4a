#!/usr/bin/env python3
"""Writes reproduction/tables/*.md and the counts of reproduction/README.md; --check only compares.

Usage: tools/reproduction_tables.py [--check] PROGRAM. reproduction/items.toml lists the items and the claims or tests
that check them. Marks, printed values and values of weft come from `weft list claims`.
"""

import collections
import fnmatch
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

SOURCE = Path(os.environ.get("WEFT_SOURCE_DIR", Path(__file__).parents[1]))
MARKS = "✓≈≠✗"  # from best to worst
FATES = ["refuted", "undecided"]  # of weak explanations, where the print is not met and no rows show its cause
STATES = ["met", "loosely", "convincing", "weak", "missing", "misread"]
ROLES = ("shown by", "beside", "loosely:", "lacks:", "refuted:", "undecided:")  # of parts of an item's last cell
BEGIN, END = "<!-- counts, by tools/reproduction_tables.py -->\n", "<!-- end of counts -->\n"


class Item:
    """Parses the cells of a row, and the references of its last cell by their role."""

    def __init__(self, paper, cells):
        self.paper = paper
        self.name, self.before, self.mark, self.cell = cells
        self.refs = collections.defaultdict(list)
        self.plain = []  # parts without a role
        self.prose, self.times = {}, collections.Counter()
        for part in self.cell.split("; "):
            role = next((word for word in ROLES if part.startswith(word)), "held")
            if role.endswith(":"):
                self.prose[role] = self.prose.get(role, "") + part[len(role):].strip()
                self.times[role] += 1
            if role == "held":
                self.plain.append(part)
            if role not in ("loosely:", "lacks:"):
                self.refs[role] += re.findall(r"`([^`]+)`", part)


def papers_of(root):
    """Returns the papers of items.toml, each with its `items` as Item."""
    papers = tomllib.loads((root / "reproduction/items.toml").read_text())["paper"]
    return [{**paper, "items": [Item(paper["name"], cells) for cells in paper["items"]]} for paper in papers]


def claims_of(program, root):
    """Returns the claims as `weft list claims` has them, by experiment."""
    environment = {**os.environ, "WEFT_EXPERIMENTS": str(root / "reproduction/experiments")}
    ran = subprocess.run([program, "list", "claims", "--json"], check=True, capture_output=True, text=True,
                         env=environment)
    claims = collections.defaultdict(list)
    for claim in json.loads(ran.stdout)["claims"]:
        claims[claim["experiment"]].append(claim)
    return claims


def selected(claims, reference):
    """Returns (experiment, place) of the claims of `EXPERIMENT: words & words & !words`."""
    name, _, words = reference.partition(": ")
    terms = [term.strip().lower() for term in words.split(" & ")] if words else []
    return [(experiment, place) for experiment in fnmatch.filter(claims, name)
            for place, claim in enumerate(claims[experiment])
            if all((term[1:] not in words_of(claim)) if term.startswith("!") else (term in words_of(claim))
                   for term in terms)]


def words_of(claim):
    return f"{claim['claim']} | {claim['source']}".lower()


def is_own(claim):
    return claim["mark"].startswith("own")


def worst(claims):
    return max((claim["mark"][-1] for claim in claims), key=MARKS.index)


def printed_claims(item, claims, role="held"):
    chosen = [claims[experiment][place] for reference in item.refs[role]
              for experiment, place in selected(claims, reference)]
    return [claim for claim in chosen if role != "held" or not is_own(claim)]


def some(values):
    """Returns the first three different values, and the number of others."""
    known = list(dict.fromkeys(value for value in values if value))
    return ", ".join(known[:3]) + (f" and {len(known) - 3} more" if len(known) > 3 else "")


def rounded(value):
    """Formats a number with four digits; returns other values unchanged."""
    return ", ".join(f"{float(part):.4g}" if re.fullmatch(r"-?\d+\.\d{3,}", part) else part
                     for part in value.split(", "))


def without_references(text):
    return re.sub(r"`[^`]*`(?:(?:, | and )`[^`]*`)*,? ?", "", text).strip(" ,:")


def link_to(reason):
    """Converts 'reproduction/notes/two-opt.md: Heading' to a link from tables/."""
    page, _, heading = reason.partition(": ")
    anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"[{heading}](../{page.removeprefix('reproduction/')}#{anchor})"


def why_of(item, claims):
    """Returns one line with the reason for the mark of the item."""
    reasons = [link_to(claim["reason"]) for claim in claims if claim["reason"]]
    parts = []
    for role, word in (("loosely:", "Loosely: "), ("lacks:", "Lacks: "), ("refuted:", "Refuted: "),
                       ("undecided:", "Undecided: ")):
        if role in item.prose:
            parts.append(word + without_references(item.prose[role]))
    if item.mark[-1] == "≠" and item.refs["shown by"]:
        parts.append("Rows with the cause give the print")
    if item.mark == "≈" and not parts:
        parts.append("One side of the print is held")
    parts += list(dict.fromkeys(reasons))[:2]
    return ". ".join(parts)


def row_of(item, claims):
    """Returns item, printed, ours, mark and reason: of the claims with the worst mark, or of tests."""
    held = printed_claims(item, claims)
    if not held:
        ours = {"✓": "holds", "≈": "holds", "≠": "differs"}.get(item.mark[-1], "")
        return [item.name, "", ours, item.mark, "; ".join(item.plain) if ours else why_of(item, [])]
    deciding = [claim for claim in held if claim["mark"] == worst(held)]
    met = deciding[0]["mark"] in "✓≈"
    printed = some("an order" if claim["printed"] == "below" else claim["printed"] for claim in deciding)
    return [item.name, printed, "as printed" if met else some(rounded(claim["ours"]) for claim in deciding), item.mark,
            why_of(item, [] if met else deciding)]


def page_of(paper, claims):
    text = (f"# {paper['name']}: printed and ours\n\n"
            "This page is for readers of the paper. Each row is one item of the paper; where several claims hold it, the\n"
            "worst decides. [The notebook](../notebook.md) explains the marks. `tools/reproduction_tables.py` writes this page.\n\n"
            "| item | printed | ours | mark | reason |\n|---|---|---|---|---|\n")
    return text + "".join("| " + " | ".join(row_of(item, claims)) + " |\n" for item in paper["items"])


def counts_of(papers):
    """Returns the table of README.md."""
    lines = ["| paper | items | ✓ | ≈ | ≠ | ✗ | – | of these by tests |", "|---|---|---|---|---|---|---|---|"]
    total = collections.Counter()
    for paper in papers:
        counts = collections.Counter(item.mark[-1] for item in paper["items"])
        counts["items"] = len(paper["items"])
        counts["own"] = sum(item.mark.startswith("own") for item in paper["items"])
        total += counts
        lines.append(row_of_counts(f"[{paper['name']}](tables/{paper['page']}.md)", counts))
    return "\n".join(lines + [row_of_counts("all", total)]) + "\n"


def row_of_counts(name, counts):
    return f"| {name} | " + " | ".join(str(counts[key]) for key in ("items", *MARKS, "–", "own")) + " |"


def pages_of(root, claims):
    """Returns path and text of every generated page."""
    papers = papers_of(root)
    pages = {root / f"reproduction/tables/{paper['page']}.md": page_of(paper, claims) for paper in papers}
    readme = root / "reproduction/README.md"
    before, _, rest = readme.read_text().partition(BEGIN)
    pages[readme] = before + BEGIN + counts_of(papers) + END + rest.partition(END)[2]
    return pages


def differences(root, claims):
    """Returns FILE:LINE of each place where a page differs from the generated one."""
    found = []
    for path, text in pages_of(root, claims).items():
        there = path.read_text().splitlines() if path.exists() else []
        wanted = text.splitlines()
        if there != wanted:
            line = next((at for at, (a, b) in enumerate(zip(there, wanted), 1) if a != b),
                        min(len(there), len(wanted)) + 1)
            found.append(f"{path.relative_to(root)}:{line}: is stale; run tools/reproduction_tables.py PROGRAM")
    return found


def main():
    check = "--check" in sys.argv[1:]
    program = next((word for word in sys.argv[1:] if word != "--check"), "")
    if not program:
        sys.exit(__doc__)
    claims = claims_of(program, SOURCE)
    if check:
        found = differences(SOURCE, claims)
        print("\n".join(found) or "the tables are those of the claims")
        sys.exit(1 if found else 0)
    for path, text in pages_of(SOURCE, claims).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
