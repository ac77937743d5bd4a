#!/usr/bin/env python3
"""Builds the documents as a static web site in build/site, without a network.

Usage: tools/make_site.py [FOLDER] [--check]. `make site` runs it. With --check it builds nothing and needs no
generator: it only checks links, pictures and the index.

The pages are README.md, docs/**/*.md, reproduction/README.md, CHANGELOG.md and CONTRIBUTING.md, and the pages that
these link to. They are written for GitHub; MkDocs with its Material theme builds the site. The tool
- reports each broken link, missing picture and page without a link from docs/README.md as FILE:LINE, with exit code 1;
- copies the pages to build/site-pages in the form that MkDocs reads (nested lists, blank lines before lists and tables),
  with the files that they link to. Links to folders without a README become plain text;
- writes mkdocs.yml: one tab for each folder, pages in the order in which docs/README.md links to them;
- adds KaTeX for formulas: $a$, $$a$$ and blocks of ```math;
- checks all links of the built pages again.

The generator is installed by `tools/setup.sh site`. To read the site with its search:
python3 -m http.server --directory build/site
"""

import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from page_links import FENCE, broken_links, is_external, links_of, slug  # noqa: E402

ROOT = Path(os.environ.get("WEFT_SOURCE_DIR", Path(__file__).resolve().parent.parent)).resolve()
KATEX = Path("/usr/share/javascript/katex")
EXTRAS = Path(__file__).resolve().parent / "site"
INDEX = "docs/README.md"
# Tabs: title and the beginning of the names of its pages, in order.
TABS = (("Home", "README.md"), ("Tutorials", "docs/tutorials/"), ("How-to", "docs/how-to/"),
        ("Reference", "docs/reference/"), ("Explanation", "docs/explanation/"), ("Project", ""))
ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])(\s+)(?=\S)")
CONFIGURATION = """\
site_name: weft
site_description: Networks and collectives of supercomputers and training clusters
docs_dir: {pages}
site_dir: {folder}
use_directory_urls: false
strict: true
theme:
  name: material
  language: en
  font: false
  features: [navigation.tabs, navigation.top, toc.follow, search.suggest, search.highlight, content.code.annotate]
  icon: {{logo: material/graph-outline}}
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      primary: indigo
      accent: indigo
      toggle: {{icon: material/weather-night, name: Dark mode}}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      primary: indigo
      accent: light blue
      toggle: {{icon: material/weather-sunny, name: Light mode}}
plugins: [search]
extra: {{generator: false}}
extra_css: [assets-katex/katex.min.css, assets-site/site.css]
extra_javascript: [assets-katex/katex.min.js, assets-site/site.js]
markdown_extensions:
  - attr_list
  - footnotes
  - md_in_html
  - tables
  - toc:
      permalink: true
      slugify: !!python/name:make_site.anchor_of
  - pymdownx.highlight: {{guess_lang: false}}
  - pymdownx.inlinehilite
  - pymdownx.arithmatex: {{generic: true}}
  - pymdownx.superfences:
      custom_fences:
        - name: math
          class: arithmatex
          format: !!python/name:make_site.math_block
nav: {nav}
"""


def anchor_of(heading, _separator):
    """Returns the slug of a heading, for MkDocs."""
    return slug(heading)


def math_block(source, _language, css_class, *_others, **_options):
    """Returns a block of ```math, for pymdownx.superfences."""
    escaped = source.replace("&", "&amp;").replace("<", "&lt;")
    return f'<div class="{css_class}">\\[\n{escaped}\n\\]</div>'


def title_of(text, name):
    heading = re.search(r"^# +(.+)$", text, re.M)
    return re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading[1]).strip() if heading else Path(name).stem


# ---- Which pages, and what is wrong with them

def first_pages():
    named = ["README.md", "reproduction/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    found = [name for name in named if (ROOT / name).is_file()]
    return found + sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))


def target_of(name, target):
    """Returns the path, relative to the tree, that a link of the page leads to; None outside of it."""
    path = (ROOT / name).parent / unquote(target.partition("#")[0])
    path = Path(os.path.normpath(path))
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else None


def all_pages():
    """Returns the pages and the Markdown files that these link to, {name: text}."""
    pages, waiting = {}, first_pages()
    while waiting:
        name = waiting.pop(0)
        if name in pages:
            continue
        pages[name] = (ROOT / name).read_text()
        for _, target in links_of(pages[name]):
            path = None if is_external(target) or target.startswith("#") else target_of(name, target)
            if path and path.suffix == ".md" and (ROOT / path).is_file():
                waiting.append(str(path))
    return pages


def faults_of(pages):
    """Returns a line with file and line for each broken link, missing picture and page without a link from the index."""
    faults = [fault for name in pages for fault in broken_links(ROOT / name, name)]
    if INDEX in pages:
        linked = {str(target_of(INDEX, target)) for _, target in links_of(pages[INDEX]) if not is_external(target)}
        faults += [f"{name}:1: {INDEX} has no link to this page"
                   for name in pages if name.startswith("docs/") and name != INDEX and name not in linked]
    return faults


# ---- From GitHub's Markdown to that of MkDocs

def restructured(text):
    """Returns the text with nested lists indented by 4, and blank lines before lists and tables."""
    out, contents, fence, blank = [], [], None, True
    text = re.sub(r"^(\s*```)sh\n(?=\s*\$ )", r"\1console\n", text, flags=re.M)  # answers are no shell
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        item = None if fence is not None else ITEM.match(line)
        mark = FENCE.match(line)
        table, listed = not fence and line.lstrip().startswith("|"), bool(contents)
        if fence is None and line.strip() and (item or mark or blank or line.startswith("#")):
            while contents and indent < contents[-1]:
                contents.pop()
        depth = len(contents)
        if item:
            contents.append(len(item[0]))
            out += [""] * (not blank and not listed) + [" " * 4 * depth + item[2] + " " + line[len(item[0]):]]
        else:
            if table and not blank and not out[-1].lstrip().startswith("|"):
                out.append("")
            rest = line[min(indent, contents[-1]) if contents else 0:]
            if table:
                rest = re.sub(r"`[^`]*`", lambda span: span[0].replace("\\|", "|"), rest)
            out.append(" " * 4 * depth + rest if line.strip() else "")
        if mark:
            fence = mark[0].strip() if fence is None else None
        blank = not line.strip()
    return "\n".join(out)


def with_links(name, text, pages, assets):
    """Returns the text with links to files that the site lacks taken out; files that it gets are added to `assets`."""
    def replaced(match):
        target = match["target"]
        path = None if is_external(target) or target.startswith("#") else target_of(name, target)
        if path is None or str(path) in pages:
            return match[0]
        if str(path / "README.md") in pages:
            return f"{match['text']}({target.rstrip('/')}/README.md)"
        if (ROOT / path).is_file() and not any(part.startswith(".") for part in path.parts):
            assets.add(str(path))
            return match[0]
        return match["text"][1:-1]
    link = re.compile(r"(?P<text>!?\[(?:`[^`]*`|[^\[\]`]|\[[^\]]*\])*\])\((?P<target>[^)\s]+)\)")
    fenced, lines = False, []
    for line in text.split("\n"):
        fenced ^= FENCE.match(line) is not None
        lines.append(line if fenced else link.sub(replaced, line))
    return "\n".join(lines)


def navigation(pages):
    """Returns [{tab: [{title: page}]}], pages in the order of the index."""
    order = ["README.md", INDEX]
    order += [str(target_of(INDEX, target)) for _, target in links_of(pages.get(INDEX, "")) if not is_external(target)]
    ranked = sorted(pages, key=lambda name: (order.index(name) if name in order else len(order), name))
    tabs, left = [], list(ranked)
    for tab, beginning in TABS:
        of_tab = [name for name in left if name.startswith(beginning)] if beginning != "README.md" else ["README.md"]
        if tab == "Home" and INDEX in pages:
            of_tab.append(INDEX)
        left = [name for name in left if name not in of_tab]
        if of_tab:
            titles = {"README.md": "weft", INDEX: "All pages"}
            tabs.append({tab: [{titles.get(name, title_of(pages[name], name)): name} for name in of_tab]})
    return tabs


def stage(pages, staging):
    """Writes pages and files for MkDocs to the folder."""
    shutil.rmtree(staging, ignore_errors=True)
    assets = set()
    for name, text in pages.items():
        target = staging / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(restructured(with_links(name, text, pages, assets)))
        assets |= {str(target_of(name, link)) for _, link in links_of(text)
                   if Path(link).suffix in (".svg", ".png", ".jpg") and not is_external(link)}
    for asset in assets:
        (staging / asset).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / asset, staging / asset)
    shutil.copytree(EXTRAS, staging / "assets-site")
    (staging / "assets-katex").mkdir()
    for part in ("katex.min.js", "katex.min.css"):
        shutil.copyfile(KATEX / part, staging / "assets-katex" / part)
    shutil.copytree(KATEX / "fonts", staging / "assets-katex/fonts", ignore=lambda _, names: [
        name for name in names if not name.endswith(".woff2")])


# ---- The built site

class References(html.parser.HTMLParser):
    """Collects the ids of a page, and the local files and anchors that it refers to."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        for key in ("href", "src"):
            if attributes.get(key) and not is_external(attributes[key]) and not attributes[key].startswith("//"):
                self.targets.append(unquote(attributes[key]))


def faults_of_site(folder):
    """Returns a line for each link of the built pages that leads nowhere."""
    read = {path: References(path.read_text()) for path in folder.rglob("*.html") if path.name != "404.html"}
    faults = []
    for path, references in sorted(read.items()):
        for target in references.targets:
            file, _, anchor = target.partition("#")
            leads_to = Path(os.path.normpath(path.parent / file)) if file else path
            leads_to = leads_to / "index.html" if leads_to.is_dir() else leads_to
            if not leads_to.exists():
                faults.append(f"{path.relative_to(folder)}: {target}: the site has no such file")
            elif anchor and leads_to in read and anchor not in read[leads_to].ids:
                faults.append(f"{path.relative_to(folder)}: {target}: no such heading")
    return faults


def missing_generator():
    """Returns the reason why the site cannot be built here, or None."""
    if not shutil.which("mkdocs"):
        return "mkdocs is not installed"
    if not Path("/usr/share/mkdocs/themes/material").is_dir():
        return "the Material theme of MkDocs is not installed"
    return None if KATEX.is_dir() else "KaTeX is not installed"


def build(pages, folder):
    """Builds the site; returns its faults."""
    staging = folder.parent / (folder.name + "-pages")
    stage(pages, staging)
    configuration = folder.parent / (folder.name + ".yml")
    configuration.write_text(CONFIGURATION.format(
        pages=json.dumps(str(staging)), folder=json.dumps(str(folder)), nav=json.dumps(navigation(pages))))
    path = os.pathsep.join([str(Path(__file__).resolve().parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(["mkdocs", "build", "--quiet", "--clean", "--config-file", str(configuration)],
                          capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
    if done.returncode != 0:
        return [line for line in (done.stdout + done.stderr).split("\n") if line.strip()]
    limit_search(folder)
    return faults_of_site(folder)


def limit_search(folder):
    """Takes the pages out of the search that only other pages lead to, such as the notebook."""
    path = folder / "search/search_index.json"
    index = json.loads(path.read_text())
    wanted = {str(Path(name).with_suffix("")).replace("README", "index") for name in first_pages()}
    index["docs"] = [entry for entry in index["docs"] if entry["location"].partition(".html")[0] in wanted]
    path.write_text(json.dumps(index))


def main(arguments):
    check = "--check" in arguments
    folders = [each for each in arguments if each != "--check"]
    folder = Path(folders[0] if folders else ROOT / "build/site").resolve()
    reason = None if check else missing_generator()
    if reason:
        print(f"site: {reason}; run: tools/setup.sh site", file=sys.stderr)
        return 2
    pages = all_pages()
    faults = faults_of(pages) or ([] if check else build(pages, folder))
    for fault in faults:
        print(fault)
    if faults:
        return 1
    print(f"site: {len(pages)} pages" + ("" if check else f" in {folder}"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
