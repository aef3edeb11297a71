#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds SPIR-V modules inside any files and writes each different one to a file of its own.

usage: extract.py OUTPUT_FOLDER FOLDER...

A module is found by its magic number and measured by walking its instructions. Qt's .qsb files hold theirs
compressed, so that zlib streams behind the magic of such files are looked into as well.
"""
import hashlib
import pathlib
import struct
import sys
import zlib

MAGIC = b"\x03\x02\x23\x07"
HEADER_WORDS = 5
OP_FUNCTION_END = 56
OP_ENTRY_POINT = 15
BETWEEN_FUNCTIONS = {8, 12, 54, 317}  # OpLine, OpExtInst, OpFunction, OpNoLine
LAST_OPCODE = 8000  # beyond every opcode of the registry


def module_at(data, start):
    """The bytes of the module that begins there, or None if what follows is no module."""
    if start + 4 * HEADER_WORDS > len(data):
        return None
    _, version, _, bound, schema = struct.unpack_from("<5I", data, start)
    if version >> 16 != 1 or version & 0xFF or (version >> 8) & 0xFF > 6 or schema != 0 or not 0 < bound < 1 << 22:
        return None
    at, end, entry_points = start + 4 * HEADER_WORDS, None, 0
    while at + 4 <= len(data):
        (word,) = struct.unpack_from("<I", data, at)
        length, opcode = word >> 16, word & 0xFFFF
        if end == at and opcode not in BETWEEN_FUNCTIONS:
            break  # the bytes behind the module
        if length == 0 or opcode > LAST_OPCODE or at + 4 * length > len(data):
            break
        at += 4 * length
        entry_points += opcode == OP_ENTRY_POINT
        if opcode == OP_FUNCTION_END:
            end = at
    return data[start:end] if end and entry_points else None


def modules_in(data):
    start = data.find(MAGIC)
    while start >= 0:
        module = module_at(data, start)
        if module:
            yield module
        start = data.find(MAGIC, start + (len(module) if module else 4))


def inflated(data):
    """What the zlib streams in a .qsb file hold."""
    start = data.find(b"\x78\x9c")
    while start >= 0:
        try:
            yield zlib.decompressobj().decompress(data[start:])
        except zlib.error:
            pass
        start = data.find(b"\x78\x9c", start + 2)


def main():
    output = pathlib.Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    found = {}
    for folder in sys.argv[2:]:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if not path.is_file() or path.is_symlink():
                continue
            data = path.read_bytes()
            sources = inflated(data) if path.suffix == ".qsb" else [data]
            for source in sources:
                for module in modules_in(source):
                    found.setdefault(hashlib.sha256(module).hexdigest()[:16], (pathlib.Path(folder).name, module))
    packages = {}
    for digest, (package, module) in found.items():
        (output / f"{package}_{digest}.spv").write_bytes(module)
        packages[package] = packages.get(package, 0) + 1
    for package in sorted(packages):
        print(f"{packages[package]:6} modules in {package}")
    print(f"{len(found):6} different modules")


main()
