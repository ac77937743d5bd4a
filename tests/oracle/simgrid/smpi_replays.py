"""Replays in SMPI of the traces and on the platform that weft writes."""

import os
import re
import subprocess
import unittest

PROGRAM = os.environ["WEFT_PROGRAM"]
REPLAY = "/usr/lib/x86_64-linux-gnu/simgrid/smpireplaymain"


class ReplayCase(unittest.TestCase):
    """A test sets `folder`, where weft runs and writes traces, platform.xml and its list of hosts."""

    def weft(self, *words):
        run = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def replayed(self, ranks, settings):
        """Seconds, in whole microseconds."""
        command = ["smpirun", "-quiet", "-replay", "traces", "-np", str(ranks), "-platform",
                   "platform.xml", "-hostfile", "platform.xml.hosts",
                   *[f"--cfg={setting}" for setting in settings], REPLAY]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return float(re.search(r"Simulation time (\S+)", run.stdout + run.stderr).group(1))
