#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What holds for every tracked text file: its size, its licence line, its white space."""

import subprocess
import sys
from pathlib import Path

LONGEST_SOURCE = 600
LONGEST_TEST = 1000

SOURCES = {
    ".cpp", ".h", ".def", ".py", ".cmake",
    ".glsl", ".vert", ".tesc", ".tese", ".geom", ".frag", ".comp", ".task", ".mesh",
    ".rgen", ".rmiss", ".rchit", ".rahit", ".rint", ".rcall",
}
SCRIPTS = {"dev", "CMakeLists.txt", "tests/check_format", "tests/check_tidy"}

# Inputs and outputs of golden cases are what they are.
FREE = ("tests/golden/",)


def tracked(root: Path) -> list:
    command = ["git", "-c", f"safe.directory={root}", "-C", root, "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, check=False)
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
        return [name for name in names if name and (root / name).is_file()]
    return [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in ("build", ".git")
    ]


def is_source(name: str) -> bool:
    path = Path(name)
    return path.suffix in SOURCES or name in SCRIPTS or path.name == "CMakeLists.txt"


def complaints(name: str, text: str):
    lines = text.split("\n")
    if text and not text.endswith("\n"):
        yield "does not end with a newline"
    if text.endswith("\n\n"):
        yield "ends with an empty line"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield f"line {number} holds a tab"
        if line != line.rstrip():
            yield f"line {number} ends with white space"
    if not is_source(name):
        return
    if not any("SPDX-License-Identifier: MIT" in line for line in lines[:3]):
        yield "has no SPDX line"
    longest = LONGEST_TEST if name.startswith("tests/") else LONGEST_SOURCE
    if len(lines) - 1 > longest:
        yield f"has {len(lines) - 1} lines, more than {longest}: split it"


def unlisted_tests(root: Path, names: list):
    """Test sources that no CMakeLists.txt above them builds."""
    for name in names:
        if not (name.startswith("tests/") and name.endswith("_test.cpp")):
            continue
        lists = [root / folder / "CMakeLists.txt" for folder in Path(name).parents if folder.parts[:1] == ("tests",)]
        text = "".join(path.read_text(encoding="utf-8") for path in lists if path.exists())
        if Path(name).name not in text:
            yield f"{name}: is in no CMakeLists.txt"


def main() -> int:
    root = Path(sys.argv[1]).resolve()
    wrong = list(unlisted_tests(root, tracked(root)))
    for name in tracked(root):
        if name.startswith(FREE) and not name.startswith("tests/golden/run_case.py"):
            continue
        data = (root / name).read_bytes()
        if b"\0" in data:
            continue
        wrong += [f"{name}: {complaint}" for complaint in complaints(name, data.decode("utf-8"))]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
