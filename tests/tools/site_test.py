#!/usr/bin/env python3
"""Tests that tools/make_site.py reports broken links with file and line, converts pages for MkDocs and builds the site.

Slow tests build the site of the repository if the generator is installed.
"""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("WEFT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT / "tools"))
import make_site  # noqa: E402

MISSING = make_site.missing_generator()
SLOW = float(os.environ.get("WEFT_TEST_SAMPLES", "1")) == 1
SOUND = {"README.md": "# weft\n\nSee [docs](docs/README.md#first) and [a file](examples/a.sh).\n",
         "docs/README.md": "# Documentation\n\n## First\n\n- [B](how-to/b.md)\n- [A](how-to/a.md)\n",
         "docs/how-to/a.md": "# Do a\n\n![A picture](../images/a.svg) of [code](../../examples).\n",
         "docs/how-to/b.md": "# Do b\n\nA formula $x^2$:\n- one\n  - two\n\n```math\ny < 1\n```\n",
         "docs/images/a.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>', "examples/a.sh": "true\n"}


class Site(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.addCleanup(setattr, make_site, "ROOT", make_site.ROOT)
        make_site.ROOT = self.root
        self.write(SOUND)

    def write(self, files):
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def faults(self, files):
        self.write(files)
        return make_site.faults_of(make_site.all_pages())

    def test_accepts_a_sound_tree(self):
        self.assertEqual(self.faults({}), [])

    def test_reports_file_and_line(self):
        for text, fault in (("[x](no.md)", "no.md: there is no such file"),
                            ("![x](../images/no.svg)", "../images/no.svg: there is no such file"),
                            ('<img src="no.png" width="9">', "no.png: there is no such file"),
                            ("[x](../README.md#second)", "../README.md#second: README.md has no such heading"),
                            ("[x](#do-c)", "#do-c: a.md has no such heading")):
            self.assertEqual(self.faults({"docs/how-to/a.md": f"# Do a\n\nSome text\nand {text}.\n"}),
                             [f"docs/how-to/a.md:4: {fault}"])

    def test_takes_no_code_for_links(self):
        self.assertEqual(self.faults({"docs/how-to/a.md": "`[x](no.md)`\n\n```\n[y](no.md)\n```\n"}), [])

    def test_reports_pages_without_a_link_from_the_index(self):
        self.assertEqual(self.faults({"docs/how-to/c.md": "# Do c\n"}),
                         ["docs/how-to/c.md:1: docs/README.md has no link to this page"])

    def test_orders_pages_as_the_index_does(self):
        self.assertEqual(make_site.navigation(make_site.all_pages()),
                         [{"Home": [{"weft": "README.md"}, {"All pages": "docs/README.md"}]},
                          {"How-to": [{"Do b": "docs/how-to/b.md"}, {"Do a": "docs/how-to/a.md"}]}])

    def test_indents_nested_lists_by_four(self):
        for github, mkdocs in (("a:\n- b\n  c\n  - d\n    e\n- f\n", "a:\n\n- b\n    c\n    - d\n        e\n- f\n"),
                               ("1. a\n   - b\n\n   c\n2. d\n", "1. a\n    - b\n\n    c\n2. d\n"),
                               ("- a\n\n  ```sh\n  b\n    c\n  ```\n\nd\n", "- a\n\n    ```sh\n    b\n      c\n    ```\n\nd\n"),
                               ("```sh\n$ a\n1 for 2\n```\n", "```console\n$ a\n1 for 2\n```\n"),
                               ("```\n- a\n  - b\n```\n", "```\n- a\n  - b\n```\n"),
                               ("a\n| `b\\|c` |\n|---|\n", "a\n\n| `b|c` |\n|---|\n")):
            self.assertEqual(make_site.restructured(github), mkdocs)

    def test_takes_out_links_that_the_site_lacks(self):
        pages, files = make_site.all_pages(), set()
        text = make_site.with_links("docs/how-to/a.md", "[`x`](../../examples) [y](../../examples/a.sh) [z](..) `[u](../..)x`",
                                    pages, files)
        self.assertEqual(text.split(" `[u]")[0], "`x` [y](../../examples/a.sh) [z](../README.md)")
        self.assertEqual(files, {"examples/a.sh"})

    def test_finds_broken_links_of_a_built_site(self):
        self.write({"site/a.html": '<a id="x" href="b.html#y">', "site/b.html": '<a href="a.html#x"><img src="c.png">'})
        self.assertEqual(make_site.faults_of_site(self.root / "site"),
                         ["a.html: b.html#y: no such heading", "b.html: c.png: the site has no such file"])

    def run_tool(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            code = make_site.main(list(map(str, arguments)))
        return code, output.getvalue()

    def test_checks_without_a_generator(self):
        self.assertEqual(self.run_tool("--check"), (0, "site: 4 pages\n"))
        self.write({"docs/how-to/a.md": "[x](no.md)"})
        self.assertEqual(self.run_tool("--check"), (1, "docs/how-to/a.md:1: no.md: there is no such file\n"))

    def test_names_the_command_that_installs_the_generator(self):
        self.addCleanup(setattr, make_site, "missing_generator", make_site.missing_generator)
        make_site.missing_generator = lambda: "mkdocs is not installed"
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(make_site.main([]), 2)
        self.assertIn("run: tools/setup.sh site", errors.getvalue())

    @unittest.skipIf(MISSING, MISSING)
    @unittest.skipUnless(SLOW, "slow")
    def test_builds_a_site(self):
        self.assertEqual(self.run_tool(self.root / "site"), (0, f"site: 4 pages in {self.root / 'site'}\n"))
        page = (self.root / "site/docs/how-to/b.html").read_text()
        self.assertIn('class="arithmatex">\\(x^2\\)</span>', page)
        self.assertIn("y &lt; 1", page)
        self.assertEqual(page.count("<ul>\n<li>one<ul>\n<li>two</li>"), 1)
        self.assertTrue((self.root / "site/docs/images/a.svg").is_file())
        self.assertIn("Do b", (self.root / "site/search/search_index.json").read_text())

    @unittest.skipIf(MISSING, MISSING)
    @unittest.skipUnless(SLOW, "slow")
    def test_builds_the_site_of_the_repository(self):
        make_site.ROOT = ROOT.resolve()
        code, output = self.run_tool(self.root / "site")
        self.assertEqual(code, 0, output)
        for path in (self.root / "site").rglob("*.html"):
            self.assertNotRegex(path.read_text(), r'(?:src|href)="(?:https?:)?//[^"]*\.(?:js|css|woff2?)"')


if __name__ == "__main__":
    unittest.main(verbosity=2)
