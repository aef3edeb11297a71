#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every diagnostic that the compiler can give is provoked by a test: a golden case says it, or a unit test names it."""

import re
import sys
from pathlib import Path


def main() -> int:
    root = Path(sys.argv[1])
    table = (root / "compiler/base/diagnostic_codes.def").read_text(encoding="utf-8")
    codes = re.findall(r"^HEAPSMITH_DIAGNOSTIC\((\w+), (\d+),", table, re.MULTILINE)
    said = "".join(path.read_text(encoding="utf-8") for path in (root / "tests/golden").rglob("expected.stderr"))
    named = "".join(path.read_text(encoding="utf-8") for path in (root / "tests/compiler").rglob("*_test.cpp"))
    wrong = [f"{number} is there twice" for number in {n for _, n in codes} if [n for _, n in codes].count(number) > 1]
    for name, number in codes:
        if f"[HS{number}]" not in said and not re.search(rf"\b(Code::{name}|HS{number})\b", named):
            wrong.append(f"no test provokes HS{number} ({name})")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
