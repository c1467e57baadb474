# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summary.py RESULTS: one line per program that ctest ran, and at last `N passed, N failed` over all their tests.

RESULTS/ctest.xml is ctest's own report; RESULTS/<name>.xml, where there is one, counts the tests inside <name>.
"""
import pathlib
import sys
import xml.etree.ElementTree as xml


def cases(report: pathlib.Path) -> tuple[int, int]:
    """Passed and failed tests of a JUnit report; skipped ones are neither."""
    passed = failed = 0
    for case in xml.parse(report).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is None and case.get("status") != "notrun":
            passed += 1
    return passed, failed


def main(results: pathlib.Path) -> int:
    total_passed = total_failed = 0
    for program in xml.parse(results / "ctest.xml").getroot().iter("testcase"):
        name, good = program.get("name"), program.get("status") == "run"
        report = results / f"{name}.xml"
        try:
            passed, failed = cases(report) if report.exists() else (int(good), int(not good))
        except xml.ParseError:  # The program died while it wrote.
            passed, failed = 0, 1
        if not good and failed == 0:  # It ended badly after its last test.
            failed = 1
        print(f"  {name:<32} {passed:6} passed {failed:4} failed {float(program.get('time')):8.1f} s")
        total_passed += passed
        total_failed += failed
    print(f"{total_passed} passed, {total_failed} failed")
    return 0 if total_failed == 0 and total_passed > 0 else 1


sys.exit(main(pathlib.Path(sys.argv[1])))
