"""Runs tools/check_calls.py on small trees with calls that throw, and with the same words in harmless places."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "check_calls.py"


sys.path.insert(0, str(TOOL.parent))
import check_calls  # noqa: E402


def run(code, name="src/weft/base/b.cpp"):
    """Runs the tool on a tree of this one file; returns (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.parent.mkdir(parents=True)
        path.write_text(code)
        faults = check_calls.check_calls(Path(folder))
        return 1 if faults else 0, "\n".join(faults)


class CheckCalls(unittest.TestCase):
    def test_the_tree_is_sound(self):
        done = subprocess.run([sys.executable, TOOL, ROOT], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_finds_readers_of_numbers(self):
        for call in ("std::stoi(text)", "std::stod (text)", "atoi(word)", "std::strtol(a, &end, 10)", "stoull(a)",
                     'std::sscanf(word, "%d", &n)', "strtod(a, nullptr)", "std::stold(f(a, b))"):
            code, output = run("// one\nint n = " + call + ";\n")
            self.assertEqual(code, 1, call)
            self.assertIn("src/weft/base/b.cpp:2: calls ", output)

    def test_finds_calls_of_filesystem_that_throw(self):
        for call in ("std::filesystem::exists(path)", "fs::is_directory(fs::path(a) / f(b, c))",
                     "std::filesystem::rename(a, b)", "fs::permissions(a, b)", "fs::temp_directory_path()",
                     "filesystem::absolute(*found)", "fs::directory_iterator entry(folder)"):
            code, output = run("void f() {\n  " + call + ";\n}\n", "include/weft/base/b.hpp")
            self.assertEqual(code, 1, call)
            self.assertIn("include/weft/base/b.hpp:2: calls std::filesystem's ", output)

    def test_finds_walks_that_throw_as_they_go_on(self):
        code, output = run("for (const auto& entry : fs::directory_iterator(folder, error)) use(entry);\n")
        self.assertEqual(code, 1)
        self.assertIn("range-for", output)

    def test_accepts_calls_that_report(self):
        for call in ("std::filesystem::exists(path, error)", "fs::rename(a, b, error)", "fs::path(a).extension()",
                     "std::filesystem::temp_directory_path(error)", "names.exists(path)", "is_directory(path)",
                     "for (std::filesystem::directory_iterator at(f, error), end; at != end;)", "number_in<int>(text)",
                     '"std::stoi(text)"', "// atoi(text)", "/* fs::exists(a) */", "history(a)", "x.stoi(a)"):
            code, output = run(call + ";\n")
            self.assertEqual(code, 0, call + ": " + output)


if __name__ == "__main__":
    unittest.main()
