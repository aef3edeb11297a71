#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Out of memory is an error with a sentence, exit code 1 and no output: a shader of many bindings, in more and more memory.

With sanitizers, which reserve more addresses than can be allowed here, nothing can be tried: exit code 77.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import resource
except ImportError:  # not on Windows
    sys.exit(77)

BINDINGS = 2000
LIMITS = range(8, 256, 8)  # MiB


def shader() -> str:
    declared = "".join(f"layout(set = 0, binding = {i}) buffer B{i} {{ uint v; }} b{i};\n" for i in range(BINDINGS))
    used = "".join(f"  b{i}.v = {i};\n" for i in range(BINDINGS))
    return f"#version 450\n{declared}void main() {{\n{used}}}\n"


def run(limit: int, *command: str) -> subprocess.CompletedProcess:
    size = limit << 20
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heapsmith", required=True)
    heapsmith = parser.parse_args().heapsmith
    refused = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "many.comp")
        source.write_text(shader(), encoding="utf-8")
        out = Path(folder, "out")
        for limit in LIMITS:
            if run(limit, heapsmith, "--version").returncode != 0:
                continue
            done = run(limit, heapsmith, "rewrite", "-j", "2", str(source), "-o", str(out))
            if done.returncode == 0:
                return 0 if refused else 77
            if done.returncode != 1 or done.stderr != "heapsmith: error: out of memory\n" or out.exists():
                print(f"in {limit} MiB: exit code {done.returncode}, {done.stderr!r}, outputs: {out.exists()}")
                return 1
            refused += 1
    return 77


if __name__ == "__main__":
    sys.exit(main())
