#!/usr/bin/python3
"""Compares collectives under libweft-pmpi.so with the same algorithms written by hand and with those of the MPI.

    /usr/bin/python3 bench/pmpi/collectives_by_hand.py [--weft build/release/bin/weft] [--mpi openmpi] [--ranks 2,4,8]
        [--most 16777216]

The script builds collectives_by_hand.cpp with mpicxx.MPI in a temporary folder, makes a plan of each algorithm and
runs it. It prints microseconds per call and ratios. --ranks 1 compares sums of doubles with MPI_Reduce_local. With more
ranks than cores, the times include those of the scheduler. docs/explanation/performance.md reports the results.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The program's algorithm: weft's collective and algorithm.
CASES = {"recursive-doubling": ("allreduce", "recursive-doubling"), "ring": ("allreduce", "ring"),
         "allgather-ring": ("allgather", "ring")}
KERNELS = [ROOT / "src/pmpi/mpi" / name for name in ("kernels.cpp", "mpi_table.cpp", "types.cpp")]


def checked(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def launch(mpi, ranks, variables, command):
    if mpi == "openmpi":
        named = [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
        return ["mpirun.openmpi", "--oversubscribe", "-n", str(ranks), *named, *command]
    named = [word for name, value in variables.items() for word in ("-genv", name, value)]
    return ["mpiexec.mpich", "-n", str(ranks), *named, *command]


def run(arguments, folder, ranks):
    program = folder / "by_hand"
    checked([f"mpicxx.{arguments.mpi}", "-std=c++20", "-O3", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX",
             *(f"-I{ROOT}/{folder}" for folder in ("tests", "src", "include")),
             str(HERE / "collectives_by_hand.cpp"), *(str(path) for path in KERNELS), "-o", str(program), "-ldl"])
    library = checked([arguments.weft, "where", "pmpi", "--mpi", arguments.mpi]).strip()
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_mpi_yield_when_idle": "1" if ranks > len(os.sched_getaffinity(0)) else "0"}
    if ranks == 1:
        for line in checked(launch(arguments.mpi, 1, {}, [str(program), "sum"]), env=environment).splitlines():
            case, of, size, weft, own, _ = line.split(",")
            print(f"{case:20} {of:>2} {size:>9} {float(weft) * 1e6:10.3f} {'':10} {float(own) * 1e6:10.3f}   "
                  f"{'':5}   {float(weft) / float(own):5.3f}")
        return
    for name, (collective, algorithm) in CASES.items():
        if arguments.algorithm not in ("all", name):
            continue
        plan = folder / f"{name}.plan"
        checked([arguments.weft, "plan", "-t", f"complete:{ranks}", "--collectives", collective, "-a", algorithm,
                 "--alpha", "1us", "--allow-different-bits", "-o", str(plan)])
        answer = checked(launch(arguments.mpi, ranks, {"WEFT_PLAN": str(plan), "LD_PRELOAD": library},
                                [str(program), name, str(arguments.most)]), env=environment)
        for line in answer.splitlines():
            case, of, size, weft, hand, own = line.split(",")
            if case == "dispatch":
                print(f"{case:20} {of:>2} {'':>9} {float(weft) * 1e9:10.1f} ns")
                continue
            times = [float(time) * 1e6 for time in (weft, hand, own)]
            print(f"{case:20} {of:>2} {size:>9} {times[0]:10.2f} {times[1]:10.2f} {times[2]:10.2f}   "
                  f"{times[0] / times[1]:5.3f}   {times[0] / times[2]:5.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weft", default=str(ROOT / "build/release/bin/weft"))
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--ranks", default="2,4,8")
    parser.add_argument("--algorithm", default="all", choices=["all", *CASES])
    parser.add_argument("--most", type=int, default=16 << 20, help="bytes")
    arguments = parser.parse_args()
    print(f"{'algorithm':20} {'n':>2} {'bytes':>9} {'weft, us':>10} {'hand, us':>10} {'own, us':>10}   "
          f"weft/hand weft/own")
    with tempfile.TemporaryDirectory() as folder:
        for ranks in arguments.ranks.split(","):
            run(arguments, Path(folder), int(ranks))


if __name__ == "__main__":
    main()
