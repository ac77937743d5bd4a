#!/usr/bin/env python3
"""Computes which costs of copies would explain the printed times of the thesis's programs on 2dfc.

The script compiles two_dimensions.c with smpicc and runs DO, MULTITREE and MD under SimGrid's SMPI. The platforms and
the MULTITREE come from weft. Copies are free in one run, and as fast as on this machine in the other. Cables are
shared, and all other settings are those of SMPI. For each printed number the script prints how much longer the program
must have computed, and the speed of its copies in that case. If one speed, or one time for a call of memcpy, explained
all numbers, it would be the missing setting.

    bench/smpi/run.py build/release/bin/weft [--quick] [--csv FILE]

Measured copies differ from run to run, more so on a loaded machine. They determine the order of magnitude of a setting,
not its second digit.
"""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
MEASURED = ["smpi/simulate-computation:yes", "smpi/cpu-threshold:0", "smpi/host-speed:100Gf"]  # of the platform's hosts
FREE = ["smpi/simulate-computation:no"]
MODEL = ["--factors", "smpi-3.32", "--sharing", "smpi", "--cables", "shared", "--receives", "in-step", "--eager", "64KiB",
         "--header", "16B"]
ANSWER = re.compile(r"time (\S+) copied (\d+) copies (\S+) messages (\S+) wrong (\d+)")
RUNS = 3  # of measured copies; the least counts


class Bench:
    def __init__(self, weft, folder):
        self.weft_program = str(pathlib.Path(weft).resolve())
        self.folder = folder
        self.call("smpicc", "-O2", "-o", "two_dimensions", str((HERE / "two_dimensions.c").resolve()))
        self.platforms = {}

    def call(self, *words):
        ran = subprocess.run(words, cwd=self.folder, capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"{' '.join(words)}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def weft(self, *words):
        return self.call(self.weft_program, *words)

    def platform(self, extents, routing, link="100Gbps,1us"):
        rows, columns = extents
        name = f"{rows}x{columns}-{routing}-{link.replace(',', '-')}.xml"
        if name not in self.platforms:
            self.weft("export", f"2dfc:{rows}x{columns}", "--to", "simgrid-platform", "--cables", "--routing", routing,
                      "--link", link, "-o", name, "-q")
            self.platforms[name] = True
        return name

    def table(self, collective, extents):
        """Writes the messages of weft's MULTITREE."""
        name = f"{collective}-{extents[0]}x{extents[1]}"
        self.weft("schedule", collective, "-t", f"2dfc:{extents[0]}x{extents[1]}", "-a", "multitree", "-o", name + ".weft",
                  "-q")
        (pathlib.Path(self.folder) / (name + ".txt")).write_text(
            self.weft("verify", name + ".weft", "--dump", "--expand"))
        return name + ".txt"

    def run(self, collective, algorithm, extents, block, settings, routing="shortest", link="100Gbps,1us"):
        """Seconds, bytes copied and calls of memcpy, messages, of a rank."""
        platform = self.platform(extents, routing, link)
        ours = {"multitree": "table", "bruck": "mpi"}.get(algorithm, algorithm)
        words = [collective, ours, str(extents[1]), str(extents[0]), str(block)]  # weft numbers along the first extent
        if ours == "table":
            words.append(self.table(collective, extents))
        if ours == "mpi":
            settings = [*settings, f"smpi/{collective}:{algorithm}"]
        out = self.call("smpirun", "-quiet", "-np", str(extents[0] * extents[1]), "-platform", platform, "-hostfile",
                        platform + ".hosts", *[f"--cfg={one}" for one in settings], "--log=root.thres:error",
                        "./two_dimensions", *words)
        time, copied, copies, messages, wrong = ANSWER.search(out).groups()
        if wrong != "0":
            sys.exit(f"{' '.join(words)}: {wrong} blocks are wrong")
        return float(time), int(copied), float(copies), float(messages)

    def measured(self, *run, routing="shortest"):
        return min(self.run(*run, MEASURED, routing)[0] for _ in range(RUNS))

    def by_model(self, collective, algorithm, extents, block, link="100Gbps,1us"):
        answer = self.weft("simulate", collective, "-t", f"2dfc:{extents[0]}x{extents[1]}", "-a", algorithm, "--size",
                           str(block), "--link", link, *MODEL, "--json")
        return json.loads(answer)["time"]


def needed(bench, printed, collective, algorithm, extents, block, routing):
    """Returns a line of the table: `printed` in seconds."""
    free, copied, copies, messages = bench.run(collective, algorithm, extents, block, FREE, routing)
    measured = bench.measured(collective, algorithm, extents, block, routing=routing)
    lack = printed - free
    return {"collective": collective, "algorithm": algorithm, "network": f"{extents[0]}x{extents[1]}", "block": block,
            "routing": routing, "printed_us": 1e6 * printed, "free_us": 1e6 * free, "measured_us": 1e6 * measured, "copied_B": copied,
            "copies": copies, "messages": messages, "lacks_us": 1e6 * lack, "speed_GBps": copied / lack / 1e9,
            "per_message_us": 1e6 * lack / messages, "share_of_measured": lack / (measured - free)}


def lines_of(bench, quick):
    eight, block = (8, 8), 32 << 10
    for routing in ("shortest", "dimension-order"):
        bruck = bench.run("alltoall", "bruck", eight, block, FREE, routing)[0]
        for algorithm, ratio in (("do", 8.78), ("multitree", 9.60), ("md", 11.98)):
            yield needed(bench, bruck / ratio, "alltoall", algorithm, eight, block, routing)
    if quick:
        return
    # 256 buffers of 2 GiB are not to be had: the model's time at 8 MiB, and copies at a block that fits.
    extents, small, large = (16, 16), 8 << 10, 8 << 20
    scale = large / small
    for_small = bench.run("allgather", "md", extents, small, FREE)
    measured = scale * (bench.measured("allgather", "md", extents, small) - for_small[0])
    free, copied = bench.by_model("allgather", "md", extents, large), scale * for_small[1]
    lack = 44.5e-3 - free
    yield {"collective": "allgather", "algorithm": "md", "network": "16x16", "block": large, "routing": "shortest",
           "printed_us": 44.5e3, "free_us": 1e6 * free, "measured_us": 1e6 * (free + measured), "copied_B": copied, "copies": for_small[2],
           "messages": for_small[3], "lacks_us": 1e6 * lack, "speed_GBps": copied / lack / 1e9,
           "per_message_us": 1e6 * lack / for_small[3], "share_of_measured": lack / measured}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft")
    parser.add_argument("--quick", action="store_true", help="without 16x16")
    parser.add_argument("--csv", help="write the table there, too")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for line in lines_of(Bench(asked.weft, folder), asked.quick):
            if not lines:
                print("  ".join(f"{name:>12.12}" for name in line))
            lines.append(line)
            print("  ".join(f"{value:>12.6g}" if isinstance(value, (int, float)) else f"{value:>12}" for value in line.values()),
                  flush=True)
    if asked.csv:
        with open(asked.csv, "w", newline="") as out:
            writer = csv.DictWriter(out, lines[0])
            writer.writeheader()
            writer.writerows(lines)


if __name__ == "__main__":
    main()
