#!/usr/bin/env python3
"""Tests that tools/check_includes.py finds a header or source that lacks an include."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_includes  # noqa: E402
import tidy  # noqa: E402

COMPLETE = "#pragma once\n#include <string>\ninline std::string text() { return {}; }\n"
LACKS_STRING = "#pragma once\ninline std::string text() { return {}; }\n"
DEFINED_TWICE = "#include <string>\ninline std::string text() { return {}; }\n"  # no #pragma once


class CheckIncludes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.options = ["-std=c++20", f"-I{self.folder}"]

    def message_of(self, name, text):
        (self.folder / name).write_text(text)
        path = f"include/{name}" if name.endswith(".hpp") else str(self.folder / name)
        return check_includes.compiler_message(path, self.options)

    def test_a_complete_header_is_fine(self):
        self.assertIsNone(self.message_of("complete.hpp", COMPLETE))

    def test_a_header_that_lacks_an_include_is_named(self):
        message = self.message_of("lacks.hpp", LACKS_STRING)
        self.assertIn("include/lacks.hpp does not compile by itself", message)
        self.assertIn("string", message)

    def test_a_header_that_cannot_be_included_twice_is_named(self):
        self.assertIn("redefinition", self.message_of("twice.hpp", DEFINED_TWICE))

    def test_a_source_that_lacks_an_include_is_named(self):
        self.assertIsNone(self.message_of("complete.cpp", COMPLETE.removeprefix("#pragma once\n")))
        self.assertIn("string", self.message_of("lacks.cpp", LACKS_STRING.removeprefix("#pragma once\n")))

    def test_the_parts_hold_every_file_once(self):
        files = [f"src/{number}.cpp" for number in range(30)]
        parts = [file for part in range(tidy.PARTS) for file in tidy.share_of(files, part)]
        self.assertEqual(sorted(parts), sorted(files))
        self.assertEqual(tidy.share_of(files, None), [])

    def test_precompiled_headers_do_not_count(self):
        self.assertEqual(tidy.without_precompiled_header(
            ["-O2", "-fpch-preprocess", "-Winvalid-pch", "-include", "cmake_pch.hxx", "-Wall"]), ["-O2", "-Wall"])


if __name__ == "__main__":
    unittest.main()
