"""Finds the links of Markdown pages, and computes the anchors that GitHub gives to their headings."""

import re

FENCE = re.compile(r"\s*(?:```|~~~)")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|\b(?:src|href)=\"([^\"]+)\"|^\[[^\]]+\]:\s+(\S+)")


def without_code(text):
    """Returns the text with code blocks and code spans blanked out; the lines keep their numbers."""
    fenced, lines = False, []
    for line in text.split("\n"):
        mark = FENCE.match(line) is not None
        lines.append("" if fenced or mark else re.sub(r"`[^`]*`", lambda span: " " * len(span[0]), line))
        fenced ^= mark
    return "\n".join(lines)


def links_of(text):
    """Yields (number of the line, target) of each link and picture."""
    for number, line in enumerate(without_code(text).split("\n"), 1):
        for match in LINK.finditer(line):
            yield number, next(filter(None, match.groups()))


def is_external(target):
    return re.match(r"[a-z][a-z0-9+.-]*:", target) is not None


def slug(heading):
    """Returns the anchor of a heading, as GitHub makes it."""
    plain = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")


def anchors_of(text):
    """Returns the names under which GitHub links to the headings of a page."""
    fenced, found = False, []
    for line in text.split("\n"):
        fenced ^= FENCE.match(line) is not None
        heading = None if fenced else re.match(r"#{1,6} +(.*?)[ #]*$", line)
        if heading:
            anchor = slug(heading[1])
            before = found.count(anchor)
            found.append(anchor)
            if before:
                found.append(f"{anchor}-{before}")
    return set(found)


def broken_links(path, name):
    """Returns a line with file and line for each relative link or picture of a page that leads to no file or heading."""
    broken, text = [], path.read_text()
    for number, target in links_of(text):
        if is_external(target):
            continue
        file, _, anchor = target.partition("#")
        leads_to = path.parent / file if file else path
        if not leads_to.exists():
            broken.append(f"{name}:{number}: {target}: there is no such file")
        elif anchor and leads_to.suffix == ".md" and anchor not in anchors_of(leads_to.read_text()):
            broken.append(f"{name}:{number}: {target}: {leads_to.name} has no such heading")
    return broken
