#!/usr/bin/env python3
"""Tests that sources mean the same in one compiler run of tools/together.py as alone."""
import importlib.util
import os
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("together", ROOT / "tools/together.py")
together = importlib.util.module_from_spec(spec)
spec.loader.exec_module(together)


def keeps(text):
    return f"namespace weft {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n}}  // namespace weft\n"


class Together(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def numbers_of(self, *texts, most=1000):
        paths = [self.folder / f"{i}.cpp" for i in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text)
        return together.numbers_of(paths, most)

    def test_sources_without_names_of_their_own_go_together(self):
        self.assertEqual(self.numbers_of("int a();", "int b();", "int c();"), [0, 0, 0])

    def test_as_many_go_together_as_are_allowed(self):
        self.assertEqual(self.numbers_of(*["int a();"] * 5, most=2), [0, 0, 1, 1, 2])

    def test_a_function_of_the_same_name_parts_them(self):
        one = keeps("int length(int x) {\n  return x;\n}\n\nint twice(int x) {\n  return 2 * x;\n}")
        self.assertEqual(self.numbers_of(one, keeps("int twice(double x) { return 1; }")), [0, 1])
        self.assertEqual(self.numbers_of(one, "int f() { return twice(1); }"), [0, 1])
        self.assertEqual(self.numbers_of("int f() { return twice<int>(1); }", one), [0, 1])

    def test_members_and_what_a_namespace_names_do_not(self):
        one = keeps("int twice(int x) { return 2 * x; }")
        self.assertEqual(self.numbers_of(one, "int f(N n) { return n.twice(1) + other::twice(2); }"), [0, 0])
        self.assertEqual(self.numbers_of(one, '// twice()\nconst char* s = "twice()";'), [0, 0])

    def test_a_type_or_constant_that_another_uses_parts_them(self):
        for kept in ("struct Kind {", "class Kind {", "enum class Kind {", "using Kind = int;",
                     "constexpr int Kind = 1;", "constexpr int Kind[] = {1};", "constexpr Factor Kind;"):
            self.assertEqual(self.numbers_of(keeps(kept), "void f(Kind kind);"), [0, 1], kept)

    def test_a_type_that_a_header_of_another_uses_parts_them(self):
        (self.folder / "kind.hpp").write_text("enum class Kind { a };\n")
        (self.folder / "user.hpp").write_text('#include "kind.hpp"\n')
        self.assertEqual(self.numbers_of(keeps("struct Kind {};"), '#include "user.hpp"\n'), [0, 1])

    def test_enumerators_as_free_names_stay_alone(self):
        self.assertEqual(self.numbers_of("using enum Kind;\n", "int a();", "int b();"), [0, 1, 1])

    def test_a_group_has_at_most_the_lines_that_are_allowed(self):
        paths = [self.folder / f"{i}.cpp" for i in range(3)]
        for path in paths:
            path.write_text("int a();\n" * 10)
        self.assertEqual(together.numbers_of(paths, most_lines=20), [0, 0, 1])

    def test_group_files_name_no_folder_of_the_clone(self):
        sources = [ROOT / "src/weft/base/units.cpp", ROOT / "src/weft/base/error.cpp"]
        file, other = together.write_groups(self.folder / "groups", sources, 3000)
        self.assertEqual(file, other)
        self.assertEqual(file.read_text(), '#include "weft/base/units.cpp"\n#include "weft/base/error.cpp"\n')

    def test_a_group_file_that_is_up_to_date_keeps_its_time(self):
        sources = [ROOT / "src/weft/base/units.cpp", ROOT / "src/weft/base/error.cpp"]
        file, _ = together.write_groups(self.folder, sources, 3000)
        os.utime(file, (1, 1))
        together.write_groups(self.folder, sources, 3000)
        self.assertEqual(file.stat().st_mtime, 1)
        together.write_groups(self.folder, sources[::-1], 3000)
        self.assertNotEqual(file.stat().st_mtime, 1)

    def test_a_source_without_a_group_compiles_alone(self):
        self.assertEqual(together.write_groups(self.folder, [ROOT / "src/weft/base/units.cpp"], 3000), ["alone"])


if __name__ == "__main__":
    unittest.main()
