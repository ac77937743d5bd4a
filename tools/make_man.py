#!/usr/bin/env python3
"""Makes the man pages of weft from its own help: weft.1, and weft-COMMAND.1 for each command.

Usage: tools/make_man.py PROGRAM FOLDER. The sections of the help become those of the page: options become a list, the
usage line becomes the synopsis, and lines of examples stay unchanged.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SECTION = re.compile(r"^([A-Z][A-Za-z ]*):$")
ENTRY = re.compile(r"^  (\S.*?)(?:  +(\S.*))?$")


def help_of(program, *command):
    """Returns a whole help text without wrapped lines."""
    ran = subprocess.run([program, *command, "--help-all"], capture_output=True, text=True, check=True,
                         env=os.environ | {"COLUMNS": "100000"})
    return ran.stdout.splitlines()


SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}


def escape(text):
    """Escapes the text, so that every character is literal and no line begins a request."""
    text = "".join(SPECIAL.get(c, c if c.isascii() else f"\\[u{ord(c):04X}]") for c in text)
    return "\\&" + text if text.startswith(".") else text


def entries(lines):
    """Returns (name, description) of each entry of a list; lines with more indentation continue an entry."""
    found = []
    for line in lines:
        match = ENTRY.match(line)
        if match:
            found.append([match.group(1), match.group(2) or ""])
        elif found and line.strip():
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    return found


def sections_of(lines):
    """Returns (title, lines) of each section; the lines before the first belong to the title ""."""
    sections = [("", [])]
    for line in lines:
        match = SECTION.match(line)
        if match:
            sections.append((match.group(1), []))
        else:
            sections[-1][1].append(line)
    return sections


def listing(lines):
    out = []
    for name, text in entries(lines):
        out += [".TP", ".B " + escape(name), escape(text)]
    return out


def examples(lines):
    """Copies examples up to the first other line; the lines after it are prose."""
    commands = [line[2:] for line in lines if line.startswith("  ")]
    prose = [line for line in lines if line.strip() and not line.startswith("  ")]
    return [".nf", *map(escape, commands), ".fi", *([".PP"] if prose else []), *map(escape, prose)]


def page(name, lines, version, see_also):
    """Returns the page of one help text."""
    preface = [line for line in sections_of(lines)[0][1] if line.strip()]
    usage = [line.removeprefix("Usage: ") for line in preface if line.startswith("Usage: ")]
    about = [line for line in preface if not line.startswith("Usage: ")]
    summary = re.sub(r"^weft: ", "", about[0]).rstrip(".") if about else name
    out = [f'.TH {name.upper()} 1 "" "weft {version}" "User Commands"', ".SH NAME",
           escape(f"{name}") + " \\- " + escape(summary), ".SH SYNOPSIS", *map(escape, usage)]
    if about[1:]:
        out += [".SH DESCRIPTION", *map(escape, about[1:])]
    for title, body in sections_of(lines)[1:]:
        out += [f".SH {title.upper()}", *(examples(body) if title == "Examples" else listing(body))]
        if title != "Examples":  # notes that stand behind a list
            out += [line for text in body if text and not text.startswith(" ")
                    for line in (".PP", escape(text))]
    out += [".SH SEE ALSO", ", ".join(f".BR {other} (1)" for other in see_also[:1]).strip()]
    out += [f".BR {escape(other)} (1)" for other in see_also[1:]]
    return "\n".join(out) + "\n"


def main(program, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([program, "--version"], capture_output=True, text=True,
                             check=True).stdout.split()[-1]
    top = help_of(program)
    commands = [name for title, lines in sections_of(top) if title != "Examples"
                for name, _ in entries(lines) if re.fullmatch("[a-z-]+", name) and name[0] != "-"]
    pages = {"weft": page("weft", top, version, [f"weft-{command}" for command in commands])}
    for command in commands:
        pages[f"weft-{command}"] = page(f"weft-{command}", help_of(program, command), version,
                                        ["weft"])
    for name, text in pages.items():
        (folder / f"{name}.1").write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: make_man.py PROGRAM FOLDER")
    main(sys.argv[1], sys.argv[2])
