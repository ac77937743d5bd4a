#!/usr/bin/env python3
"""Reads every file of a folder with weft and counts the results.

    tools/corpus.py FOLDER                       read networks, schedules, programs, measured tables
    tools/corpus.py FOLDER --facts facts.csv     also compare with known facts about the files
    tools/corpus.py FOLDER --name '*.graphml'    read only files with such names
    tools/corpus.py FOLDER --list                also print a line for each file

The script passes outputs of OSU, IMB and nccl-tests to `weft calibrate`, and all other files to `weft import`.
Verdicts:

    read       exit code 0                 refused    exit code 2, and one line with the reason
    right      read, and equal to facts    wrong      read or refused, but the facts differ
    crash      another exit code, several lines, or no answer within --limit seconds

Causes are the messages without names and numbers, so that equal causes are counted together. The exit
code is 1 if a file crashes or is wrong.

Facts are a table of comma-separated values with these columns:

    file      the end of the path, as owner/name/examples/net.xml
    hosts, switches, cables     sizes of the network; empty: not known
    refused   a regular expression for the message, for files without data for weft
    source    origin of the fact: another program and its version, or the file itself

tools/corpus_facts.csv has facts about the Topology Zoo, counted by NetworkX. The files are not in this repository:
clone theirs into FOLDER/owner/name and run the script.
"""
import argparse
import collections
import concurrent.futures
import csv
import fnmatch
import glob
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MEASURED = re.compile(
    rb"# OSU |Intel\(R\) MPI Benchmarks|# Benchmarking |nccl-tests|out-of-place|\balgbw\b", re.I)
COUNTS = ("hosts", "switches", "cables")


def files_of(folder, name):
    for path in sorted(pathlib.Path(p) for p in glob.glob(f"{glob.escape(str(folder))}/**", recursive=True)):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and fnmatch.fnmatch(path.name, name):
            yield path


def command_for(path, weft, folder):
    with open(path, "rb") as file:
        head = file.read(65536)
    if MEASURED.search(head):
        return [weft, "calibrate", str(path), "--tables", "--json"]
    return [weft, "import", str(path), "-o", os.path.join(folder, "out.json"), "--json"]


def cause_of(message, path):
    """Returns the kind of a message: its text without the file, numbers and quotations."""
    text = message.replace(str(path), "FILE").replace(path.name, "FILE")
    text = re.sub(r"^weft: (error: )?", "", text)
    text = re.sub(r"FILE(:\d+)*:? ?", "", text)
    text = re.sub(r"\"[^\"]*\"|'[^']*'", "'...'", text)
    return re.sub(r"\d+", "N", text)[:100]


def try_file(path, options):
    with tempfile.TemporaryDirectory(prefix="weft-corpus-") as folder:
        command = command_for(path, options.weft, folder)
        try:
            done = subprocess.run(command, capture_output=True, timeout=options.limit, cwd=folder)
        except subprocess.TimeoutExpired:
            return {"path": path, "verdict": "crash", "cause": "no answer in time"}
        errors = done.stderr.decode(errors="replace").strip()
        if done.returncode == 0:
            try:
                answer = json.loads(done.stdout)
            except ValueError:
                answer = {}
            return {"path": path, "verdict": "read", "answer": answer,
                    "cause": answer.get("format", command[1])}
        if done.returncode in (1, 2) and errors and "\n" not in errors:
            return {"path": path, "verdict": "refused", "message": errors,
                    "cause": cause_of(errors, path)}
        return {"path": path, "verdict": "crash",
                "cause": f"exit code {done.returncode}: {cause_of(errors, path)}"}


def read_facts(path):
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    names = rows[0]
    facts = {}
    for row in rows[1:]:
        fact = dict(zip(names, row))
        facts.setdefault(fact["file"].rsplit("/", 1)[-1], []).append(fact)
    return facts


def fact_for(path, facts):
    for fact in facts.get(path.name, []):
        if ("/" + str(path).replace(os.sep, "/")).endswith("/" + fact["file"]):
            return fact
    return None


def judge(result, fact):
    """Returns right or wrong if facts about the file are known, otherwise the verdict."""
    if fact is None or result["verdict"] == "crash":
        return
    wrong = []
    if fact.get("refused"):
        if result["verdict"] != "refused":
            wrong.append("read, and should be refused")
        elif not re.search(fact["refused"], result["message"]):
            wrong.append("refused for another reason")
    elif result["verdict"] == "refused":
        wrong.append("refused: " + result["cause"])
    else:
        for key in COUNTS:
            if fact.get(key) and str(result["answer"].get(key)) != fact[key]:
                wrong.append(f"{key} {result['answer'].get(key)}, not {fact[key]}")
    result["verdict"] = "wrong" if wrong else "right"
    if wrong:
        result["cause"] = "; ".join(wrong)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--weft", default=str(ROOT / "build/release/bin/weft"))
    parser.add_argument("--facts", help="table of what is known of the files")
    parser.add_argument("--name", default="*", help="pattern of the files' names")
    parser.add_argument("--limit", type=float, default=60, help="seconds for a file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print a line a file")
    options = parser.parse_args()
    options.folder = os.path.abspath(options.folder)  # weft runs in a folder of its own
    if not os.path.isdir(options.folder):
        parser.error(f"{options.folder} is no folder")
    if not os.access(options.weft, os.X_OK):
        parser.error(f"{options.weft} is no program; build weft, or name one with --weft")

    facts = read_facts(options.facts) if options.facts else {}
    verdicts = collections.Counter()
    causes = collections.Counter()
    example = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda path: try_file(path, options),
                               files_of(options.folder, options.name)):
            judge(result, fact_for(result["path"], facts))
            key = result["verdict"], result["cause"]
            verdicts[result["verdict"]] += 1
            causes[key] += 1
            example.setdefault(key, result["path"])
            if options.list:
                print(result["verdict"], result["path"], result["cause"], sep="\t")
    for verdict, count in verdicts.most_common():
        print(f"{verdict:8} {count:6}")
        for (its, cause), times in causes.most_common():
            if its == verdict:
                print(f"         {times:6}  {cause}  ({example[its, cause]})")
    if not verdicts:
        print(f"no files named {options.name} in {options.folder}")
    return 1 if verdicts["crash"] or verdicts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
