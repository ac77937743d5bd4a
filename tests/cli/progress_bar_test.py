#!/usr/bin/env python3
"""Long work draws a bar where standard error is a terminal, with an estimate if it is steady, and rows come at once.
A comparison shows what it is doing and the winners so far, and erases them before its answer."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

PROGRAM = os.environ["WEFT_PROGRAM"]
# Each takes minutes, and is ended as soon as it has said what is looked for. A sanitizer makes smaller
# networks as slow.
FEW = float(os.environ.get("WEFT_TEST_SAMPLES", "1")) < 1
LONG = [
    ["load-curve", "-t", "torus:12x12" if FEW else "torus:40x40", "--loads", "0.05,0.1,0.15", "--routing", "dimension-order"],
    ["simulate", "alltoall", "-t", "torus:8x8" if FEW else "torus:16x16", "-a", "pairwise",
     "--model", "packet", "--size", "4MiB"],
]
# A comparison of minutes, and one of seconds.
LONG_COMPARE = ["compare", "alltoall", "-t", "torus:8x8", "--sizes", "1KiB,64MiB", "--model", "packet",
                "-a", "pairwise", "--threads", "4"]  # the small size beside the large one
SHORT_COMPARE = ["compare", "allreduce", "-t", "torus:8x8", "--sizes", "1KiB:1MiB"]
UP = b"A\r\x1b[J"  # the end of what erases lines
PATIENCE_S = 500  # far more than a second, however slow the machine is


def read_until(command, wanted):
    """What stands on the terminal once `wanted` does; the program is ended then."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
    ran = subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=theirs,
                           env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    shown, end = b"", time.monotonic() + PATIENCE_S
    try:
        while wanted not in shown and time.monotonic() < end and ran.poll() is None:
            if select.select([ours], [], [], 1)[0]:
                shown += os.read(ours, 4096)
    except OSError:  # it has ended
        pass
    finally:
        ran.kill()
        ran.wait()
        os.close(ours)
    return shown


def check_comparison():
    shown = read_until(LONG_COMPARE, b"so far at ")
    if b"compare: simulating " not in shown or b"so far at " not in shown:
        sys.exit(f"a comparison does not show what it is doing and the winners so far: {shown!r}")
    if b" left" in shown:
        sys.exit(f"a comparison without a limit has an estimate: {shown!r}")
    if UP not in read_until(LONG_COMPARE, UP):  # the cursor goes up to update a table
        sys.exit("a comparison has no table of the winners so far")
    shown = read_until([*LONG_COMPARE, "--time-limit", "400s"], b" left")
    if b"at most " not in shown:
        sys.exit(f"a comparison with a time limit does not show what is left of it: {shown!r}")
    # One line beside JSON: the cursor never goes up.
    shown = read_until([*LONG_COMPARE, "--json"], b"so far at ")
    if UP in shown or b"\n" in shown:
        sys.exit(f"a table beside JSON: {shown!r}")
    if b"so far" in read_until([*SHORT_COMPARE, "--quiet"], b"so far"):
        sys.exit("--quiet shows progress")
    # What stands on the terminal in the end is the answer alone.
    plain = subprocess.run([PROGRAM, *SHORT_COMPARE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    ours, theirs = pty.openpty()
    beside = subprocess.run([PROGRAM, *SHORT_COMPARE], stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    os.close(ours)
    if plain.stdout != beside.stdout:
        sys.exit("the answer differs where standard error is a terminal")


def main():
    # Packets arrive steadily. Load curves slow down: of them a bar without an estimate is right.
    for command, wanted in zip(LONG, (b"/100 ", b" left")):
        shown = read_until(command, wanted)
        if wanted not in shown or b"/100 " not in shown:
            sys.exit(f"weft {' '.join(command)} drew no bar with {wanted.decode()}: {shown!r}")
    # Rows of the low loads are there while the high ones are still to come.
    ran = subprocess.Popen([PROGRAM, *LONG[0]], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        head = [ran.stdout.readline() for _ in range(3)]
        if b"measured" not in head[0] or not head[2].split()[0] == b"0.05" or ran.poll() is not None:
            sys.exit(f"rows do not come as they are measured: {head}")
    finally:
        ran.kill()
        _, errors = ran.communicate()
    # Lines that say how far it is come every few seconds; a bar is drawn over and over.
    if b"/100 " in errors or b"\r" in errors:
        sys.exit(f"a bar where no terminal is: {errors!r}")
    check_comparison()
    print("bars and rows come while the work goes on")


main()
