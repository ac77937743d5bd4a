"""The thesis's DO, MULTITREE and MD as programs under SMPI (bench/smpi) with free copies, against weft's model of SMPI.

The programs check the data that they receive. Their messages are those of weft's schedules, so that times are the
same to 1e-3, in which SMPI's answers on the way back and the rounding of shares lie."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["WEFT_SOURCE_DIR"], "bench/smpi"))
import run as programs  # noqa: E402

EXACT = ["network/TCP-gamma:1e20", "network/optim:Full", "surf/precision:1e-12", "smpi/wtime:0", *programs.FREE]
# Blocks whose messages lie on both sides of 64 KiB, and one that two paths do not share evenly.
CASES = [("alltoall", "do", (3, 3), 4096), ("alltoall", "do", (4, 4), 32768), ("alltoall", "do", (2, 3), 9000),
         ("alltoall", "multitree", (4, 4), 32768), ("alltoall", "md", (4, 4), 32768), ("alltoall", "md", (3, 3), 4096),
         ("allgather", "do", (4, 4), 100000), ("allgather", "md", (4, 4), 100000)]


class Programs(unittest.TestCase):
    def test_programs_take_the_time_of_the_model(self):
        with tempfile.TemporaryDirectory() as folder:
            bench = programs.Bench(os.environ["WEFT_PROGRAM"], folder)
            for collective, algorithm, extents, block in CASES:
                with self.subTest(collective=collective, algorithm=algorithm, extents=extents, block=block):
                    ours = bench.by_model(collective, algorithm, extents, block)
                    time = bench.run(collective, algorithm, extents, block, EXACT)[0]
                    self.assertAlmostEqual(time, ours, delta=1e-3 * ours)

    def test_copies_are_those_of_the_algorithms(self):
        """DO appends M2 M1 - M2 blocks in its first step and M2 M1 - M1 in its second (lines 3 to 6 and 13 to 16), and
        puts M1 in their place, the others being received there; MD appends as much, and places all N."""
        with tempfile.TemporaryDirectory() as folder:
            bench = programs.Bench(os.environ["WEFT_PROGRAM"], folder)
            rows, columns, block = 4, 4, 1000
            nodes = rows * columns
            appended = 2 * nodes - rows - columns
            for algorithm, placed in (("do", columns), ("md", nodes)):
                copied = bench.run("alltoall", algorithm, (rows, columns), block, EXACT)[1]
                self.assertEqual(copied, (appended + placed) * block, algorithm)


if __name__ == "__main__":
    unittest.main()
