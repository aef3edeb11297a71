#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a family of blocks: for each a compute shader that reads every number in it, and C++ that fills the generated
struct and knows what the shader must have read.

usage: generate.py OUTPUT_FOLDER COUNT DATA_COUNT

The family depends on the counts alone. Shape i is `shape_i.comp`; `shapes.inc` holds the C++. Besides there are uniform
blocks of numbers of 32 and 64 bits, `data_i.comp`, which are read by indices that no compiler knows.
"""
import pathlib
import random
import struct
import sys

SCALARS = {  # name: GLSL names of scalar, vectors, and whether there are matrices
    "float": ("float", "vec", True),
    "int": ("int", "ivec", False),
    "uint": ("uint", "uvec", False),
    "double": ("double", "dvec", True),
    "int64_t": ("int64_t", "i64vec", False),
    "uint64_t": ("uint64_t", "u64vec", False),
    "uint16_t": ("uint16_t", "u16vec", False),
    "int8_t": ("int8_t", "i8vec", False),
    "float16_t": ("float16_t", "f16vec", False),
}


class Type:
    """scalar/vector/matrix: name + shape; array: element, length; struct: name, members."""

    def __init__(self, kind, scalar=None, columns=1, rows=1, element=None, length=0, name=None, members=()):
        self.kind, self.scalar, self.columns, self.rows = kind, scalar, columns, rows
        self.element, self.length, self.name, self.members = element, length, name, list(members)

    def glsl(self):
        if self.kind == "struct":
            return self.name
        scalar, vector, _ = SCALARS[self.scalar]
        if self.kind == "scalar":
            return scalar
        if self.kind == "vector":
            return f"{vector}{self.rows}"
        return f"{vector[:-3]}mat{self.columns}x{self.rows}"


def declaration(type_, name):
    dims = ""
    while type_.kind == "array":
        dims += f"[{type_.length}]" if type_.length else "[]"
        type_ = type_.element
    return f"{type_.glsl()} {name}{dims}"


class Shape:
    """One block, with the statements that read it and the C++ that fills it."""

    def __init__(self, index, is_data=False):
        self.random = random.Random(index * 7919 + (2 if is_data else 1))
        self.index, self.is_data = index, is_data
        self.name = f"{'data' if is_data else 'shape'}_{index}"
        self.block = f"{'Data' if is_data else 'Shape'}{index}"
        self.layout = ["std140", "std430", "scalar", "scalar"][index % 4]
        self.storage = ["uniform", "buffer", "buffer", "uniform"][index % 4]
        if is_data:
            self.layout, self.storage = ["std140", "scalar"][index % 2], "uniform"
        self.added = " + gl_WorkGroupID.x" if is_data else ""
        self.structs = []
        self.reads, self.fills, self.expected = [], [], []
        self.members = []
        for number in range(self.random.randint(2, 7)):
            self.members.append((f"m{number}", self.type(2), self.random.random() < 0.3))
        # A tail needs a header's worth of C++ too, so that most shapes have none.
        self.tail = self.type(1) if self.storage == "buffer" and self.random.random() < 0.6 else None
        self.tail_length = 3

    def scalar(self):
        # 8- and 16-bit types are rare in std140, where everything is padded anyway.
        names = ["float"] * 5 + ["int", "uint", "double", "int64_t", "uint64_t"]
        if not self.is_data:
            names += ["uint16_t", "int8_t", "float16_t"]
        return self.random.choice(names)

    def type(self, depth):
        roll = self.random.random()
        if depth > 0 and roll < 0.25:
            return Type("array", element=self.type(depth - 1), length=self.random.randint(1, 4))
        if depth > 0 and roll < 0.45:
            members = [(f"n{i}", self.type(depth - 1)) for i in range(self.random.randint(1, 4))]
            made = Type("struct", name=f"{self.block}_{len(self.structs)}", members=members)
            self.structs.append(made)
            return made
        scalar = self.scalar()
        if roll < 0.65:
            return Type("scalar", scalar)
        if roll < 0.8 and SCALARS[scalar][2]:
            return Type("matrix", scalar, self.random.randint(2, 4), self.random.randint(2, 4))
        return Type("vector", scalar, rows=self.random.randint(2, 4))

    # Every number that is read gets a value of its own that all types can hold exactly.
    def leaf(self, scalar, glsl, cpp):
        value = len(self.fills) % 120 + 1
        low, high = value, 0
        if scalar == "float":
            read, low = [f"floatBitsToUint({glsl})"], struct.unpack("<I", struct.pack("<f", value))[0]
        elif scalar == "float16_t":
            read, low = [f"floatBitsToUint(float({glsl}))"], struct.unpack("<I", struct.pack("<f", value))[0]
        elif scalar == "double":
            low, high = struct.unpack("<II", struct.pack("<d", value))
            read = [f"unpackDouble2x32({glsl}).x", f"unpackDouble2x32({glsl}).y"]
        elif scalar in ("int64_t", "uint64_t"):
            read = [f"uint(uint64_t({glsl}) & 0xffffffffUL)", f"uint(uint64_t({glsl}) >> 32)"]
            high = value + 1
        else:
            read = [f"uint({glsl})"]
        if scalar == "float16_t":
            self.fills.append(f"{cpp} = {struct.unpack('<H', struct.pack('<e', value))[0]};")
        elif scalar in ("int64_t", "uint64_t"):
            self.fills.append(f"{cpp} = {high * 2 ** 32 + low};")
        else:
            self.fills.append(f"{cpp} = {value};")
        self.reads += read
        self.expected += [low, high] if len(read) == 2 else [low]

    def walk(self, type_, glsl, cpp, row_major):
        if type_.kind == "scalar":
            self.leaf(type_.scalar, glsl, f"number({cpp})")
        elif type_.kind == "vector":
            for row in range(type_.rows):
                self.leaf(type_.scalar, f"{glsl}[{row}{self.added}]", f"component({cpp}, {row})")
        elif type_.kind == "matrix":
            for column in range(type_.columns):
                for row in range(type_.rows):
                    first, second = (row, column) if row_major else (column, row)
                    length = type_.columns if row_major else type_.rows
                    self.leaf(type_.scalar, f"{glsl}[{column}{self.added}][{row}{self.added}]",
                              f"entry<{length}>({cpp}, {first}, {second})")
        elif type_.kind == "array":
            for element in range(type_.length):
                self.walk(type_.element, f"{glsl}[{element}{self.added}]", f"({cpp})[{element}]", row_major)
        else:
            # Matrices in structures are as the block's member says.
            for name, member in type_.members:
                self.walk(member, f"{glsl}.{name}", f"whole({cpp}).{name}", row_major)

    def has_matrix(self, type_):
        if type_.kind == "array":
            return self.has_matrix(type_.element)
        if type_.kind == "struct":
            return any(self.has_matrix(member) for _, member in type_.members)
        return type_.kind == "matrix"

    def qualifier(self, type_, row_major):
        return "layout(row_major) " if row_major and self.has_matrix(type_) else ""

    def shader(self):
        lines = ["#version 460"]
        lines += [f"#extension {name} : require" for name in (
            "GL_EXT_scalar_block_layout", "GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_16bit_storage",
            "GL_EXT_shader_8bit_storage")]
        lines.append("layout(local_size_x = 1) in;")
        for made in self.structs:
            lines.append(f"struct {made.name} {{")
            lines += [f"  {declaration(t, n)};" for n, t in made.members]
            lines.append("};")
        lines.append(f"layout(set = 0, binding = 0, {self.layout}) {'readonly ' if self.storage == 'buffer' else ''}"
                     f"{self.storage} {self.block} {{")
        lines += [f"  {self.qualifier(t, r)}{declaration(t, n)};" for n, t, r in self.members]
        if self.tail:
            lines.append(f"  {declaration(Type('array', element=self.tail), 'tail')};")
        lines.append("} block;")
        lines.append("layout(set = 0, binding = 1, std430) buffer Output { uint numbers[]; } result;")
        lines.append("void main() {")
        lines += [f"  result.numbers[{i}] = {read};" for i, read in enumerate(self.reads)]
        lines.append("}")
        return "\n".join(lines) + "\n"

    def build(self):
        for name, type_, row_major in self.members:
            self.walk(type_, f"block.{name}", f"block.{name}", row_major)
        split = len(self.fills)
        if self.tail:
            for element in range(self.tail_length):
                self.walk(self.tail, f"block.tail[{element}]", f"at<Block::tail_element>(bytes, Block::tail_offset + {element} * Block::tail_stride)", False)
        self.fills, self.tail_fills = self.fills[:split], self.fills[split:]

    def cpp(self):
        space = "block_data" if self.is_data else "block_shapes"
        lines = [f"Expectation fill_{self.block}() {{", f"  using Block = {space}::blocks::{self.block};"]
        size = "sizeof(Block)"
        if self.tail:
            size = f"std::max<size_t>(sizeof(Block), Block::tail_offset + {self.tail_length} * Block::tail_stride)"
        lines.append(f"  std::vector<std::byte> bytes({size}, std::byte{{0xCD}});")
        lines.append("  Block& block = at<Block>(bytes, 0);")
        lines += [f"  {fill}" for fill in self.fills + self.tail_fills]
        lines.append("  return {std::move(bytes), {" + ", ".join(f"{value}u" for value in self.expected) + "}};")
        lines.append("}")
        return "\n".join(lines)


def table(name, shapes):
    lines = [f"    {{\"{s.name}\", \"{s.layout} {s.storage}\", fill_{s.block}}}," for s in shapes]
    return f"\n\nconstexpr ShapeTest {name}[] = {{\n" + "\n".join(lines) + "\n};\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    shapes = [Shape(index) for index in range(int(sys.argv[2]))]
    data = [Shape(index, is_data=True) for index in range(int(sys.argv[3]))]
    for shape in shapes + data:
        shape.build()
        (folder / f"{shape.name}.comp").write_text(shape.shader())
    functions = [shape.cpp() for shape in shapes + data]
    (folder / "shapes.inc").write_text("\n\n".join(functions) + table("kShapes", shapes) + table("kData", data))


main()
