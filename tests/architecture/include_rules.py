#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which room may include what. A line in the wrong room usually needs an include that its room must not have."""

import re
import sys
from pathlib import Path

# Rooms of compiler/ and the rooms that each may include. `heapsmith` is the runtime's contract: manifest.h and its
# neighbours without Vulkan. What is not here may include nothing but the standard library.
ROOMS = {
    "base": set(),
    "spirv": {"base"},
    "reflect": {"base", "spirv", "heapsmith"},
    "plan": {"base", "reflect", "heapsmith"},
    "layout": {"base", "reflect", "plan", "heapsmith"},
    "mapping": {"base", "reflect", "plan", "layout", "heapsmith"},
    "rewrite": {"base", "spirv", "reflect", "heapsmith"},
    "input": {"base", "spirv", "plan", "mapping", "heapsmith"},
    "emit": {"base", "reflect", "plan", "layout", "heapsmith"},
    "check": {"base", "reflect", "plan", "layout", "mapping", "heapsmith"},
    "driver": {"base", "spirv", "reflect", "plan", "layout", "mapping", "rewrite", "input", "emit", "check",
               "heapsmith"},
    "cli": {"base", "driver", "input", "emit", "heapsmith"},
}

# Single files that need one header more than their room may have.
EXCEPTIONS = {
    # Prints enumerators of SPIR-V's that reflection passes on as numbers.
    "compiler/emit/reflection_words.cpp": {"spirv/grammar.h", "spirv/unified1/spirv.hpp11"},
    # `heapsmith resolve` reads a manifest as an application does.
    "compiler/driver/resolve.cpp": {"heapsmith/manifest_json.h"},
    "compiler/driver/lint.cpp": {"heapsmith/manifest_json.h"},
}

# Libraries, by how their headers begin, and the only files that may include them.
LIBRARIES = {
    "nlohmann/": {
        "compiler/input/json_text.cpp",
        "compiler/emit/diagnostics_text.cpp",
        "compiler/emit/block_json.cpp", "compiler/emit/block_json.h", "compiler/emit/manifest_json.cpp",
        "compiler/emit/migration_json.cpp", "compiler/emit/heap_access_json.cpp", "compiler/emit/heap_access_json.h",
        "compiler/emit/entry_point_json.cpp", "compiler/emit/entry_point_json.h",
        "compiler/emit/reflection_json.cpp",
        "compiler/emit/resolved_layout.cpp",
        "compiler/emit/sampler_json.cpp", "compiler/emit/sampler_json.h",
        "compiler/emit/starting_policy.cpp",
        "compiler/spirv/generate_grammar.cpp",
        "runtime/src/manifest_json.cpp",
    },
    "glslang/": {"compiler/input/shader_source.cpp"},
    "spirv-tools/": {
        "compiler/spirv/assemble.cpp", "compiler/spirv/optimize.cpp", "compiler/spirv/tools_environment.h",
        "compiler/spirv/validate.cpp",
    },
    "spirv/unified1/": {"compiler/spirv/", "compiler/reflect/", "compiler/rewrite/"},
    "spirv_cross/": {"compiler/emit/glsl.cpp", "tests/corpus/"},
    "CLI/": {"compiler/cli/"},
    "volk": {"runtime/", "examples/", "tests/"},
    "vulkan/": {"runtime/", "examples/", "tests/"},
    "catch2/": {"tests/"},
    "glm/": {"examples/"},
    "stb": {"examples/"},
}

# The part of the runtime that the compiler shares: it knows neither Vulkan nor JSON.
CONTRACT = {"manifest.h", "manifest_storage.h", "device_limits.h", "error.h", "fields.h", "resolve.h", "sampler_members.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def allowed(name: str, header: str, quoted: bool) -> bool:
    if header in EXCEPTIONS.get(name, set()):
        return True
    for prefix, files in LIBRARIES.items():
        if header.startswith(prefix):
            return any(name == file or (file.endswith("/") and name.startswith(file)) for file in files)
    parts = name.split("/")
    if parts[0] == "compiler":
        return allowed_in_compiler(parts[1], header, quoted)
    if parts[:2] == ["runtime", "include"] and quoted:
        return header.startswith("heapsmith/")
    if parts[0] == "runtime" and quoted:
        return header.startswith("heapsmith/") or "/" not in header
    return quoted or "/" not in header or header.startswith("heapsmith/")


def allowed_in_compiler(room: str, header: str, quoted: bool) -> bool:
    if not quoted:
        return "/" not in header
    first, _, rest = header.partition("/")
    if first == "heapsmith":
        return "heapsmith" in ROOMS.get(room, set()) and rest in CONTRACT
    # A header without a folder is a generated one, which only the room that generates it can see.
    return first == room or first in ROOMS.get(room, set()) or not rest


def main() -> int:
    root = Path(sys.argv[1])
    wrong = []
    for folder in ("compiler", "runtime", "examples"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            name = path.relative_to(root).as_posix()
            for bracket, header in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if not allowed(name, header, bracket == '"'):
                    wrong.append(f"{name}: may not include {header}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
