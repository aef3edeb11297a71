#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one golden case: a folder that holds inputs, a command line and everything that must come of it.

    args              the command line behind `heapsmith`, one line; lines that begin with # say what the case is for
    expected.stdout   absent: empty
    expected.stderr   absent: empty
    expected.exit     absent: 0
    expected/         the files that the run writes
    stdin             what standard input holds, if anything (stdin.hex, stdin.escaped: as below)
    NAME.spv.asm      SPIR-V assembly, from which NAME.spv is made
    NAME.hex          32-bit words (8 digits, little-endian) and bytes (2 digits) in hexadecimal, from which NAME is made
    NAME.escaped      text with \\r, \\n, \\xNN and \\\\, from which NAME is made
    anything else     an input, at the same path

The command runs in a copy of the folder. Beyond what the files say, it must keep heapsmith's promises: when it fails, no
file is touched; when it runs again, no file is touched; in another folder, the same bytes come out.

Two things in outputs belong to the front end's version and not to us, so the expectation holds a text in their place: a
SPIR-V module (NAME.spv.txt says whether it is valid, or which input it equals) and its SHA-256 (which is checked).

UPDATE_GOLDEN=1 in the environment rewrites what is expected.
"""

import argparse
import difflib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OLD = 1_000_000_000  # a time stamp that no run of ours can produce
SPIRV_MAGIC = b"\x03\x02\x23\x07"


class Mismatch(Exception):
    pass


class Case:
    def __init__(self, folder: Path, heapsmith: str):
        self.folder = folder
        self.heapsmith = heapsmith
        lines = (folder / "args").read_text(encoding="utf-8").splitlines()
        commands = [line for line in lines if line.strip() and not line.startswith("#")]
        if len(commands) != 1:
            raise Mismatch(f"{folder / 'args'}: there must be one command line, not {len(commands)}")
        self.arguments = shlex.split(commands[0])

    def copy_inputs(self, target: Path):
        target.mkdir(parents=True)
        for source in sorted(self.folder.rglob("*")):
            relative = source.relative_to(self.folder)
            first = relative.parts[0]
            if source.is_dir() or first in ("args", "expected") or first.startswith(("expected.", "stdin")):
                continue
            destination = target / relative
            destination.parent.mkdir(parents=True, exist_ok=True)
            make_input(source, destination)

    def standard_input(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            for source in self.folder.glob("stdin*"):
                make_input(source, Path(folder) / source.name)
            made = Path(folder) / "stdin"
            return made.read_bytes() if made.exists() else b""

    def run(self, directory: Path):
        return subprocess.run(
            [self.heapsmith, *self.arguments],
            cwd=directory,
            input=self.standard_input(),
            capture_output=True,
            timeout=120,
            env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
            check=False,
        )


def make_input(source: Path, destination: Path):
    if source.name.endswith(".spv.asm"):
        assemble(source, destination.with_suffix(""))
    elif source.suffix == ".hex":
        destination.with_suffix("").write_bytes(parse_hex(source.read_text(encoding="ascii")))
    elif source.suffix == ".escaped":
        text = source.read_bytes()
        destination.with_suffix("").write_bytes(re.sub(rb"\\(x[0-9A-Fa-f]{2}|.)", unescape, text))
    else:
        shutil.copyfile(source, destination)


def assemble(source: Path, destination: Path):
    command = ["spirv-as", "--preserve-numeric-ids", "--target-env", "vulkan1.4", "-o", destination, source]
    subprocess.run(command, check=True)


def parse_hex(text: str) -> bytes:
    data = b""
    for line in text.splitlines():
        for token in line.split("#")[0].split():
            data += bytes.fromhex(token)[::-1]
    return data


def unescape(match) -> bytes:
    what = match.group(1)
    if what.startswith(b"x"):
        return bytes.fromhex(what[1:].decode())
    return {b"r": b"\r", b"n": b"\n", b"\\": b"\\"}[what]


def snapshot(directory: Path) -> dict:
    """Every file and folder below, with content and time of its last change."""
    found = {}
    for path in sorted(directory.rglob("*")):
        status = path.lstat()
        content = None if path.is_dir() else path.read_bytes()
        found[path.relative_to(directory).as_posix()] = (content, content is None or status.st_mtime_ns)
    return found


def age(directory: Path):
    for path in directory.rglob("*"):
        os.utime(path, (OLD, OLD))


def changed(before: dict, after: dict) -> list:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def describe_module(content: bytes, inputs: dict) -> bytes:
    for name, (known, _) in inputs.items():
        if known == content:
            return f"the same bytes as {name}\n".encode()
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        command = ["spirv-val", "--target-env", "vulkan1.4", file.name]
        valid = subprocess.run(command, capture_output=True, check=False).returncode == 0
    return b"valid SPIR-V\n" if valid else b"SPIR-V that spirv-val refuses\n"


def render_outputs(before: dict, after: dict) -> dict:
    """The files that a run wrote, as expected/ holds them."""
    written = [path for path in changed(before, after) if path in after and after[path][0] is not None]
    digests = {hashlib.sha256(after[path][0]).hexdigest(): path for path in written}
    rendered = {}
    for path in written:
        content = after[path][0]
        if path.endswith(".spv"):
            rendered[path + ".txt"] = describe_module(content, before)
            continue

        def name_digest(match):
            known = digests.get(match.group(0).decode())
            return match.group(0) if known is None else f"<sha256 of {known}>".encode()

        rendered[path] = re.sub(rb"\b[0-9a-f]{64}\b", name_digest, content)
    return rendered


def diff(name: str, expected: bytes, got: bytes) -> str:
    def lines(data):
        return data.decode("utf-8", "backslashreplace").splitlines(keepends=True)

    text = ""
    for line in difflib.unified_diff(lines(expected), lines(got), f"expected {name}", f"got {name}"):
        text += line if line.endswith("\n") else line + "\n\\ no newline at the end\n"
    return text


def read_expected(folder: Path) -> dict:
    expected = {"exit": b"0\n", "stdout": b"", "stderr": b""}
    for name in list(expected):
        path = folder / f"expected.{name}"
        if path.exists():
            expected[name] = path.read_bytes()
    files = folder / "expected"
    for path in sorted(files.rglob("*")):
        if path.is_file():
            expected["expected/" + path.relative_to(files).as_posix()] = path.read_bytes()
    return expected


def write_expected(folder: Path, got: dict):
    shutil.rmtree(folder / "expected", ignore_errors=True)
    for name, content in got.items():
        path = folder / (name if name.startswith("expected/") else f"expected.{name}")
        if content == {"exit": b"0\n"}.get(name, b"") and not name.startswith("expected/"):
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def outcome(result, before: dict, after: dict) -> dict:
    stdout = result.stdout
    if stdout.startswith(SPIRV_MAGIC):
        stdout = describe_module(stdout, before)
    got = {"exit": f"{result.returncode}\n".encode(), "stdout": stdout, "stderr": result.stderr}
    got.update({"expected/" + path: content for path, content in render_outputs(before, after).items()})
    return got


def compare(expected: dict, got: dict, what: str):
    text = ""
    for name in sorted(expected.keys() | got.keys()):
        if name not in got:
            text += f"{name} was not written\n"
        elif name not in expected:
            text += f"{name} is not expected\n" + diff(name, b"", got[name])
        elif expected[name] != got[name]:
            text += diff(name, expected[name], got[name])
    if text:
        raise Mismatch(f"{what}\n{text}")


def run_once(case: Case, directory: Path):
    case.copy_inputs(directory)
    age(directory)
    before = snapshot(directory)
    result = case.run(directory)
    after = snapshot(directory)
    if result.returncode != 0 and changed(before, after):
        raise Mismatch(f"the run failed, and still touched: {', '.join(changed(before, after))}\n{result.stderr.decode()}")
    return result, outcome(result, before, after)


def check_rerun(case: Case, directory: Path, first):
    """Over what the first run left behind: nothing is written, and the same is said."""
    age(directory)
    before = snapshot(directory)
    again = case.run(directory)
    if changed(before, snapshot(directory)):
        raise Mismatch(f"a second run touched: {', '.join(changed(before, snapshot(directory)))}")
    same = (again.returncode, again.stdout, again.stderr) == (first.returncode, first.stdout, first.stderr)
    if not same:
        raise Mismatch("a second run said something else\n" + diff("stderr", first.stderr, again.stderr))


def main() -> int:
    parser = argparse.ArgumentParser(description="run one golden case")
    parser.add_argument("--heapsmith", required=True, help="the command under test")
    parser.add_argument("case", type=Path)
    options = parser.parse_args()
    update = os.environ.get("UPDATE_GOLDEN") == "1"
    try:
        case = Case(options.case.resolve(), os.path.abspath(options.heapsmith))
        with tempfile.TemporaryDirectory(prefix="golden") as root:
            here = Path(root) / "here"
            elsewhere = Path(root) / "else where" / "deeper"
            result, got = run_once(case, here)
            if update:
                write_expected(case.folder, got)
            compare(read_expected(case.folder), got, "not as expected (UPDATE_GOLDEN=1 takes over what came)")
            check_rerun(case, here, result)
            compare(got, run_once(case, elsewhere)[1], "another folder gives something else")
    except Mismatch as mismatch:
        print(f"{options.case.name}: {mismatch}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
