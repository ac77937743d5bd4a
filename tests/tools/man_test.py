#!/usr/bin/env python3
"""Tests that every command has a man page, and that the page has every option of the help."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM, SOURCE = os.environ["WEFT_PROGRAM"], Path(os.environ["WEFT_SOURCE_DIR"])


def help_of(*command):
    return subprocess.run([PROGRAM, *command, "--help-all"], capture_output=True, text=True, check=True,
                          env=os.environ | {"COLUMNS": "100000"}).stdout


def plain(page):
    """Returns the page as a reader sees it, blanks and line ends made one blank, hyphenation undone."""
    if shutil.which("groff"):
        shown = subprocess.run(["groff", "-man", "-Tutf8", "-P-cbou", "-rHY=0", "-rLL=1000n", "-ww", str(page)],
                               capture_output=True, text=True, check=True)
        assert not shown.stderr, f"{page.name}: {shown.stderr}"
        text = shown.stdout.replace("\u2212", "-").replace("\u2010", "-")
    else:
        text = page.read_text()
        for written, character in {"\\-": "-", "\\&": "", "\\(aq": "'", "\\(ga": "`", "\\(ha": "^",
                                   "\\(ti": "~", "\\e": "\\"}.items():
            text = text.replace(written, character)
        text = re.sub(r"\\\[u([0-9A-F]+)\]", lambda match: chr(int(match[1], 16)), text)
    return " ".join(text.split())


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, SOURCE / "tools/make_man.py", PROGRAM, folder], check=True)
        top = help_of()
        commands = re.findall(r"^  ([a-z][a-z-]*)  ", top, re.MULTILINE)
        assert len(commands) > 10, commands
        pages = {page.name for page in Path(folder).iterdir()}
        assert pages == {"weft.1"} | {f"weft-{name}.1" for name in commands}, pages
        main_page = plain(Path(folder) / "weft.1")
        for name in commands:
            assert f"weft-{name}(1)" in main_page.replace(" (1)", "(1)"), f"weft.1 does not name weft-{name}"
            shown = plain(Path(folder) / f"weft-{name}.1")
            for line in help_of(name).splitlines():
                assert " ".join(line.removeprefix("Usage: ").split()) in shown or line.endswith(":"), \
                    f"weft-{name}.1 lacks: {line}"
    print(f"{len(commands) + 1} man pages say what the help says")


main()
