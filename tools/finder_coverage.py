#!/usr/bin/env python3
"""Measures how much searched graphs improve on the families and expansions, for every size up to 2000.

    tools/finder_coverage.py WEFT FOLDER

The script runs `weft find` on the shipped catalogue with and without its searched graphs (d = 2 to 8, one-way and
two-way). It counts the sizes with good networks of at most one step more than the Moore bound. For each degree and
direction it writes a table (coverage-D-DIRECTION.csv) and a chart (coverage-D-DIRECTION.svg, by gnuplot) into FOLDER:
the smallest T_B within that number of steps, divided by (N-1)/N.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

LAST = 2000


def moore_steps(nodes, degree, two_way):
    """Returns the smallest diameter by the Moore bound; in two-way networks one cable of a node leads back."""
    if two_way and degree == 2:
        return nodes // 2
    reached, layer, steps = 1, degree, 0
    while reached < nodes:
        reached += layer
        layer *= degree - 1 if two_way else degree
        steps += 1
    return steps


def best_factors(weft, catalogue, degree, two_way):
    """Returns the smallest T_B within one step of the Moore bound, by size."""
    command = [weft, "find", "--nodes", f"2..{LAST}", "--degree", str(degree), "--csv", "-", "--quiet",
               "--catalogue", os.devnull] + ([] if two_way else ["--one-way"])
    answer = subprocess.run(command, check=True, capture_output=True, text=True,
                            env={**os.environ, "WEFT_CATALOGUE": catalogue})
    best = {}
    for line in csv.DictReader(answer.stdout.splitlines()):
        nodes, factor = int(line["nodes"]), Fraction(line["bandwidth_factor"])
        if int(line["steps"]) <= moore_steps(nodes, degree, two_way) + 1:
            best[nodes] = min(factor, best.get(nodes, factor))
    return best


def counts(best):
    optimal = sum(factor == Fraction(nodes - 1, nodes) for nodes, factor in best.items())
    near = sum(factor <= Fraction(102, 100) for factor in best.values())
    return f"{len(best)} {optimal} {near}"


def write_chart(folder, name, title, both):
    table = os.path.join(folder, name + ".csv")
    with open(table, "w", encoding="utf-8") as out:
        for nodes in range(2, LAST + 1):
            ratios = [float(best[nodes] / Fraction(nodes - 1, nodes)) if nodes in best else "nan" for best in both]
            out.write(f"{nodes},{ratios[0]},{ratios[1]}\n")
    script = f"""
        set terminal svg size 900,420; set output '{os.path.join(folder, name + ".svg")}'
        set datafile separator ','; set title '{title}'; set key top right box opaque
        set xlabel 'nodes'; set ylabel 'T_B over (N-1)/N'; set xrange [0:{LAST}]; set yrange [0.98:*]; set grid
        plot '{table}' using 1:2 with points pt 7 ps 0.25 title 'families and expansions', \
             '{table}' using 1:3 with points pt 7 ps 0.25 title 'with searched graphs'
    """
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    weft, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    shipped = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "share", "catalogue")
    print("degree direction: sizes with a network of Moore + 1 steps, with T_B = (N-1)/N, with T_B <= 1.02")
    with tempfile.TemporaryDirectory() as plain:
        for file in os.listdir(shipped):
            if not file.startswith("searched"):
                shutil.copy(os.path.join(shipped, file), plain)
        for degree in (2, 4, 8, 3, 5, 6, 7):
            for direction in ("one-way", "two-way"):
                two_way = direction == "two-way"
                both = [best_factors(weft, catalogue, degree, two_way) for catalogue in (plain, shipped)]
                print(f"{degree} {direction}: {counts(both[0])} | with searched graphs: {counts(both[1])}")
                write_chart(folder, f"coverage-{degree}-{direction}",
                            f"d = {degree}, {direction}: best within Moore + 1 steps", both)


if __name__ == "__main__":
    main()
