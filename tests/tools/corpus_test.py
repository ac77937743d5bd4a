"""Tests that tools/corpus.py reports the right verdict for each file of a folder."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("WEFT_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
PROGRAM = os.environ.get("WEFT_PROGRAM", str(SOURCE / "build/release/bin/weft"))
CASES = SOURCE / "tests/data/cases"


class Corpus(unittest.TestCase):
    def run_on(self, facts):
        with tempfile.TemporaryDirectory() as folder:
            files = pathlib.Path(folder) / "files"
            files.mkdir()
            for name in ("graphml-self-loop.graphml", "lonely.ibnet", "osu-log-line-with-digit.txt"):
                shutil.copy(CASES / name, files)
            table = pathlib.Path(folder) / "facts.csv"
            table.write_text("file,hosts,switches,cables,refused,source\n" + facts)
            return subprocess.run(
                [sys.executable, SOURCE / "tools/corpus.py", files, "--weft", PROGRAM, "--facts", table,
                 "--list"], capture_output=True, text=True)

    def test_files_are_read_or_refused_and_held_against_facts(self):
        done = self.run_on("graphml-self-loop.graphml,3,0,2,,by hand\n"
                           "lonely.ibnet,,,,but no cable,by hand\n")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        verdicts = {line.split("\t")[1].rsplit("/", 1)[-1]: line.split("\t")[0]
                    for line in done.stdout.splitlines() if "\t" in line}
        self.assertEqual(verdicts, {"graphml-self-loop.graphml": "right", "lonely.ibnet": "right",
                                    "osu-log-line-with-digit.txt": "read"})

    def test_a_wrong_answer_is_told(self):
        done = self.run_on("graphml-self-loop.graphml,3,0,4,,by hand\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cables 2, not 4", done.stdout)


if __name__ == "__main__":
    unittest.main()
