#!/usr/bin/env python3
"""Compares the cost formulas of `weft list costs` with the costs of schedules on a star.

The test evaluates formulas that depend only on the number of ranks, for 6 and 8 ranks, and compares them with rows of
kind cost. Other tests check formulas in words and formulas that depend on the shape of a network.
"""

import json
import math
import os
import re
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

STUDY = """[experiment]
title = "Costs"
kind = "cost"
[variables]
n = [6, 8]
[grid]
topology = "xgft:1;{n};1"
collective = ["alltoall", "allgather", "reduce-scatter", "allreduce", "broadcast", "reduce", "scatter", "gather"]
algorithm = ["all", "gather-broadcast", "rabenseifner-nearest"]
"""
FUNCTIONS = {"floor": math.floor, "ceil": math.ceil, "log2": lambda n: Fraction(math.log2(n))}
RADIX = {"bruck": 2, "knomial": 4}
TOKEN = re.compile(r"\[E\]|v\(r\)|d\(r\)|log2|[A-Za-z]+|\d+|[-+*/^(),]")


def digits(number, radix):
    return [number // radix ** j % radix for j in range(20)]


def values_of(ranks, algorithm):
    """Returns the values of the symbols of `weft list symbols` for this number of ranks, with one segment."""
    k = ranks.bit_length() - 1
    extra = ranks - 2 ** k
    values = {"N": ranks, "k": k, "C": 2 ** k, "E": extra, "[E]": int(extra > 0), "s": 1, **FUNCTIONS}
    radix = RADIX.get(algorithm)
    if radix:
        values |= {"r": radix, "L": next(l for l in range(20) if radix ** l >= ranks),
                   "v(r)": sum(z * radix ** j < ranks for j in range(20) for z in range(1, radix)),
                   "d(r)": sum(d != 0 for i in range(ranks) for d in digits(i, radix))}
    return values


def value_of(formula, values):
    """Returns the value of the formula, or None if it has words or unknown symbols."""
    tokens = TOKEN.findall(formula)
    if "".join(tokens) != formula.replace(" ", "") or \
            any(not re.match(r"\d|[-+*/^(),]", token) and token not in values for token in tokens):
        return None
    names = {f"v{i}": Fraction(value) if not callable(value) else value for i, value in enumerate(values.values())}
    known, text, before = list(values), "", None
    for token in tokens:
        is_operand = token in values or token.isdigit()
        # "log2 N" is a call, "2 floor(N/2)" and "N(N - 1)" are products.
        if before in FUNCTIONS and token != "(":
            token_text, close = f"(v{known.index(token)})", ""
            text += token_text
        else:
            if (is_operand or token == "(") and before is not None and before not in FUNCTIONS and \
                    (before in values or before.isdigit() or before == ")"):
                text += "*"
            text += f"v{known.index(token)}" if token in values else \
                f"Fraction({token})" if token.isdigit() else {"^": "**"}.get(token, token)
        before = token
    return eval(text, {"Fraction": Fraction}, names)  # of tokens that are all known


def main():
    program = os.environ["WEFT_PROGRAM"]

    def run(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    formulas = json.loads(run("list", "costs", "--json"))["costs"]
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "costs.toml"
        study.write_text(STUDY)
        run("sweep", str(study), "--quiet")
        rows = json.loads(run("results", str(study), "--json"))["rows"]
    compared, faults = 0, []
    for row in rows:
        ranks = int(re.search(r";(\d+);", row["topology"]).group(1))
        for formula in formulas:
            if formula["algorithm"] != row["algorithm"] or formula["when"] not in ("", "children=in-turn") or \
                    row["collective"] not in formula["collectives"].split():
                continue
            for column in ("steps", "messages", "bandwidth_factor"):
                wanted = value_of(formula[column], values_of(ranks, row["algorithm"]))
                if wanted is None:
                    continue
                compared += 1
                if Fraction(str(row[column])) != wanted:
                    faults.append(f"{row['algorithm']} {row['collective']} of {ranks}: {column} is {row[column]}, "
                                  f"not {formula[column]} = {wanted}")
    assert not faults, "\n" + "\n".join(faults)
    assert compared > 150, f"only {compared} values were compared"
    print(f"{compared} values of formulas are those of schedules")


main()
