#!/usr/bin/env python3
"""Prints what the tests of a run took: tools/slowest_cases.py TIMES [COUNT].

TIMES is the folder into which test programs write their reports (GTEST_OUTPUT, tests/CMakeLists.txt). Prints the
number of fast cases, their time, and the COUNT slowest of those that took over two seconds.
"""
import json
import pathlib
import sys

MOST_SECONDS = 2


def cases_of(report):
    """(seconds, name) of each case of one report."""
    for suite in json.loads(report.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            yield float(case["time"].removesuffix("s")), f'{report.stem.split(".")[0]} {case["classname"]}.{case["name"]}'


def main():
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    cases = sorted((case for report in folder.glob("*.json") if ".slow." not in report.name
                    for case in cases_of(report)), reverse=True)
    print(f"{len(cases)} fast cases took {sum(seconds for seconds, _ in cases):.0f} s")
    slow = [case for case in cases if case[0] > MOST_SECONDS]
    if slow:
        print(f"{len(slow)} of them took over {MOST_SECONDS} s, move them to the slow tests:")
    for seconds, name in slow[:count]:
        print(f"  {seconds:6.1f} s  {name}")


if __name__ == "__main__":
    main()
