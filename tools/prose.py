#!/usr/bin/env python3
"""Checks the prose of weft: words to avoid, sentences over 28 words, paragraphs over 6 lines.

Usage: tools/prose.py [PART...] [FILE...] [--summary]

PART is one of these; without PART and FILE the tool checks README, docs and help:
  README     README.md
  docs       CONTRIBUTING.md, CHANGELOG.md, docs/**/*.md, reproduction/README.md
  help       what `weft COMMAND --help-all` prints (--help where that option is unknown)
  messages   texts of three words and more in src/ that are arguments of a call or returned by one; no help texts
  comments   comments in include/ and src/
FILE is a Markdown file (.md), or a source file (its comments and its messages).
--summary prints words, sentences, and the median and 90th percentile of sentence lengths, per file.

How the tool counts:
- A sentence ends at a period, question mark or exclamation mark before a blank and a capital letter, digit, quote,
  bracket or code; also at the end of a paragraph, list item or message. In messages a semicolon ends it too.
- A word has a letter or digit. A code span, a formula or the text in brackets of a link's target counts as one
  word, as none for the target. Pieces without letters and digits do not count.
- A paragraph has the lines that it fills when wrapped at 120 characters without link targets. A list item is a
  paragraph of its own.
- Tables, headings and generated pages are checked for words only. A page is generated if its first five lines have a
  comment "generated" or "`make reference` generates".
- README has at most 550 words, other pages 2,500 unless generated, CONTRIBUTING 900; CHANGELOG at most 120
  entries of one line of up to 100 characters each.

Prints FILE:LINE: fault. Exit code 1 if there is any fault, 2 if the tool cannot run. WEFT_PROGRAM names the program
(build/release/bin/weft). A line `<!-- prose: off -->` switches the checks off up to `<!-- prose: on -->`.
"""

import os
import re
import statistics
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(os.environ.get("WEFT_SOURCE_DIR", Path(__file__).resolve().parent.parent))
PROGRAM = os.environ.get("WEFT_PROGRAM", str(ROOT / "build/release/bin/weft"))
MOST_WORDS, MOST_LINES, WIDTH = 28, 6, 120
PAGE_WORDS = {"README.md": 550, "CONTRIBUTING.md": 900}
PAGE_WORDS_ELSE, ENTRIES, ENTRY_WIDTH = 2500, 120, 100
PARTS = ("README", "docs", "help", "messages", "comments")

# (pattern, what to write). A pattern sees one sentence, with code spans as "`" and formulas as "$".
# Patterns leave out the uses that are terms of the field, such as "at least" and "least squares".
WORDS = [(re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in (
    (r"\bforetell(?:s|ing)?\b|\bforetold\b|\bforesee[ns]?\b", "estimate, predict"),
    (r"\b(?:said|saying|told)\b", "given, specified, set, reported"),
    (r"\basked(?! to\b)\b", "given, specified, set"),
    (r"\bsays?\b|\btells?\b|\btelling\b", "report, print, show"),
    (r"\bheed(?:s|ed|ing)?\b", "use, take into account"),
    (r"\breign(?:s|ed|ing)?\b", "winning range"),
    (r"\b(?:in|its|their|whose|each|one's|by) turns?\b(?! (?:of|off|on|model)\b)|\bturn by turn\b",
     "crossover, size range, in order, one after another"),
    (r"(?<!third[ -])(?<!working )\bpart(?:y|ies)\b", "contention group"),
    (r"\balike\b", "equivalent, symmetric, representative"),
    (r"\bstand(?:s|ing)? for\b|\bstood for\b", "represent, be equivalent to"),
    (r"\bstands?\b(?! for\b)|\bstood\b(?! for\b)", "is, are, lies in"),
    (r"\blone\b(?!-root)", "single"),
    (r"\banywhere\b", "for any topology, on any network"),
    (r"(?<!combined or )(?<!^)(?<!\[)\bkept\b(?!\s+\(rebuilt)", "cached, stored, saved, unchanged"),
    (r"\bmend(?:s|ed|ing)?\b", "fix, repair"),
    (r"\bbeside\b", "compared with, next to"),
    (r"\bthe (?:most|least)\b(?=\s*(?:[.,;:)\]\d]|$|(?:that|of|in|for|on|is|are|a|any|what|there)\b))",
     "maximum, minimum, limit, lower bound"),
    (r"\bleast\b(?!\\)(?<!at least)(?! (?:squares|recent|significant|common|number|upper|cost|fixed|element|likely|loaded|once|or greatest)"
     r"\w*)(?<!the least)|\bof least\b", "minimum, smallest, at least"),
    (r"\bso many\b|\bso few\b|\bas many as there are\b", "name the number: N"),
    (r"\bhand(?:s|ed|ing)? (?:over|out)\b", "return, write, export"),
    (r"\bleft[- ]?over\b|\bstray\b", "unused, idle"),
    (r"\b(?:given|named|written|listed|appears?|defined|names?|has|wrote|read|set|there|once or) twice\b"
     r"(?! (?:as|the|its|their|a|that|over|per|more)\b)|\bwrote again\b", "duplicate, repeated"),
    (r"\bsince\b(?! (?:version|MPI|CUDA|NCCL|Debian|\d|v\d|the (?:beginning|last|start|release|first|previous)))"
     r"(?<!ever since)", "because (for a reason), after (in time)"),
    (r"^As (?:it|they|there|this|these|no|its|their|all)\b", "because, so"),
    (r"\bbut for\b", "except, without"),
    (r"\bwhat(?! if\b)\b(?!-if)", "name the thing: the option, the value, the result"),
    (r"\bthat which\b|\bthose (?:that|which)\b", "name the thing"),
    (r"\b(?:one's own|whoever)\b", "your, anyone who"),
    (r"(?-i:^(?:Of|Whether)\b|^By (?!default|hand|contrast|comparison|definition|design|itself))|^of -",
     "start with the subject"),
)]
QUESTION = re.compile(r"\?[\"')\]*_]*$")
ENDS = re.compile(r"(?<=[.!?])([\"')\]*_”]*)\s+(?=[\"'(\[*_“]*[A-Z0-9`$])")
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|cf|etc|al|Figs?|Sec|Eqs?|No|Ch|resp|approx|St|Dr|Vol|pp?|[A-Z])\.$")
WORD = re.compile(r"[^\s/—–]*[A-Za-z0-9`$][^\s/—–]*")


class Text:
    """A paragraph, list item, table row, heading, option's help, message or comment."""

    def __init__(self, where, line, text, lengths=True, words=True, semicolons=False):
        self.where, self.line, self.text = where, line, text
        self.lengths, self.words, self.semicolons = lengths, words, semicolons

    def sentences(self):
        return sentences_of(plain(self.text), self.semicolons)


def plain(text):
    """Returns the text without markup: a code span is "`", a formula "$", a link its text."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"(`+)(?:.+?)\1", "`", text, flags=re.S)
    text = re.sub(r"\$\$.+?\$\$|(?<![\w$])\$(?=\S)[^$\n]+?(?<=\S)\$(?![\w$])", "$", text, flags=re.S)
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<https?:[^>]*>|https?://\S+", "`", text)
    text = re.sub(r"</?[a-z][^>]*>", "", text)
    return re.sub(r"\s+", " ", text.replace("**", "").replace("__", "")).strip()


def sentences_of(text, semicolons=False):
    found, begin = [], 0
    for match in ENDS.finditer(text):
        if ABBREVIATION.search(text[begin:match.start()]):
            continue
        found.append(text[begin:match.end()].strip())
        begin = match.end()
    found.append(text[begin:].strip())
    if semicolons:
        found = [part for sentence in found for part in re.split(r";\s+", sentence)]
    return [sentence for sentence in found if WORD.search(sentence)]


def words_in(sentence):
    return len(WORD.findall(sentence))


def faults_of(text):
    """Yields (line, fault)."""
    for sentence in text.sentences():
        if text.words:
            for pattern, advice in WORDS:
                for match in pattern.finditer(sentence):
                    if match[0].lower() == "what" and (QUESTION.search(sentence) or not text.lengths):
                        continue  # questions, and titles such as "What weft does not do"
                    fault = f"'{match[0].strip()}' (write: {advice}) in: {shortened(sentence)}"
                    yield line_of(text, match[0], sentence), fault
        if text.lengths and words_in(sentence) > MOST_WORDS:
            yield (line_of(text, sentence[:25], sentence),
                   f"sentence of {words_in(sentence)} words (at most {MOST_WORDS}): {shortened(sentence)}")
    lines = len(textwrap.wrap(re.sub(r"\]\([^)]*\)", "]", text.text), WIDTH)) if text.lengths else 0
    if lines > MOST_LINES:
        start = shortened(plain(text.text))
        yield text.line, f"paragraph of {lines} lines at {WIDTH} characters (at most {MOST_LINES}): {start}"


def line_of(text, part, sentence):
    """Returns the line of `text` where the words `part` are, or where its sentence begins."""
    lines = text.text.split("\n")
    for wanted in (part, sentence[:20], sentence[:10]):
        for number, line in enumerate(lines):
            if wanted.lower() in line.lower():
                return text.line + number
    return text.line


def shortened(text, most=70):
    return text if len(text) <= most else text[:most - 3] + "..."


# ---- Markdown

BLOCK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
FENCE = re.compile(r"\s*(```|~~~|\$\$\s*$)")


def markdown_texts(name, content):
    """Returns the texts of a page."""
    lines = content.split("\n")
    generated = any(re.search(r"<!--.*generated|`make reference` generates", line, re.I) for line in lines[:5])
    texts, block, first, fence, off = [], [], 0, None, False

    def flush():
        if block:
            texts.append(Text(name, first, "\n".join(block), lengths=not generated))
            block.clear()

    for number, line in enumerate(lines, 1):
        if "<!-- prose: o" in line:
            off = "prose: off" in line
        mark = FENCE.match(line)
        if fence or mark or off:
            flush()
            if mark and not off:
                fence = None if fence == mark[1].strip() else fence or mark[1].strip()
        elif not line.strip() or line.startswith("    ") and not block or re.match(r"\s*</?[a-z!]", line):
            flush()
        elif line.startswith("#") or line.lstrip().startswith("|"):
            flush()
            for cell in [line.lstrip("# ")] if line.startswith("#") else re.split(r"(?<!\\)\|", line):
                if cell.strip(" -:"):
                    texts.append(Text(name, number, cell.strip(), lengths=False))
        else:
            stripped = re.sub(r"^\s*>\s?", "", line)
            if BLOCK.match(stripped):
                flush()
                stripped = BLOCK.sub("", stripped, count=1)
            if not block:
                first = number
            block.append(stripped.strip())
    flush()
    return texts, generated


def page_faults(name, content, generated):
    """Yields (line, fault) of a page as a whole."""
    if Path(name).name == "CHANGELOG.md":
        entries = [(number, line) for number, line in enumerate(content.split("\n"), 1) if BLOCK.match(line)]
        for number, line in entries:
            if len(line) > ENTRY_WIDTH:
                yield number, f"entry of {len(line)} characters (at most {ENTRY_WIDTH})"
        for number, line in enumerate(content.split("\n"), 1):
            if line.startswith("  "):
                yield number, "an entry has one line"
        if len(entries) > ENTRIES:
            yield entries[ENTRIES][0], f"{len(entries)} entries (at most {ENTRIES})"
        return
    words = len(content.split())
    most = PAGE_WORDS.get(name, PAGE_WORDS_ELSE)
    if words > most and not generated:
        yield 1, f"page of {words} words (at most {most})"


def page(path, name):
    content = path.read_text()
    texts, generated = markdown_texts(name, content)
    return texts, [(name, line, fault) for line, fault in page_faults(name, content, generated)]


# ---- Help

def help_of(command):
    for option in ("--help-all", "--help"):
        done = subprocess.run([PROGRAM, *command, option], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout
    return ""


def help_texts(name, output):
    """Returns the texts of a command's help: a summary, one for each option, the remarks of examples."""
    texts, title, joined = [], "", False
    for number, line in enumerate(output.split("\n"), 1):
        option = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line)
        prose = not option and re.match(r"(?!Usage:|[A-Z][^.]*:$)\S", line)
        if prose and joined:  # a wrapped line
            texts[-1].text += "\n" + line
        elif prose:
            texts.append(Text(name, number, line))
        elif option and option[1].startswith("# "):
            texts.append(Text(name, number, option[0].strip("# ")))
        elif option and not re.match(r"  (?:\$|weft )", line):
            title = option[1].split(" ")[0]
            texts.append(Text(f"{name} {title}", number, option[2] or ""))
        elif line.startswith("   ") and title:
            texts[-1].text += "\n" * bool(texts[-1].text) + line.strip()
        else:
            title = ""
        joined = bool(prose)
    return texts


def help_everywhere():
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"prose: no program {PROGRAM}; run 'make build', or set WEFT_PROGRAM")
    top = help_of([])
    texts = help_texts("weft --help", top)
    names = re.findall(r"^  ([a-z][a-z-]+)(?= {2,}\S)", help_of([]) + "\n" + help_of(["help"]), re.M)
    for name in dict.fromkeys(names):
        if name not in ("help", "version"):
            texts += help_texts(f"weft {name} --help", help_of([name]))
    return texts


# ---- Sources

TOKEN = re.compile(r'(?P<raw>R"(?P<mark>\w*)\((?P<inside>.*?)\)(?P=mark)")|(?P<comment>//[^\n]*|/\*.*?\*/)|'
                   r'(?P<string>"(?:\\.|[^"\\\n])*")|(?P<letter>(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\')|'
                   r'(?P<open>[\w:>]*\s*[({\[])|(?P<close>[)}\]])|(?P<other>[^\s])', re.S)
CALLED = re.compile(r"\breturn$|[?:+=]$|<<$")


def message_texts(name, code):
    """Returns the texts that a source may print: arguments of calls, and return values. Tables of help are in braces."""
    texts, around, before = [], [], ""
    for token in TOKEN.finditer(code):
        if token["comment"]:
            continue
        if token["open"]:
            around.append(token["open"])
        elif token["close"]:
            del around[-1:]
        text = token["string"]
        if text:
            text = text[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\", "")
            line = code.count("\n", 0, token.start()) + 1
            if before == "string":
                texts[-1].text += text
            else:
                call = around[-1] if around else ""
                called = call.endswith("(") and not re.match(r"(?:add_)?(?:option|flag|field|choice)", call)
                returned = CALLED.search(code[:token.start()].rstrip()[-8:])
                texts.append(Text(name, line, text, semicolons=True, words=bool(called or returned)))
        before = "string" if text else ""
    return [text for text in texts if text.words and len(text.text.split()) > 2 and "\n  weft " not in text.text]


def comment_texts(name, code):
    """Returns the comments of a source; lines of // that follow one another are one, split at blank ones and at lists."""
    texts, last = [], -2
    for token in TOKEN.finditer(code):
        if not token["comment"]:
            continue
        first = code.count("\n", 0, token.start()) + 1
        for number, line in enumerate(token["comment"].split("\n"), first):
            line = re.sub(r"^\s*(?:///?<?|/?\*+/?)|\*/$", "", line)
            if not line.strip() or line.strip().startswith(("clang-format", "NOLINT", "|")) or line.startswith("    "):
                last = -2
                continue
            if number == last + 1 and not BLOCK.match(line):
                texts[-1].text += "\n" + line.strip()
            else:
                texts.append(Text(name, number, BLOCK.sub("", line).strip()))
            last = number
    return texts


def sources(tops):
    return [path for top in tops for path in sorted((ROOT / top).rglob("*")) if path.suffix in (".cpp", ".hpp", ".cu")]


# ---- What to check

def relative(path):
    path = Path(path).resolve()
    return str(path.relative_to(ROOT.resolve())) if path.is_relative_to(ROOT.resolve()) else str(path)


def gathered(wanted):
    """Returns (texts, faults of whole pages) of parts and files."""
    texts, faults, pages = [], [], []
    for each in wanted:
        if each == "README":
            pages.append(ROOT / "README.md")
        elif each == "docs":
            named = [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "reproduction/README.md")]
            pages += [path for path in named if path.exists()] + sorted((ROOT / "docs").rglob("*.md"))
        elif each == "help":
            texts += help_everywhere()
        elif each == "messages":
            texts += [t for path in sources(["src"]) for t in message_texts(relative(path), path.read_text())]
        elif each == "comments":
            texts += [t for path in sources(["include", "src"]) for t in comment_texts(relative(path), path.read_text())]
        elif each.endswith(".md"):
            pages.append(Path(each))
        else:
            code = Path(each).read_text()
            texts += comment_texts(relative(each), code) + message_texts(relative(each), code)
    for path in pages:
        more, whole = page(path, relative(path))
        texts += more
        faults += whole
    return texts, faults


def summary(texts):
    by_file = {}
    for text in texts:
        if text.lengths:
            by_file.setdefault(text.where.split(" --")[0], []).extend(map(words_in, text.sentences()))
    by_file["all"] = [length for lengths in by_file.values() for length in lengths]
    for name, lengths in by_file.items():
        if lengths:
            tenth = sorted(lengths)[min(len(lengths) - 1, 9 * len(lengths) // 10)]
            print(f"{name}: {sum(lengths)} words in {len(lengths)} sentences; "
                  f"median {statistics.median(lengths):g}, 90th percentile {tenth}, longest {max(lengths)}")


def main(arguments):
    wanted = [each for each in arguments if each != "--summary"] or ["README", "docs", "help"]
    for each in wanted:
        if each not in PARTS and not Path(each).is_file():
            print(f"prose: no file and no part '{each}' (parts: {', '.join(PARTS)})", file=sys.stderr)
            return 2
    texts, faults = gathered(wanted)
    faults += [(text.where, line, fault) for text in texts for line, fault in faults_of(text)]
    for where, line, fault in faults:
        print(f"{where}:{line}: {fault}")
    if "--summary" in arguments:
        summary(texts)
    print(f"prose: {len(faults)} faults in {len({text.where for text in texts})} places")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
