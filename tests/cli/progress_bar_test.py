#!/usr/bin/env python3
"""Long work draws a bar with an estimate where standard error is a terminal, and rows come at once."""

import os
import pty
import select
import subprocess
import sys
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
PATIENCE_S = 500  # far more than a second, however slow the machine is


def read_until(command, wanted):
    """What stands on the terminal once `wanted` does; the program is ended then."""
    ours, theirs = pty.openpty()
    ran = subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown, end = b"", time.monotonic() + PATIENCE_S
    try:
        while wanted not in shown and time.monotonic() < end and ran.poll() is None:
            if select.select([ours], [], [], 1)[0]:
                shown += os.read(ours, 4096)
    finally:
        ran.kill()
        ran.wait()
        os.close(ours)
    return shown


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
    print("bars and rows come while the work goes on")


main()
