#!/usr/bin/env python3
"""Tests that tools/prose.py finds words to avoid and long sentences or paragraphs, and accepts terms of the field."""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("WEFT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT / "tools"))
import prose  # noqa: E402

AVOIDED = ["The time is foretold.", "The option is said to be set.", "The size that was asked is 4.",
           "The table tells the time.", "This option heeds the seed.", "It is the reign of ring.", "Links fail in turn.",
           "Each party shares links.", "Hosts are alike.", "One host stands for all.", "The value stands in a file.",
           "A lone message is fast.", "This holds anywhere.", "Rows are kept.", "It mends a race.",
           "This is beside the bound.", "Print the least.", "It is of least cost.", "Send so many bytes.",
           "It hands over a value.", "Cores are left over.", "Node 4 is named twice.",
           "It is refused, since it is large.", "As it is large, it is refused.", "All links but for one.",
           "Print what is there.", "Measure those that differ.", "Use one's own file.",
           "Of a ring: its size.", "Whether links are shared.", "By it a row is found.", "of --size: the unit"]
TERMS = ["At least 4 hosts send at most 2 messages.", "The least squares fit is good.", "It turns the tree around.",
         "Use it since version 2.", "A third party wrote it.", "Turn it on.", "It is twice as fast.",
         "Most networks have one.", "Standard output is a pipe.", "By default, the sum is 0.", "What is a network?",
         "Use a least common multiple.", "`what is said` is a file.", "It takes 2 turns of 5 s."]


def faults(text, name="page.md"):
    """Returns the faults of a page: [(line, fault)]."""
    texts, generated = prose.markdown_texts(name, text)
    return list(prose.page_faults(name, text, generated)) + [f for each in texts for f in prose.faults_of(each)]


def sentence(words):
    return "Word" + " word" * (words - 1) + "."


class Prose(unittest.TestCase):
    def test_finds_each_word_to_avoid(self):
        for text in AVOIDED:
            self.assertTrue(any("(write: " in fault for _, fault in faults(text)), text)

    def test_each_pattern_finds_one_of_these(self):
        for pattern, advice in prose.WORDS:
            self.assertTrue(any(pattern.search(text) for text in AVOIDED), advice)

    def test_passes_terms(self):
        for text in TERMS:
            self.assertEqual(faults(text), [], text)

    def test_limits_sentences_to_28_words(self):
        self.assertEqual(faults(sentence(28)), [])
        self.assertIn("sentence of 29 words", faults("A heading\n\n" + sentence(29))[0][1])
        self.assertEqual(faults("A heading\n\n" + sentence(29))[0][0], 3)
        self.assertEqual(faults(f"{sentence(20)} {sentence(20)}"), [])
        self.assertEqual(len(faults(sentence(20)[:-1] + ", e.g. " + sentence(20))), 1)

    def test_counts_code_formulas_and_links_as_one_word(self):
        self.assertEqual(prose.words_in(prose.plain("Run `weft list all` for $a + b c$ [here](a/b.md) - now.")), 6)

    def test_limits_paragraphs_to_6_lines(self):
        lines = (sentence(20) + "\n") * 8  # 807 characters
        self.assertIn("paragraph of 7 lines", faults(lines)[0][1])
        self.assertEqual(faults(lines.replace("\n", "\n\n")), [])
        self.assertEqual(faults(lines.replace("Word", "- Word")), [])

    def test_leaves_code_out_and_takes_only_words_of_tables(self):
        self.assertEqual(faults(f"```\nforetold\n{sentence(40)}\n```\n\n    foretold\n"), [])
        self.assertEqual(faults(f"| a | {sentence(40)} |"), [])
        self.assertEqual(faults("| a |\n|---|\n| foretold |")[0][0], 3)
        self.assertEqual(faults(f"<!-- This page is generated. -->\n{sentence(40)}"), [])
        self.assertEqual(faults(f"# A\n\n`make reference` generates this page.\n{sentence(40)}"), [])

    def test_limits_pages(self):
        self.assertEqual(faults("Word. " * 2500), faults("Word. " * 2500 + "\n"))
        self.assertIn((1, "page of 2501 words (at most 2500)"), faults("Word. " * 2501))
        self.assertIn((1, "page of 551 words (at most 550)"), faults("Word. " * 551, "README.md"))

    def test_limits_the_changelog(self):
        self.assertEqual(faults("- a\n" * 120, "CHANGELOG.md"), [])
        self.assertEqual(faults("- a\n" * 121, "CHANGELOG.md"), [(121, "121 entries (at most 120)")])
        self.assertEqual(faults("# A\n- " + 99 * "a", "CHANGELOG.md"), [(2, "entry of 101 characters (at most 100)")])
        self.assertEqual(faults("- a\n  b", "CHANGELOG.md"), [(2, "an entry has one line")])

    def test_the_pages_for_contributors_have_no_faults(self):
        for name in ("CHANGELOG.md", "CONTRIBUTING.md", "docs/architecture.md"):
            self.assertEqual(faults((ROOT / name).read_text(), name), [], name)

    def test_reads_options_of_help(self):
        texts = prose.help_texts("weft x", "Does it\nfor you.\nUsage: weft x\n\nOptions:\n  -h,--help      Print this\n"
                                 "  --long-option TEXT\n                 Value one\n                 and two [1]\n"
                                 "\nExamples:\n  # Do this\n  weft x --long-option 1\n")
        self.assertEqual([(t.where, t.text) for t in texts],
                         [("weft x", "Does it\nfor you."), ("weft x -h,--help", "Print this"),
                          ("weft x --long-option", "Value one\nand two [1]"), ("weft x", "Do this")])

    def test_reads_messages_and_comments_of_sources(self):
        code = ('// One line\n// and another.\n\n/// Foretells it.\nvoid f() {\n  reject("the {} is "\n'
                '         "foretold", "x");\n  return "of three words";\n}\nconst T t = {"a", "help is told here"};\n')
        self.assertEqual([(t.line, t.text) for t in prose.message_texts("a.cpp", code)],
                         [(6, "the {} is foretold"), (8, "of three words")])
        self.assertEqual([(t.line, t.text) for t in prose.comment_texts("a.cpp", code)],
                         [(1, "One line\nand another."), (4, "Foretells it.")])

    def test_reports_by_file_and_line_and_exits_with_1(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            for text, code in (("# A\n\nThe time is\nforetold.\n", 1), ("# A\n\nThe time is 2 s.\n", 0)):
                path.write_text(text)
                with contextlib.redirect_stdout(io.StringIO()) as output:
                    self.assertEqual(prose.main([str(path), "--summary"]), code)
                self.assertEqual(f"{path}:4: 'foretold'" in output.getvalue(), code == 1, output.getvalue())
                self.assertIn("median", output.getvalue())

    def test_refuses_unknown_parts(self):
        done = subprocess.run([sys.executable, ROOT / "tools/prose.py", "hlep"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no file and no part 'hlep'", done.stderr)


if __name__ == "__main__":
    unittest.main()
