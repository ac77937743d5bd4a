"""Runs tools/check_rooms.py on small trees, correct ones and ones with a violation."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_rooms.py"
CMAKE = """# weft_room(ghost ROOMS middle)
weft_room(base EXTERNAL fmt::fmt)
weft_room(middle ROOMS base EXTERNAL_PRIVATE thing)
weft_room(side ROOMS base)
weft_room(top
          ROOMS middle)
"""


def run(files, cmake=CMAKE):
    """Runs the tool on a tree of these files; returns (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {"CMakeLists.txt": cmake, "src/.keep": "", "include/.keep": "",
                           **files}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout + done.stderr


class CheckRooms(unittest.TestCase):
    def accepts(self, files):
        code, output = run(files)
        self.assertEqual(code, 0, output)

    def rejects(self, files, *words, **options):
        code, output = run(files, **options)
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)

    def test_accepts_the_arrows_and_what_they_reach(self):
        self.accepts({"include/weft/top/t.hpp": '#include "weft/middle/m.hpp"\n'
                                                '#include "weft/base/b.hpp"\n#include <vector>\n',
                      "src/weft/top/t.cpp": '#include "weft/top/t.hpp"\n',
                      "src/cli/main.cpp": '#include "weft/side/s.hpp"\n#include "weft/top/t.hpp"\n',
                      "src/sweep_mpi/link.cpp": '#include <mpi.h>\n'})

    def test_rejects_an_upward_include(self):
        self.rejects({"src/weft/base/b.cpp": '// one\n#include "weft/middle/m.hpp"\n'},
                     "src/weft/base/b.cpp:2", "weft/middle/m.hpp")

    def test_rejects_an_include_between_rooms_without_an_arrow(self):
        self.rejects({"include/weft/top/t.hpp": "#  include <weft/side/s.hpp>\n"},
                     "include/weft/top/t.hpp:1", "base, middle")

    def test_lets_the_umbrella_include_any_room_and_nobody_include_it(self):
        self.accepts({"include/weft/weft.hpp": '#include "weft/side/s.hpp"\n#include "weft/top/t.hpp"\n'})
        self.rejects({"src/weft/top/t.cpp": '#include "weft/weft.hpp"\n'}, "which is in no room")

    def test_rejects_an_unknown_room(self):
        self.rejects({"src/weft/ghost/g.cpp": ""}, "src/weft/ghost/g.cpp", "in no room")
        self.rejects({"src/weft/top/t.cpp": '#include "weft/ghost/g.hpp"\n'}, "weft/ghost/g.hpp")

    def test_rejects_a_private_header_of_another_room(self):
        self.rejects({"src/weft/middle/inner.hpp": "",
                      "src/weft/top/t.cpp": '#include "weft/middle/inner.hpp"\n'}, "private header")

    def test_rejects_a_private_header_in_a_public_one(self):
        self.rejects({"src/weft/middle/inner.hpp": "",
                      "include/weft/middle/m.hpp": '#include "weft/middle/inner.hpp"\n'}, "private header")

    def test_rejects_a_relative_include_that_leaves_the_room(self):
        self.rejects({"src/weft/base/b.hpp": "",
                      "src/weft/middle/m.cpp": '#include "../base/b.hpp"\n'}, "leaves the room")

    def test_accepts_a_relative_include_inside_the_room(self):
        self.accepts({"src/weft/middle/deep/inner.hpp": "",
                      "src/weft/middle/m.cpp": '#include "deep/inner.hpp"\n'})

    def test_rejects_a_source_at_another_path_than_its_header(self):
        self.rejects({"include/weft/top/t.hpp": "", "src/weft/top/deep/t.cpp": ""},
                     "include/weft/top/t.hpp: its source is src/weft/top/deep/t.cpp")
        self.rejects({"include/weft/top/deep/t.hpp": "", "src/weft/top/t.cpp": ""},
                     "include/weft/top/deep/t.hpp: its source is src/weft/top/t.cpp")
        self.rejects({"include/weft/top/t.hpp": "", "src/weft/top/one/t.cpp": "", "src/weft/top/two/t.cpp": ""},
                     "src/weft/top/one/t.cpp", "src/weft/top/two/t.cpp")

    def test_accepts_sources_that_are_not_those_of_the_header(self):
        header = {"include/weft/top/t.hpp": ""}
        self.accepts({**header, "src/weft/top/t.cpp": "", "src/weft/top/deep/t.cpp": ""})
        self.accepts({**header, "src/weft/top/other.cpp": "", "src/weft/middle/deep/t.cpp": ""})
        # A source belongs to the private header, or another public one, that has its path.
        self.accepts({**header, "src/weft/top/deep/t.hpp": "", "src/weft/top/deep/t.cpp": ""})
        self.accepts({**header, "include/weft/top/deep/t.hpp": "", "src/weft/top/deep/t.cpp": ""})

    def test_names_only_headers_that_exist_as_excuses(self):
        sys.path.insert(0, str(TOOL.parent))
        import check_rooms  # noqa: PLC0415
        for header, reason in check_rooms.OTHER_SOURCES.items():
            self.assertTrue((TOOL.parents[1] / "include" / "weft" / header).is_file(), header)
            self.assertTrue(reason)

    def test_rejects_mpi_outside_its_folder(self):
        self.rejects({"src/weft/base/b.cpp": "#include <mpi.h>\n"}, "mpi.h")
        self.rejects({"src/cli/run.cpp": '#include "mpi.h"\n'}, "mpi.h")

    def test_rejects_machine_paths_in_any_file(self):
        folder = "/" + "home/somebody"
        self.rejects({"docs/guide.md": f"see {folder}/weft\n"}, "docs/guide.md:1")

    def test_accepts_relative_paths_with_the_same_words(self):
        self.accepts({"docs/guide.md": "the `work/` folder, ../work/x, https://a.example/home/x\n"})

    def test_rejects_a_type_of_two_files_in_one_namespace(self):
        for one, other in (("struct Way {};", "class Way final : public Base<1> { int length; };"),
                           ("enum class Way : std::uint8_t { a };", "struct [[nodiscard]] Way {};")):
            self.rejects({"src/weft/middle/one.cpp": "namespace weft::middle { " + one + " }\n",
                          "tests/middle/two_test.cpp": "namespace weft {\nnamespace middle {\n" + other + "\n}\n}\n"},
                         "tests/middle/two_test.cpp: defines weft::middle::Way, as does src/weft/middle/one.cpp",
                         "unnamed namespace")

    def test_finds_types_behind_what_is_no_code(self):
        self.rejects({"src/weft/middle/one.cpp": 'namespace weft { const char* a = "}"; char b = \'{\';\n'
                                                 'auto c = R"x(} " )x"; int d = 1\'000\'000; // }\n'
                                                 "/* } */ struct Way {}; }\n",
                      "src/weft/top/two.cpp": "namespace weft { struct Way {}; }\n"}, "weft::Way")

    def test_accepts_types_of_one_name_that_are_not_the_same(self):
        self.accepts({"src/weft/middle/one.cpp": "namespace weft::middle { struct Way {}; }\n",
                      "src/weft/top/other.cpp": "namespace weft::top { struct Way {}; }\n",
                      "src/weft/top/unnamed.cpp": "namespace weft::top { namespace { struct Way {}; } }\n",
                      "src/weft/top/inside.cpp": "namespace weft::top { struct Outer { struct Way {}; };\n"
                                                 "void run() { struct Way {}; } }\n",
                      "src/weft/top/declared.cpp": "namespace weft::top { struct Way; // struct Way {\n"
                                                   "struct Way::Part { int a; };\n"
                                                   "void take(struct Way* way) { (void)way; } }\n",
                      "src/weft/top/special.cpp": "template <> struct std::hash<Way> {};\n",
                      "src/weft/middle/special.cpp": "template <> struct std::hash<Way> {};\n"})

    def test_rejects_a_file_of_more_than_400_lines(self):
        for name in ("src/weft/top/t.cpp", "include/weft/top/t.hpp", "tests/top/t_test.cpp", "bench/t.cpp", "tools/t.py"):
            self.accepts({name: "\n" * 400})
            self.rejects({name: "\n" * 401}, f"{name}: has 401 lines")
            self.rejects({name: "\n" * 400 + "// no end of line"}, f"{name}: has 401 lines")
        self.accepts({"docs/long.md": "\n" * 401})

    def test_rejects_a_folder_of_more_than_25_files(self):
        def files(folder, count):
            return {f"{folder}/{number}.cpp": "" for number in range(count)}
        self.accepts(files("src/weft/top", 25))
        self.rejects(files("src/weft/top", 26), "src/weft/top: has 26 files side by side")
        self.accepts({**files("src/weft/top", 25), **files("src/weft/top/part", 25)})
        self.rejects(files("tests/top", 26), "tests/top: has 26 files")

    def test_accepts_any_number_of_entries_in_a_registry(self):
        for registry in ("src/weft/rows/kinds", "src/cli/commands", "reproduction/experiments"):
            room = "weft_room(rows)\n"
            code, output = run({f"{registry}/{number}.cpp": "" for number in range(60)}, cmake=CMAKE + room)
            self.assertEqual(code, 0, output)

    def test_rejects_a_loop_of_rooms(self):
        self.rejects({}, "loop", cmake="weft_room(a ROOMS b)\nweft_room(b ROOMS a)\n")

    def test_rejects_an_arrow_to_a_room_that_does_not_exist(self):
        self.rejects({}, "does not define", cmake="weft_room(a ROOMS b)\n")


if __name__ == "__main__":
    unittest.main()
