#!/usr/bin/env python3
"""Every schedule that the algorithms make for 2 to 17 ranks, executed under libweft-pmpi.so at small, middle and large
sizes, against results that are known beforehand.

Usage: algorithms_test.py openmpi|mpich. A sample of the plans that write_plans makes; with WEFT_PMPI_ALGORITHMS=all the
whole, which takes minutes, or with WEFT_PMPI_ALGORITHMS=8,17 those of so many ranks.
"""

import json
import os
import subprocess
import unittest

from jobs import MPI, PROGRAMS, WEFT, JobTest, run

WRITE_PLANS = os.environ["WEFT_WRITE_PLANS"]
ASKED = os.environ.get("WEFT_PMPI_ALGORITHMS", "")
# Of so many ranks the first, the second, ... plan: other schedules for each.
SAMPLE = {"openmpi": {2: 0, 3: 1, 5: 2, 6: 4, 9: 1}, "mpich": {2: 0, 3: 0, 4: 1, 6: 2}}


class AlgorithmsTest(JobTest):
    schedules = calls = 0

    def plans(self, ranks):
        written = subprocess.run([WRITE_PLANS, str(ranks), str(self.folder)], check=True, capture_output=True, text=True)
        return [line.split()[0] for line in written.stdout.splitlines()]

    def executes(self, ranks, plan):
        """What the plan says, at both ends of each of its ranges."""
        shown = subprocess.run([WEFT, "plan", "show", plan, "--json"], check=True, capture_output=True, text=True)
        shown = json.loads(shown.stdout)
        ranges = shown["ranges"]
        lines = self.folder / "ranges"
        lines.write_text("".join(f"{r['collective']} {r['root'] or 0} {r['from']} {r['to']}\n" for r in ranges))
        calls = sum(2 if r["to"] > r["from"] else 1 for r in ranges)
        done = run(ranks, [str(PROGRAMS / "algorithms"), str(lines)], WEFT_PLAN=plan, WEFT_STATS="1")
        self.assertTrue(done.returncode == 0 and f"{calls} calls on {ranks} ranks, 0 wrong" in done.stdout,
                        done.stdout[:3000])
        ran = {line.rsplit(" bytes  ", 1)[1] for line in done.stdout.splitlines() if " bytes  " in line}
        for schedule in shown["schedules"]:
            self.assertIn(schedule["algorithm"], ran, schedule["collective"])
        AlgorithmsTest.schedules += len(shown["schedules"])
        AlgorithmsTest.calls += calls

    def test_execute_what_algorithms_make(self):
        if ASKED:
            chosen = range(2, 18) if ASKED == "all" else [int(ranks) for ranks in ASKED.split(",")]
            which = {ranks: self.plans(ranks) for ranks in chosen}
        else:
            which = {ranks: self.plans(ranks)[k:k + 1] for ranks, k in SAMPLE[MPI].items()}
        for ranks, plans in which.items():
            self.assertTrue(plans)
            for plan in plans:
                with self.subTest(ranks=ranks, plan=os.path.basename(plan)):
                    self.executes(ranks, plan)
        print(f"{self.schedules} schedules executed by {self.calls} calls of each rank")


if __name__ == "__main__":
    unittest.main()
