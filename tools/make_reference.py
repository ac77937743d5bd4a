#!/usr/bin/env python3
"""Writes the reference pages in docs/reference from the tables and the help of the program itself.

Usage: tools/make_reference.py PROGRAM FOLDER. `make reference` runs it for docs/reference, and
tests/tools/reference_test.py fails where a page in the repository differs from what it writes.
It needs no network and nothing but Python and the program.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from answer_keys import answer_keys_page
from make_man import entries, sections_of

SOURCE = Path(__file__).resolve().parents[1]
SHARED_BY = 3  # An option that so many commands have with one help text is described once.
DEFAULT = re.compile(r"^(.*?) ?\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]$")


class Program:
    """Runs the program so that its tables come from this repository and not from settings of the user."""

    def __init__(self, path):
        self.path = str(Path(path).resolve())
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("WEFT_")}
        self.environment |= {"COLUMNS": "100000", "NO_COLOR": "1"}  # no line of a help is wrapped
        self.every_option = self.run("simulate", "--help-all").returncode == 0

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True, cwd=SOURCE,
                              env=self.environment, check=False)

    def listing(self, kind):
        """Returns the rows of `weft list KIND`, each a dictionary of texts."""
        ran = self.run("list", kind, "--json")
        if ran.returncode != 0:
            sys.exit(f"weft list {kind}: {ran.stderr.strip()}")
        return json.loads(ran.stdout)[kind]

    def help(self, *command):
        ran = self.run(*command, "--help-all" if command and self.every_option else "--help")
        if ran.returncode != 0:
            sys.exit(f"weft {' '.join(command)} --help: {ran.stderr.strip()}")
        return ran.stdout.splitlines()

    def commands(self):
        """Returns (name, summary) of each command, in the order of the help."""
        return [(name, text) for title, body in sections_of(self.help()) if title not in ("", "Options", "Examples")
                for name, text in entries(body) if re.fullmatch(r"[a-z][a-z-]*", name)]

    def subcommands(self, command):
        """Returns the same for the subcommands of a command, such as ("results diff", ...)."""
        return [(f"{command} {name}", text) for title, body in sections_of(self.help(command))
                if title == "Subcommands" for name, text in entries(body)]


def plain(text):
    """Escapes the text, so that Markdown shows it letter by letter."""
    return re.sub(r"([*_|<>])", r"\\\1", text).replace("\n", " ")


def code(text):
    return "`" + text.replace("|", "\\|") + "`" if text else ""


def table(head, rows):
    """Returns a table without the columns that are empty in all rows."""
    used = [c for c in range(len(head)) if any(row[c] for row in rows)]
    lines = [[head[c] for c in used], ["---"] * len(used), *([row[c] for c in used] for row in rows)]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""]


def page(title, reader, *parts):
    """Returns a page that names its readers and its origin."""
    made = "`make reference` generates this page from the tables of the program, so edit those instead."
    return "\n".join([f"# {title}", "", reader, made, "", *(line for part in parts for line in part)]).rstrip() + "\n"


def sentence(text):
    """Returns a summary with a capital letter and a full stop; names at its beginning stay as they are."""
    text = text.strip()
    if re.match(r"[a-z]{2,}[ :,]", text):
        text = text[0].upper() + text[1:]
    return text if not text or text[-1] in ".!?" else text + "."


# Commands

def option_row(name, text):
    found = DEFAULT.match(text)
    meaning, default = found.groups() if found else (text, "")
    return [code(name), plain(meaning), plain(default)]


HEAD = ["option", "meaning", "default"]
OPTIONLESS = {"Examples", "Subcommands"}
ARGUMENTS = {"Arguments", "Positionals"}
NEVER_SHARED = ARGUMENTS | {"Most used"}


def groups_of(lines):
    """Returns (title, [(option, text)]) of each group of options of a help text."""
    return [(title, entries([line for line in body if line.startswith(" ")])) for title, body in sections_of(lines)
            if title and title not in OPTIONLESS and not title.startswith("Examples")]


def shared_options(helps):
    """Returns {group: [(option, text)]} of the options that many commands share, in the order of the help."""
    counts = {}
    for lines in helps.values():
        for title, options in groups_of(lines):
            for name, text in options:
                counts.setdefault((title, name, text), 0)
                counts[title, name, text] += 1
    shared = {}
    for (title, name, text), count in counts.items():
        if count >= SHARED_BY and title not in NEVER_SHARED:
            shared.setdefault(title, []).append((name, text))
    return shared


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def examples_and_prose(lines):
    """Returns the lines below "Examples:" that are commands or comments above them, and the rest."""
    examples, prose, goes_on = [], [], False
    for line in filter(None, lines):
        is_example = goes_on or line.startswith(("  ", "# ", "weft "))
        goes_on = is_example and line.endswith("\\")
        (examples if is_example else prose).append(line.removeprefix("  "))
    return examples, prose


def examples_of(lines):
    shown = [line for title, part in sections_of(lines) if title == "Examples" for line in examples_and_prose(part)[0]]
    # Fenced by tildes, so that documents_test.py does not run again what it runs as the help's examples.
    return ["Examples:", "", "~~~sh", *shown, "~~~", ""] if shown else []


def notes_of(lines):
    """Returns the lines of prose after the options and after the examples."""
    found = []
    for title, part in sections_of(lines)[1:]:
        found += examples_and_prose(part)[1] if title == "Examples" else \
            [line for line in part if line and not line.startswith(" ")]
    return [plain(line) for line in found]


def command_part(name, summary, lines, shared):
    usage = [line.removeprefix("Usage: ") for line in lines if line.startswith("Usage: ")]
    heading = "##" if " " not in name else "###"
    out = [f"{heading} weft {name}", "", plain(sentence(summary)), "", "Usage: " + ", ".join(map(code, usage)), ""]
    own, common = [], []
    for title, options in groups_of(lines):
        rest = [(option, text) for option, text in options if (option, text) not in shared.get(title, [])]
        if title in ARGUMENTS:
            out += table(["argument", "meaning", "default"], [option_row(*option) for option in rest])
            continue
        own += [option_row(*option) for option in rest if not option[0].startswith("-h,")]
        names = [code(re.split("[ ,]", option[option.index("--"):])[0]) for option, text in options if (option, text) not in rest]
        if names:
            common.append(f"[{title}](#{anchor(title)}): {', '.join(names)}")
    out += table(HEAD, own) if own else []
    if common:
        out += ["Shared options:", "", *(f"- {line}" for line in common), ""]
    notes = notes_of(lines)
    return out + (["<br>\n".join(notes), ""] if notes else []) + examples_of(lines)


def commands_page(program):
    commands = [(name, text) for name, text in program.commands() if name not in ("help", "version")]
    commands = [each for name, text in commands for each in [(name, text), *program.subcommands(name)]]
    helps = {name: program.help(*name.split()) for name, _ in commands}
    shared = shared_options(helps)
    index = table(["command", "task"],
                  [[f"[{name}](#{anchor('weft ' + name)})", plain(sentence(text))] for name, text in commands])
    parts = [command_part(name, text, helps[name], shared) for name, text in commands]
    common = [["## Options that many commands share", ""]]
    common += [[f"### {title}", "", *table(HEAD, [option_row(*option) for option in options])]
               for title, options in shared.items()]
    return page("Commands", "For everybody who runs weft: each command with its arguments, options and examples.",
                index, *parts, *common)


# Tables of the program

def words(text):
    return ", ".join(word if word == "..." else code(word) for word in text.split())


def algorithms_page(program):
    algorithms = program.listing("algorithms")
    rows = [[code(a["name"]), words(a["aliases"]), words(a["collectives"]), plain(sentence(a["summary"])),
             plain(a["requirement"])] for a in algorithms]
    collectives = [[code(c["name"]), plain(sentence(c["summary"]))] for c in program.listing("collectives")]
    symbols = [[code(s["symbol"]), plain(s["meaning"])] for s in program.listing("symbols")]
    costs = [[code(c["algorithm"]), words(c["collectives"]), code(c["when"]), plain(c["steps"]), plain(c["messages"]),
              plain(c["bandwidth_factor"])] for c in program.listing("costs")]
    options = [[code("--" + o["name"]), words(o["algorithms"]), *option_row("", o["meaning"])[1:]]
               for o in program.listing("options")]
    sources = [[code(a["name"]), plain(a["source"])] for a in algorithms]
    libraries = [[code(n["name"]), n["library"], code(n["collective"]), plain(n["algorithm"]), n["ranks"]]
                 for n in program.listing("libraries")]
    return page("Algorithms", "For readers who choose or compare algorithms of collectives: all algorithms, with their costs. "
                "[How the algorithms work](../explanation/algorithms.md) explains them.",
                ["## Collectives", ""], table(["collective", "data, and meaning of the size"], collectives),
                ["## All algorithms", "", "An algorithm without a requirement fits any network and any number of ranks.",
                 ""],
                table(["algorithm", "other names", "collectives", "idea", "requirement"], rows),
                ["## Costs", "", "Costs are those on a star: one switch, and one full-duplex port for each rank. "
                 "Where a cost depends on the network, `weft cost` gives the exact figure.", ""],
                table(["symbol", "meaning"], symbols),
                table(["algorithm", "collectives", "with", "steps", "messages", "bandwidth factor T\\_B"], costs),
                ["## Options", ""], table(["option", "algorithms", "meaning", "default"], options),
                ["## Names in other libraries", "", "`--library smpi` or `--library mpich` makes `--algorithms` accept "
                 "these names.", ""],
                table(["name", "library", "collective", "algorithm", "ranks"], libraries),
                ["## Sources", ""], table(["algorithm", "source"], sources))


def shape_of(topology):
    parameters = topology["parameters"]
    return code(topology["name"] + (":" + parameters if parameters else ""))


def topologies_page(program):
    listed = program.listing("topologies")
    families, functions = [t for t in listed if t["nodes"]], [t for t in listed if not t["nodes"]]
    rows = [[shape_of(t), plain(sentence(t["summary"])), code(t["example"])] for t in families]
    sizes = [[code(t["name"]), plain(t["nodes"]), plain(t["degree"]), plain(t["diameter"]), words(t["classes"])]
             for t in families]
    notes = [[code(t["name"]), plain(t["note"]), plain(t["source"])] for t in families if t["note"] or t["source"]]
    made = [[code(t["name"]), code(t["parameters"]), plain(sentence(t["summary"])), code(t["example"])]
            for t in functions]
    places = [[code(p["name"]), plain(p["summary"])] for p in program.listing("placements")]
    return page("Topologies", "For readers who describe a network: all families and functions of expressions, and all "
                "placements of ranks. [How weft names and numbers networks](../explanation/topologies.md) explains them.",
                ["## Families", ""], table(["family", "network", "example"], rows),
                ["## Sizes and link classes", ""], table(["family", "nodes", "degree", "diameter", "link classes"], sizes),
                ["## Numbers and sources", ""], table(["family", "rules", "source"], notes),
                ["## Functions", ""], table(["function", "arguments", "result", "example"], made),
                ["## Placements", "", "`--placement` chooses the host of each rank; `--ranks` is the number of ranks.",
                 ""], table(["placement", "hosts of the ranks"], places))


def routings_page(program):
    rows = [[code(r["name"]), words(r["aliases"]), plain(r["fits"]), plain(sentence(r["summary"])),
             plain(r["channels"]), plain(r["deadlock"])] for r in program.listing("routings")]
    traffic = [[code(t["name"]), plain(sentence(t["summary"]))] for t in program.listing("traffic")]
    return page("Routings", "For readers who choose how messages find their way: all routings and traffic patterns.",
                table(["routing", "other names", "networks", "path", "virtual channels", "deadlock"], rows),
                ["## Traffic patterns", ""], table(["pattern", "destination"], traffic))


def formats_page(program):
    rows = [[code(f["name"]), plain(f["writes"]), plain(f["reads"]), plain(f["summary"]), plain(f["loses"])]
            for f in program.listing("formats")]
    return page("Formats", "For readers who exchange files with other programs: all formats of `weft import` and "
                "`weft export`. [Foreign formats](foreign-formats.md) has the details.",
                table(["format", "writes", "reads", "files", "loses"], rows))


def machines_page(program):
    machines = [[code(m["name"]), plain(m["summary"]), plain(m["host"]), plain(m["links"])]
                for m in program.listing("machines")]
    sources = [[code(m["name"]), plain(m["source"]), plain(m["assumption"])] for m in program.listing("machines")]
    networks = [[code(n["name"]), plain(sentence(n["summary"])), plain(n["source"])]
                for n in program.listing("networks")]
    devices = [[code(d["name"]), plain(d["summary"]), plain(d["peaks"]), d["memory"], plain(d["source"]),
                plain(d["note"])] for d in program.listing("devices")]
    models = [[code(w["name"]), plain(sentence(w["summary"])), f"{w['sample']} ({w['sample_tokens']})", w["layers"],
               w["parameters"], w["operations"]] for w in program.listing("workloads")]
    model_sources = [[code(w["name"]), plain(w["source"]), plain(w["note"])] for w in program.listing("workloads")]
    return page("Machines", "For readers who predict times on machines that exist: profiles, networks, devices, models.",
                ["## Machine profiles", ""], table(["machine", "description", "host", "links"], machines),
                table(["machine", "source", "assumptions"], sources),
                ["## Networks", ""], table(["network", "description", "source"], networks),
                ["## Devices", ""],
                table(["device", "description", "peak operations a second", "memory", "source", "note"], devices),
                ["## Models to train", ""],
                table(["model", "description", "sample (tokens)", "layers", "parameters", "operations"], models),
                table(["model", "source", "note"], model_sources))


ALL_MODELS = 4


def default_of(field):
    """Returns the default, with its description if the value alone explains little."""
    fallback, (_, _, shown) = field["default"], option_row("", field["meaning"])
    if fallback == "needed":
        return fallback
    says_more = shown and fallback in ("", "auto", "0") and shown != fallback
    return f"{code(fallback)} ({shown})" if fallback and says_more else shown if says_more else code(fallback)


def field_cells(field, *between):
    return [code(field["name"]), default_of(field), *between, option_row("", field["meaning"])[1]]


def model_options_page(program):
    models = [[code(m["name"]), plain(sentence(m["summary"]))] for m in program.listing("models")]
    options = {option["name"] for option in program.listing("options")}
    fields = [f for f in program.listing("fields") if "simulate" in f["kinds"].split()
              and f["name"] not in options | {"collective", "topology", "algorithm", "size", "link-default"}]
    return page("Options of the models", "For readers who adjust a prediction: the models, and the options that change "
                "what they take into account.", table(["model", "summary"], models),
                ["## Options", "", "An option without models applies to all of them. An empty default comes from the "
                 "machine or the network.", ""],
                table(["option", "default", "models", "meaning"],
                      [field_cells(f, words(f["models"]) if len(f["models"].split()) < ALL_MODELS else "")
                       for f in fields]))


def kinds_of(field, every):
    """Returns the kinds that have the field, or the kinds that lack it if they are fewer."""
    kinds = field["kinds"].split()
    lacking = [kind for kind in every if kind not in kinds]
    if not lacking:
        return "all"
    return words(field["kinds"]) if len(kinds) <= len(lacking) + 2 else "all but " + words(" ".join(lacking))


def experiment_fields_page(program):
    kinds, columns = program.listing("kinds"), program.listing("columns")
    every = [kind["name"] for kind in kinds]
    rows = [[f"[{k['name']}](#columns-of-{k['name']})", plain(sentence("a row is " + k["summary"])), words(k["needed"])]
            for k in kinds]
    options = [option["name"] for option in program.listing("options")]
    fields = [field_cells(f, kinds_of(f, every)) for f in program.listing("fields") if f["name"] not in options]
    named = ", ".join(map(code, options))
    parts = [line for kind in every for line in
             [f"### Columns of {kind}", "", *table(["column", "meaning"], [
                 [code(c["name"]), plain(c["meaning"])] for c in columns if c["kind"] == kind])]]
    return page("Experiment fields", "For readers who write a study: all kinds of rows, their parameters and their "
                "columns. [Write a study](../how-to/write-a-study.md) explains the file.",
                ["## Kinds", ""], table(["kind", "row", "parameters that are needed"], rows),
                ["## Parameters", "", "A parameter takes one value or a list of values. The default `auto` lets weft "
                 "choose.", ""], table(["parameter", "default", "kinds", "meaning"], fields),
                [f"Kinds that have `algorithm` also take the [options of algorithms](algorithms.md#options), {named}, "
                 "with the default `auto`.", ""],
                ["## Columns", ""], parts)


PAGES = {"commands.md": commands_page, "algorithms.md": algorithms_page, "topologies.md": topologies_page,
         "routings.md": routings_page, "formats.md": formats_page, "machines.md": machines_page,
         "model-options.md": model_options_page, "experiment-fields.md": experiment_fields_page,
         "answer-keys.md": lambda program: answer_keys_page(program, page, table, code, plain)}


def write_pages(program, folder):
    """Writes all pages; returns their paths."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (Path(folder) / name).write_text(make(Program(program)))
    return [Path(folder) / name for name in PAGES]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: make_reference.py PROGRAM FOLDER")
    write_pages(sys.argv[1], sys.argv[2])
