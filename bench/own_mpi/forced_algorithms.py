#!/usr/bin/python3
"""Measures the forced algorithms of this machine's MPIs, and predicts half of the points by a profile fitted to the rest.

    sudo /usr/bin/python3 bench/own_mpi/forced_algorithms.py measure -o points [--where testbed|loopback|memory] [--ranks 4]
    /usr/bin/python3 bench/own_mpi/forced_algorithms.py predict points/*.csv

`measure` writes a table collective,algorithm,ranks,size,time for each MPI. On the testbed (docs/how-to/use-the-testbed.md)
each rank is a host of one switch and links have --rate, so the network decides. On the loopback, ranks use TCP over the
device lo of this machine, and in memory they use shared memory. Each time is the minimum over calls after a barrier,
because other programs use the cores. Messages that take less than 16 ms at --rate pass the token bucket of the testbed at
once, so the default there has tiny sizes for the start-ups, and large ones.
`predict` fits a profile to every other size of each algorithm (weft calibrate --hold-out 2) and prints the errors of the rest.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BENCH = ROOT / "build/release/bin"
# Collective and algorithm of weft, and each MPI's own name of the algorithm.
OPEN_MPI = {("allreduce", "recursive-doubling"): 3, ("allreduce", "ring"): 4, ("allreduce", "rabenseifner-nearest"): 6,
            ("allgather", "bruck"): 2, ("allgather", "recursive-doubling"): 3, ("allgather", "ring"): 4,
            ("allgather", "neighbor"): 5, ("alltoall", "shift"): 2, ("broadcast", "binomial-nearest"): 6,
            ("reduce-scatter", "recursive-halving"): 3}
OPTIONS = {"binomial-nearest": "children=together"}
MPICH = {("allreduce", "recursive-doubling"): "recursive_doubling",
         ("allreduce", "rabenseifner-nearest"): "reduce_scatter_allgather",
         ("allgather", "bruck"): "brucks", ("allgather", "recursive-doubling"): "recursive_doubling",
         ("allgather", "ring"): "ring", ("alltoall", "pairwise"): "pairwise", ("broadcast", "binomial"): "binomial",
         ("reduce-scatter", "recursive-halving"): "recursive_halving", ("reduce-scatter", "lin"): "pairwise"}
SIZES = {"testbed": "16B,32B,64B,128B,192KiB,256KiB,512KiB,1MiB",
         "loopback": "16B,64B,256B,1KiB,4KiB,16KiB,64KiB,256KiB,1MiB,4MiB",
         "memory": "8B,64B,512B,4KiB,16KiB,64KiB,256KiB,1MiB,4MiB"}
NATIVE = {"allreduce": "allreduce", "allgather": "allgather", "alltoall": "alltoall", "broadcast": "bcast",
          "reduce-scatter": "reduce_scatter_block"}


def forced(mpi, collective, name):
    if mpi == "mpich":
        return {f"MPIR_CVAR_{NATIVE[collective].upper()}_INTRA_ALGORITHM": name}
    return {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", f"OMPI_MCA_coll_tuned_{NATIVE[collective]}_algorithm": str(name)}


def yielding(folder):
    library = folder / "yield_when_idle.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", str(HERE / "yield_when_idle.c"), "-o", str(library), "-ldl"], check=True)
    return library


def command(arguments, mpi, library, bench):
    preload = ["--preload", str(library)] if mpi == "mpich" else []
    if arguments.where == "testbed":
        return [*arguments.weft.split(), "testbed", "run", "-t", f"xgft:1;{arguments.ranks};1", "--rate", arguments.rate,
                "--mpi", mpi, *preload, "--", *bench]
    program = [str(BENCH / f"weft-bench.{mpi}"), *bench[1:]]
    by_tcp = arguments.where == "loopback"
    if mpi == "openmpi":
        tcp = [word for name, value in (("pml", "ob1"), ("btl", "tcp,self"), ("btl_tcp_if_include", "lo"), ("btl_tcp_flags", "1"))
               for word in ("--mca", name, value)] if by_tcp else []
        return ["mpirun.openmpi", "--oversubscribe", "-n", str(arguments.ranks), "--mca", "mpi_yield_when_idle", "1", *tcp, *program]
    tcp = ["-genv", "UCX_TLS", "tcp,self", "-genv", "UCX_NET_DEVICES", "lo", "-genv", "UCX_RNDV_THRESH", "inf"] if by_tcp else []
    return ["mpiexec.mpich", "-genv", "LD_PRELOAD", str(library), *tcp, "-n", str(arguments.ranks), *program]


def rows_of(arguments, mpi, library, collective, name):
    """Returns (size, minimum time, calls) of one forced algorithm."""
    sizes = arguments.sizes or SIZES[arguments.where]
    bench = ["weft-bench", collective, "--sizes", sizes, "--seconds", str(arguments.seconds)]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   **forced(mpi, collective, name)}
    answer = subprocess.run(["nice", "-n", str(arguments.nice), "timeout", str(arguments.time_limit), *command(arguments, mpi, library, bench)],
                            capture_output=True, text=True, env=environment)
    lines = [line for line in answer.stdout.splitlines() if line.startswith(collective + ",")]
    if len(lines) < len(sizes.split(",")):
        print(f"{mpi} {collective} {name}: ended with {answer.returncode} after {len(lines)} sizes", file=sys.stderr)
    for line in lines:
        fields = line.split(",")
        yield int(fields[4]), float(fields[6]), int(fields[5])


def measure(arguments):
    output = Path(arguments.output)
    output.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        library = yielding(Path(folder))
        for mpi in arguments.mpi.split(","):
            path = output / f"{mpi}-{arguments.where}-{arguments.ranks}.csv"
            with open(path, "w", newline="") as file:
                file.write(f"# {mpi}, {arguments.where}{', ' + arguments.rate if arguments.where == 'testbed' else ''}\n")
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(["collective", "algorithm", "ranks", "per_host", "size", "time", "sample", "options"])
                loads = []
                for (collective, algorithm), name in (OPEN_MPI if mpi == "openmpi" else MPICH).items():
                    for size, time, calls in rows_of(arguments, mpi, library, collective, name):
                        writer.writerow([collective, algorithm, arguments.ranks,
                                         arguments.ranks if arguments.where == "memory" else 1, size, f"{time:.9g}", "barrier",
                                         OPTIONS.get(algorithm, "")])
                    file.flush()
                    loads.append(os.getloadavg()[0])
                file.write(f"# load {min(loads):.1f} to {max(loads):.1f} on {os.cpu_count()} cores\n")
            print(path)


def link_of(table):
    """Returns the line rate of a link and its payload. The testbed's rate is in the first line; its token bucket lets the first
    bytes of a call pass faster, so twice the rate is the limit. Otherwise the line is faster than this machine's memory."""
    words = Path(table).read_text().splitlines()[0].split(", ")
    return (f"{2 * int(words[2].removesuffix('Mbit'))}Mbps", 0.478) if len(words) > 2 else ("80Gbps", 0.956)


def base_profile(folder, rate, payload):
    """Writes the first profile: the line rate and the share that TCP carries are known, and all other values are guesses."""
    path = folder / "base.toml"
    path.write_text("[host]\nstartup = \"20us\"\nreduce_bandwidth = \"5GBps\"\nloopback = \"5GBps,300ns\"\nrelease = \"injected\"\n"
                    f"[links.all]\nline_rate = \"{rate}\"\npayload = {payload}\nlatency = \"1us\"\nswitch_latency = \"1us\"\n")
    return path


def text_of(errors):
    return (f"{len(errors)} points held out, median error {100 * statistics.median(errors):.1f} %, "
            f"{sum(error <= 0.2 for error in errors)} within 20 %") if errors else "no points"


def predict(arguments):
    errors = []
    for table in arguments.tables:
        with tempfile.TemporaryDirectory() as folder:
            base = base_profile(Path(folder), *link_of(table))
            answer = subprocess.run([*arguments.weft.split(), "calibrate", table, "--machine", str(base), "--hold-out", "2",
                                     "--json"], check=True, capture_output=True, text=True)
        points = [point for point in json.loads(answer.stdout)["points"] if point["held_out"]]
        own = [abs(point["predicted_time"] / point["measured_time"] - 1) for point in points]
        errors += own
        print(f"{table}: {text_of(own)}")
        for name, has in (("up to 4 KiB", lambda size: size <= 4096), ("larger", lambda size: size > 4096)):
            part = [error for error, point in zip(own, points) if has(point["size"])]
            print(f"  {name}: {text_of(part)}")
    print(f"all: {text_of(errors)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["measure", "predict"])
    parser.add_argument("tables", nargs="*")
    parser.add_argument("-o", "--output", default="own-mpi-points")
    parser.add_argument("--where", choices=["testbed", "loopback", "memory"], default="testbed")
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--rate", default="50Mbit")
    parser.add_argument("--sizes", help="[by --where]")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--time-limit", type=int, default=60, help="of an algorithm, seconds")
    parser.add_argument("--nice", type=int, default=0, help="priority of the ranks: -15 lets them pass other programs")
    parser.add_argument("--weft", default=str(BENCH / "weft"))
    arguments = parser.parse_args()
    measure(arguments) if arguments.what == "measure" else predict(arguments)


if __name__ == "__main__":
    main()
