#!/usr/bin/env python3
"""What weft shows on a terminal: as wide as it is, the winner in colour unless NO_COLOR is set."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest

PROGRAM = os.environ["WEFT_PROGRAM"]
LINE = "compare allreduce -t 2dfc:4x4 --sizes 1KiB:1MiB".split()


def on_terminal(arguments, columns, **environment):
    """Standard output of the program on a terminal so wide."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    clean = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "TERM")}
    clean["TERM"] = "xterm"
    process = subprocess.Popen([PROGRAM, *arguments], stdout=slave, stderr=subprocess.PIPE,
                               env={**clean, **environment})
    os.close(slave)
    output = b""
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        output += part
    os.close(master)
    errors = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait() == 0, errors
    return output.decode().replace("\r\n", "\n")


def plain(text):
    return re.sub("\033\\[[0-9;]*m", "", text)


def widest(text):
    return max(len(line) for line in plain(text).splitlines())


class Screen(unittest.TestCase):
    def test_the_winner_is_in_colour(self):
        shown = on_terminal(LINE, 80)
        coloured = re.findall("\033\\[1;32m([^\033]*)\033\\[0m", shown)
        starred = re.findall(r"[0-9.]+[num]?s\*", plain(shown))
        self.assertEqual(coloured, starred)
        self.assertGreater(len(starred), 5)

    def test_without_colour_when_asked(self):
        self.assertNotIn("\033", on_terminal(LINE, 80, NO_COLOR="1"))
        self.assertNotIn("\033", on_terminal(LINE, 80, TERM="dumb"))

    def test_tables_are_as_wide_as_the_terminal(self):
        for columns in (80, 100, 160):
            shown = on_terminal(LINE + ["--all"], columns)
            tables = shown.split("\n\n", 1)[1].split("* fastest")[0]  # neither bounds nor advice
            self.assertLessEqual(widest(tables), columns)
            self.assertLessEqual(widest(on_terminal(["list", "topologies"], columns)), columns)
        self.assertGreater(widest(on_terminal(["list", "topologies"], 160)), 100)

    def test_columns_is_heard_in_a_pipe_too(self):
        def lines(columns):
            done = subprocess.run([PROGRAM, "list", "topologies"], capture_output=True, check=True,
                                  env={**os.environ, "COLUMNS": str(columns)})
            return done.stdout.decode()

        self.assertGreater(widest(lines(1000)), 200)
        self.assertLessEqual(widest(lines(100)), 100)


if __name__ == "__main__":
    sys.exit(unittest.main())
