#!/usr/bin/env python3
"""Measures CPU seconds and memory of weft compare on networks of about 1,024 hosts, with the default sizes.

    bench/compare_by_network.py build/release/bin/weft [another weft, to compare with]
    bench/compare_by_network.py build/release/bin/weft --networks "torus:16x16x16" --collectives alltoall

The programs compare each network one after another, so that both run under the same load.
"""
import argparse
import json
import os
import resource
import subprocess
import sys

NETWORKS = [
    "hypercube:10",
    "torus:32x32",
    "torus:8x8x16",
    "mesh:32x32",
    "hamming:32x32",
    "kautz:4,5",
    "genkautz:4,1024",
    "debruijn:4,5",
    "random-regular:1024,8",
    "slimfly:23",
    "polarfly:31",
    "dragonfly:a=8,p=4,h=4",
    "leaf-spine:leaves=32,spines=16,hosts=32",
    "clos:pods=4,leaves=8,spines=8,hosts=32,cores=16",
    "xgft:3;8,8,16;1,8,8",
    "hosts(8, torus:8x16)",
]


def run(program, collective, network, limit_s):
    """Returns the line for one run: seconds of CPU, MB, and whether every winner is known."""
    command = [program, "compare", collective, "-t", network, "--threads", "1", "--json", "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit_s, limit_s + 5))
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.stdout.close()
    if os.WIFSIGNALED(status):
        return f"over {limit_s} s"
    if os.WEXITSTATUS(status) != 0:
        return f"exit code {os.WEXITSTATUS(status)}"
    answer = json.loads(out)
    known = "" if answer.get("complete", True) else ", some winners open"
    return f"{used.ru_utime + used.ru_stime:.1f} s, {used.ru_maxrss / 1024:.0f} MB{known}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", metavar="weft")
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--collectives", nargs="+", default=["allreduce", "alltoall"])
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds of a run [120]")
    asked = parser.parse_args()
    for collective in asked.collectives:
        for network in asked.networks:
            answers = [run(program, collective, network, asked.limit) for program in asked.programs]
            print(f"{collective:10} {network:50} " + " | ".join(answers))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
