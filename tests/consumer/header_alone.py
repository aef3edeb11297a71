#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An application that compiles the generated header in: C++20 without exceptions and RTTI, old and new compilers, every
warning an error. It links the manifest library alone, and gets no JSON parser and no Vulkan with it."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = ["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
COMPILERS = ["g++-12", "g++", "clang++"]


def run(*command, cwd=None) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_symbols(program: Path):
    for line in run("nm", "-C", program).splitlines():
        if any(word in line for word in ("nlohmann", "__cxa_throw", " vk", "volk")):
            sys.exit(f"the program holds what it should not: {line}")


def main() -> int:
    parser = argparse.ArgumentParser()
    for option in ("heapsmith", "compiler", "library", "include"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    here = Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(here / "shaders", work / "shaders")
        run(Path(options.heapsmith).resolve(), "map", "--policy", "shaders/policy.json", "--header", "out/scene.h", "--namespace",
            "game::scene", "shaders/lit.vert", "shaders/lit.frag", "shaders/cull.comp", "shaders/probe.comp",
            "shaders/bounce.rgen", "-o", "out", cwd=work)
        compilers = [options.compiler] + [name for name in COMPILERS if shutil.which(name)]
        include = ["-I", options.include, "-I", work / "out"]
        (work / "alone.cpp").write_text('#include "scene.h"\n#include "scene.h"\n')
        for compiler in compilers:
            for source in (work / "alone.cpp", here / "use_header.cpp"):
                run(compiler, *FLAGS, *include, "-c", source, "-o", work / "object.o")
        program = work / "program"
        run(options.compiler, *FLAGS, *include, here / "use_header.cpp", options.library, "-o", program)
        check_symbols(program)
        run(program)
    return 0


if __name__ == "__main__":
    sys.exit(main())
