#!/usr/bin/env python3
"""Tests that docs/how-to/use-the-library.md shows the example project unchanged; install_test.sh builds and runs it."""

import os
import sys
from pathlib import Path

SOURCE = Path(os.environ["WEFT_SOURCE_DIR"])
FENCES = {"cmake": "CMakeLists.txt", "cpp": "own_network.cpp"}


def main():
    document = (SOURCE / "docs/how-to/use-the-library.md").read_text()
    for language, name in FENCES.items():
        shown = document.split(f"```{language}\n")[1].split("```")[0]
        written = (SOURCE / "tests/consumer" / name).read_text()
        if shown != written:
            sys.exit(f"docs/how-to/use-the-library.md shows another {name} than tests/consumer has; copy it there")
    print("docs/how-to/use-the-library.md shows tests/consumer as it is")


main()
