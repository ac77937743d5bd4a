#!/usr/bin/env python3
"""Prints the run times of the fast tests: tools/slowest_cases.py TIMES JUDGES.

TIMES is the folder into which test programs write their reports (GTEST_OUTPUT, tests/CMakeLists.txt) and ctest the
times of scripts (ctest.xml). The script prints the number of cases and scripts, their time, and those that took over
two seconds, except those that the file JUDGES names.
"""
import json
import pathlib
import sys
import xml.etree.ElementTree

MOST_SECONDS = 2
MOST_JUDGES = 20


def cases_of(report):
    """Yields (seconds, name) of each case of one report."""
    for suite in json.loads(report.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            yield float(case["time"].removesuffix("s")), f'{case["classname"]}.{case["name"]}'


def scripts_of(report, programs):
    """Yields (seconds, name) of each test of ctest that is no program with cases of its own."""
    for test in xml.etree.ElementTree.parse(report).iter("testcase"):
        if test.get("name") not in programs:
            yield float(test.get("time")), test.get("name")


def main():
    folder, judges = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    named = {line for line in judges.read_text().splitlines() if line and not line.startswith("#")}
    if len(named) > MOST_JUDGES:
        sys.exit(f"{judges} names {len(named)} tests (expected at most {MOST_JUDGES})")
    reports = [report for report in folder.glob("*.json") if ".slow." not in report.name]
    took = [case for report in reports for case in cases_of(report)]
    cases = len(took)
    if (folder / "ctest.xml").exists():
        took += scripts_of(folder / "ctest.xml", {report.stem for report in reports})
    print(f"{cases} fast cases and {len(took) - cases} scripts took {sum(seconds for seconds, _ in took):.0f} s")
    slow = sorted((each for each in took if each[0] > MOST_SECONDS and each[1] not in named), reverse=True)
    if slow:
        print(f"{len(slow)} of them took over {MOST_SECONDS} s; make them slow tests, or name them in {judges}:")
    for seconds, name in slow:
        print(f"  {seconds:6.1f} s  {name}")


if __name__ == "__main__":
    main()
