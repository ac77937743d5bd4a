#!/usr/bin/env python3
"""Tests that the generated pages of docs/reference are those that the program gives today."""

import os
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["WEFT_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tools"))
import make_reference  # noqa: E402


def first_difference(kept, made):
    """Returns (number, line) of the first line of the stored page that differs from the generated one, or None."""
    kept, made = kept.split("\n"), made.split("\n")
    for number in range(max(len(kept), len(made))):
        have = kept[number] if number < len(kept) else None
        want = made[number] if number < len(made) else None
        if have != want:
            return number + 1, want
    return None


def stale_pages(folder, made):
    """Returns a line for each page of the folder that differs from the generated one: file, line and remedy."""
    faults = []
    for page in made:
        kept = folder / page.name
        if not kept.is_file():
            faults.append(f"{kept}: the page is missing; run make reference")
            continue
        difference = first_difference(kept.read_text(), page.read_text())
        if difference:
            number, line = difference
            faults.append(f"{kept}:{number}: the page is stale (the program gives: {line!r}); run make reference")
    return faults


def main():
    with tempfile.TemporaryDirectory() as folder:
        made = make_reference.write_pages(os.environ["WEFT_PROGRAM"], folder)
        faults = stale_pages(SOURCE / "docs/reference", made)
        if faults:
            sys.exit("\n".join(faults))
        # A page that somebody edits, and one that somebody removes, are found.
        edited = Path(folder) / "edited"
        edited.mkdir()
        for page in made[1:]:
            (edited / page.name).write_text(page.read_text())
        (edited / made[1].name).write_text(made[1].read_text().replace("\n", "\nA line.\n", 1))
        assert [fault.split(": ")[0] for fault in stale_pages(edited, made)] == \
            [str(edited / made[0].name), f"{edited / made[1].name}:2"], stale_pages(edited, made)
    print(f"{len(made)} pages of the reference are what the program gives")


main()
