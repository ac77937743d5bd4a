#!/usr/bin/env python3
"""Checks the structure of the source tree: includes between rooms, unique types, and sizes of files and folders.

The script reads the allowed dependencies from the weft_room(...) calls of CMakeLists.txt (docs/architecture.md) and
checks include/ and src/:

- A file of room R includes headers of R and of the rooms that R may use, directly or through them.
- Only code of R includes a private header (src/weft/R/...), and no relative include leaves its room.
- include/weft/weft.hpp is for users and includes any room; no file of weft includes it.
- Only src/sweep_mpi, src/pmpi, src/probe and src/mpi_bench include <mpi.h>. src/cli may use every room. src/pmpi runs
  in processes of users and may use plan_reader and its rooms; src/gpu may use format and its rooms.
- No tracked file names a folder of somebody's machine.
- No two files of include/, src/ and tests/ define types with the same name in the same namespace, because the linker
  would silently drop the functions of one. Unnamed namespaces, nested types and local types are exempt.
- A public header and its source have the same relative path: if sources of its room have the name of
  include/weft/R/P.hpp, one of them is src/weft/R/P.cpp. A source with a header of its own path belongs to that header.
- No source, header or script has more than 400 lines. No folder has more than 25 files, except registries: folders
  whose files are entries of one kind.

Usage: tools/check_rooms.py [TREE]. The script prints one line per violation; exit code 1 if there is any.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOM_CALL = re.compile(r"^\s*weft_room\(\s*(\w+)([^)]*)\)", re.MULTILINE)
KEYWORDS = {"ROOMS", "EXTERNAL", "EXTERNAL_PRIVATE", "HEADERS"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
MACHINE_PATH = re.compile(r"(?<![\w.:/~${}-])/(?:work|farm|home|root|tmp)/[\w.]")
NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'
                      r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)  # not 1'000
OPENING = re.compile(r"\bnamespace\s*(?P<namespace>[\w:]*)\s*\{|"
                     r"\b(?:struct|class|enum(?:\s+class)?)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*)?"
                     r"(?P<type>\w+)(?:\s+final)?\s*(?::(?!:)[^{;()]*)?\{|[{}]")
UMBRELLA = Path("include/weft/weft.hpp")  # for users; what is ours names the headers that it needs
SOURCES = {".hpp", ".cpp", ".h", ".ipp"}
MOST_LINES = 400
MOST_FILES = 25
REGISTRIES = {Path(name) for name in ("reproduction/experiments", "share/machines", "share/networks", "src/cli/commands", "src/weft/format",
                                      "src/weft/rows/kinds")}
# Public headers whose names sources elsewhere in the room have, too, and the reason.
OTHER_SOURCES = {
    "format/format.hpp": "each format.cpp is the entry of one format; the registry is formats.cpp",
}


def read_arrows(cmake_text):
    """Returns the rooms that each room may use directly, as {room: [room, ...]}."""
    arrows = {}
    text = re.sub(r"#.*", "", cmake_text)
    for name, arguments in ROOM_CALL.findall(text):
        used, keyword = [], None
        for word in arguments.split():
            if word in KEYWORDS:
                keyword = word
            elif keyword == "ROOMS":
                used.append(word)
        arrows[name] = used
    return arrows


def reachable(arrows):
    """Returns the rooms that each room may use at all, itself included; raises ValueError on a loop."""
    closed = {}

    def visit(room, path):
        if room in path:
            raise ValueError("rooms form a loop: " + " -> ".join([*path, room]))
        if room not in arrows:
            raise ValueError(f"room {path[-1]} uses {room}, which CMakeLists.txt does not define")
        if room not in closed:
            closed[room] = {room}.union(*(visit(below, [*path, room]) for below in arrows[room]))
        return closed[room]

    for room in arrows:
        visit(room, [])
    return closed


def room_of(relative):
    """Returns the room of a file below the root: a room's name, "cli", "sweep_mpi", or None."""
    parts = relative.parts
    if parts[:2] in (("include", "weft"), ("src", "weft")):
        return parts[2] if len(parts) > 3 else None
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def includes(path):
    """Yields (line number, quote, included name)."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def fault_of_include(root, relative, room, allowed, quote, name):
    """Returns the reason why this include breaks the rules of the rooms, or None."""
    if name == "mpi.h" and room not in ("sweep_mpi", "pmpi", "probe", "mpi_bench"):
        return "includes mpi.h, which only src/sweep_mpi, src/pmpi, src/probe and src/mpi_bench may"
    if name.startswith("weft/"):
        target = name.split("/")[1] if name.count("/") > 1 else None
        if target is None:
            return f'includes "{name}", which is in no room'
        if target not in allowed:
            return (f'includes "{name}", but {room} may use only '
                    f'{", ".join(sorted(allowed - {room})) or "itself"}; move the code')
        private = not (root / "include" / name).exists() and (root / "src" / name).exists()
        if private and (target != room or relative.parts[0] == "include"):
            return f'includes "{name}", a private header of {target}'
        return None
    if quote == '"' and (root / relative.parent / name).exists():
        target = (root / relative.parent / name).resolve().relative_to(root.resolve())
        if room_of(target) != room:
            return f'includes "{name}", which leaves the room; use the "weft/..." name'
    return None


def check_includes(root):
    """Returns one line per include that breaks the rules of the rooms."""
    allowed_by_room = reachable(read_arrows((root / "CMakeLists.txt").read_text()))
    everything = set(allowed_by_room)
    faults = []
    files = [p for top in ("include", "src") for p in sorted((root / top).rglob("*"))]
    for path in files:
        if path.suffix not in SOURCES:
            continue
        relative = path.relative_to(root)
        room = room_of(relative)
        if relative == UMBRELLA:
            room, allowed = "the umbrella", everything
        elif room in ("cli", "sweep_mpi"):
            allowed = everything | {room}
        elif room == "pmpi":  # stands in users' processes
            allowed = allowed_by_room.get("plan_reader", set()) | {room}
        elif room in ("probe", "mpi_bench"):
            allowed = {room}
        elif room == "gpu":
            allowed = allowed_by_room.get("format", set()) | {room}
        elif room in allowed_by_room:
            allowed = allowed_by_room[room]
        else:
            faults.append(f"{relative}: is in no room of CMakeLists.txt; move it into one")
            continue
        for number, quote, name in includes(path):
            fault = fault_of_include(root, relative, room, allowed, quote, name)
            if fault:
                faults.append(f"{relative}:{number}: {fault}")
    return faults


def check_paths(root):
    """Returns one line per public header whose source has another relative path."""
    public, rooms = root / "include" / "weft", root / "src" / "weft"
    headers = {p.relative_to(top).with_suffix("") for top in (public, rooms) for p in top.rglob("*.hpp")}
    sources = sorted(p.relative_to(rooms).with_suffix("") for p in rooms.rglob("*.cpp"))
    own = headers.intersection(sources)
    faults = []
    for path in sorted(public.rglob("*.hpp")):
        header = path.relative_to(public)
        stem = header.with_suffix("")
        if stem in own or str(header) in OTHER_SOURCES:
            continue
        for source in sources:
            if source not in own and (source.parts[0], source.name) == (stem.parts[0], stem.name):
                faults.append(f"{path.relative_to(root)}: its source is src/weft/{source}.cpp; give both the same path "
                              "below weft/, or name one of them differently")
    return faults


def tracked_files(root):
    """Returns the files that git tracks or would track; all files if the tree is no repository."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
                             capture_output=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        return [root / name.decode() for name in listing.stdout.split(b"\0") if name]
    return [p for p in sorted(root.rglob("*")) if "build" not in p.relative_to(root).parts[:1]]


def check_machine_paths(root):
    """Returns one line per tracked line that names a folder of somebody's machine."""
    faults = []
    for path in tracked_files(root):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if b"\0" in data[:4096]:
            continue
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            match = MACHINE_PATH.search(line)
            if match:
                faults.append(f"{path.relative_to(root)}:{number}: names a folder of one machine "
                              f"({match.group(0)}...); use a path relative to the project")
    return faults


def types_of(text):
    """Returns the types that a source defines in namespaces with names, as "weft::graph::MaxFlow"."""
    found, around = set(), []  # around: names of the namespaces that are open; None of anything else
    for token in OPENING.finditer(NOT_CODE.sub("0", text)):
        name = token["type"]
        if token[0] == "}":
            if around:  # else a brace is in both branches of an #if
                around.pop()
            continue
        if name and all(around):
            found.add("::".join([*around, name]))
        around.append(token["namespace"] or None)
    return found


def check_types(root):
    """Returns one line per type that another file defines, too."""
    faults, first = [], {}
    for top in ("include", "src", "tests"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            relative = path.relative_to(root)
            for name in sorted(types_of(path.read_text(errors="replace"))):
                other = first.setdefault(name, relative)
                if other != relative:
                    faults.append(f"{relative}: defines {name}, as does {other}; rename one, put it into an unnamed "
                                  "namespace, or include one definition in both")
    return faults


def check_sizes(root):
    """Returns one line per file with too many lines, and per folder with too many files."""
    faults, files_of = [], Counter()
    for path in tracked_files(root):
        if not path.is_file():
            continue
        relative = path.relative_to(root)
        files_of[relative.parent] += 1
        if path.suffix in SOURCES | {".py"}:
            lines = len(path.read_bytes().splitlines())
            if lines > MOST_LINES:
                faults.append(f"{relative}: has {lines} lines, more than {MOST_LINES}; part it by meaning")
    for folder, files in sorted(files_of.items()):
        if files > MOST_FILES and folder not in REGISTRIES:
            faults.append(f"{folder}: has {files} files side by side, more than {MOST_FILES}; group them in folders by "
                          "what they are about")
    return faults


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    try:
        faults = check_includes(root) + check_paths(root) + check_machine_paths(root) + check_types(root) + check_sizes(root)
    except (OSError, ValueError) as error:
        print(f"check_rooms: {error}", file=sys.stderr)
        return 1
    for fault in faults:
        print(fault)
    rooms = len(read_arrows((root / "CMakeLists.txt").read_text()))
    print(f"check_rooms: {rooms} rooms, {len(faults)} violations")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
