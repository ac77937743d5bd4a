#!/usr/bin/env python3
"""Tests that the job array of docs/how-to/sweep-on-a-cluster.md, task by task, makes the store of a single sweep."""

import os
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["WEFT_SOURCE_DIR"])
TASKS = 3
STUDY = """[experiment]
title = "A study"
kind = "simulate"
[grid]
topology = "2dfc:3x3"
collective = "allgather"
algorithm = ["ring", "bruck"]
size = ["1KiB", "1MiB", "4KiB", "64KiB"]
"""


def blocks(document):
    """Returns the shell scripts of the page, in order."""
    return [part.split("```")[0] for part in document.split("```sh\n")[1:]]


def main():
    array, merge, mpi = blocks((SOURCE / "docs/how-to/sweep-on-a-cluster.md").read_text())
    with tempfile.TemporaryDirectory() as folder:
        box = Path(folder)
        (box / "STUDY.toml").write_text(STUDY)
        (box / "weft").symlink_to(os.environ["WEFT_PROGRAM"])
        # Open MPI keeps memory to the end.
        environment = {**os.environ, "PATH": f"{box}:{os.environ['PATH']}", "ASAN_OPTIONS": "detect_leaks=0"}

        def run(script, **variables):
            subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=box, check=True,
                           stdout=subprocess.DEVNULL, env={**environment, **variables})

        for task in range(TASKS):
            run(array, SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT=str(TASKS))
            assert (box / f"part{task}.sqlite").exists(), f"task {task} made no store"
        run(merge)
        run("weft sweep STUDY.toml --store whole.sqlite --quiet; "
            "weft results diff STUDY.sqlite whole.sqlite")
        run("test $(weft results STUDY.toml --json | grep -c '\"algorithm\"') -ge 8")
        if subprocess.run(["bash", "-c", "command -v mpirun"], stdout=subprocess.DEVNULL).returncode == 0:
            # mpirun in the place of Slurm's own starter.
            run("rm STUDY.sqlite; srun() { mpirun --oversubscribe --allow-run-as-root -n 2 \"$@\"; }\n" + mpi +
                "weft results diff STUDY.sqlite whole.sqlite")
    print("an array, merged, and one sweep give the same rows")


main()
