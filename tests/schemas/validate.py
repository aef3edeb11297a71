#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the schemas and the files together.

Every schema is a schema, and closed: it names every key that may be there. Every file of ours that has a schema satisfies
it: device profiles, policies, mappings, and all that golden cases and examples make heapsmith write. What golden cases refuse
as an invalid policy, profile or mappings file, the schema refuses too. Every key of the formats that heapsmith writes is written by some golden
case, so that no schema promises what nobody has seen. And spoilt files are refused.
"""

import copy
import json
import re
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

URN = "urn:heapsmith:schema:"
WRITTEN = ("manifest", "migration", "reflection", "resolved")  # the formats that heapsmith writes

# Keys of written formats that no golden case can produce yet, with the reason.
UNSEEN = {
    "manifest.schema.json/$defs/table/properties/slots/tensor": "the GLSL front end has no tensors",
}

# Golden cases that are refused for a reason that a schema cannot express.
BEYOND_SCHEMAS = {
    "reject/capacity_of_a_fixed_array",
    "reject/forbidden_residences",
    "reject/form_of_what_is_mapped",
    "reject/immutable_samplers",
    "reject/impossible_profile",
    "reject/packed_index",
    "reject/policy_repeated_external_range",
    "reject/robust_buffers",
}


class Checker:
    def __init__(self, root: Path):
        self.root = root
        self.schemas = {}
        self.failures = []
        self.seen = set()

    def fail(self, text: str):
        self.failures.append(text)

    def load_schemas(self):
        for path in sorted((self.root / "schemas").glob("*.schema.json")):
            name = path.name.removesuffix(".schema.json")
            schema = json.loads(path.read_text(encoding="utf-8"))
            Draft202012Validator.check_schema(schema)
            if schema["$id"] != f"{URN}{name}:1":
                self.fail(f"{path.name}: its $id is {schema['$id']}")
            for pointer, part in subschemas(schema, ""):
                if is_condition(pointer):
                    continue
                if "properties" in part and "additionalProperties" not in part:
                    self.fail(f"{path.name}{pointer}: is open, it lacks additionalProperties")
            self.schemas[name] = schema

    def errors(self, name: str, document) -> list:
        return sorted(Draft202012Validator(self.schemas[name]).iter_errors(document), key=lambda e: list(e.path))

    def accept(self, name: str, document, where: str):
        for error in self.errors(name, document):
            self.fail(f"{where}: {error.json_path}: {error.message}")
        if name in WRITTEN:
            self.mark_seen(name, self.schemas[name], document)

    def refuse(self, name: str, document, where: str):
        if not self.errors(name, document):
            self.fail(f"{where}: {name}.schema.json accepts it")

    def mark_seen(self, name: str, schema, document):
        """Notes which keys of the schema the document holds."""
        if "$ref" in schema:
            self.mark_seen(name, resolve(self.schemas[name], schema["$ref"]), document)
        if isinstance(document, list) and "items" in schema:
            for element in document:
                self.mark_seen(name, schema["items"], element)
        if isinstance(document, dict):
            for key, value in document.items():
                part = schema.get("properties", {}).get(key)
                if part is not None:
                    self.seen.add((id(schema), key))
                    self.mark_seen(name, part, value)

    def check_all_seen(self):
        for name in WRITTEN:
            for pointer, part in subschemas(self.schemas.get(name, {}), f"{name}.schema.json"):
                if is_condition(pointer):
                    continue
                for key in part.get("properties", {}):
                    if (id(part), key) not in self.seen and f"{pointer}/{key}" not in UNSEEN:
                        self.fail(f"{pointer}: no golden case writes '{key}'")

    def check_profiles(self):
        for path in sorted((self.root / "compiler/profiles").glob("*.json")):
            document = json.loads(path.read_text(encoding="utf-8"))
            self.accept("profile", document, path.name)
            if document.get("name") != path.stem:
                self.fail(f"{path.name}: its name is {document.get('name')}")

    def check_mappings(self):
        for path in sorted((self.root / "tests/gpu/lint_agreement/cases").glob("*/*.json")):
            document = json.loads(path.read_text(encoding="utf-8"))
            self.accept("mappings", document, f"{path.parent.name}/{path.name}")

    def check_golden_cases(self):
        for arguments in sorted((self.root / "tests/golden").glob("*/*/args")):
            folder = arguments.parent
            case = folder.relative_to(self.root / "tests/golden").as_posix()
            self.check_golden_inputs(case, folder)
            written = [path for path in (folder / "expected").rglob("*.json")] + [folder / "expected.stdout"]
            for path in written:
                self.check_output(f"{case}: {path.name}", path)

    def check_golden_inputs(self, case: str, folder: Path):
        stderr = folder / "expected.stderr"
        said = stderr.read_text(encoding="utf-8") if stderr.exists() else ""
        if "[HS1011]" in said:
            return  # not JSON at all
        for name, code in (("policy", "HS1012"), ("profile", "HS1013"), ("mappings", "HS5017")):
            for path in sorted(folder.glob(f"{name}*.json")):
                document = json.loads(path.read_text(encoding="utf-8"))
                if f"[{code}]" not in said:
                    self.accept(name, document, f"{case}: {path.name}")
                elif case not in BEYOND_SCHEMAS:
                    self.refuse(name, document, f"{case}: {path.name}")

    def check_output(self, where: str, path: Path):
        if not path.exists():
            return
        text = read_golden(path)
        if not text.startswith("{"):
            return
        try:
            document = json.loads(text)
        except json.JSONDecodeError:
            return  # one object a line, say
        urn = document.get("$schema", "")
        if urn.startswith(URN):
            self.accept(urn.removeprefix(URN).split(":")[0], document, where)

    def check_examples(self, build: Path):
        for path in sorted((self.root / "examples").glob("*/policy*.json")):
            self.accept("policy", json.loads(path.read_text(encoding="utf-8")), path.relative_to(self.root).as_posix())
        for path in sorted((build / "examples").rglob("manifest.json")):
            self.check_output(path.relative_to(build).as_posix(), path)

    def check_spoilt(self):
        for name, spoilt in SPOILT.items():
            good = json.loads(read_golden(self.root / GOOD[name]))
            self.accept(name, good, f"the good {name}")
            for what, spoil in spoilt.items():
                document = copy.deepcopy(good)
                spoil(document)
                self.refuse(name, document, what)


def read_golden(path: Path) -> str:
    """The runner puts a text in the place of digests that depend on the front end's version."""
    return re.sub(r"<sha256 of [^>]*>", "0" * 64, path.read_text(encoding="utf-8"))


def subschemas(schema, pointer: str):
    if isinstance(schema, dict):
        yield pointer, schema
        for key, part in schema.items():
            yield from subschemas(part, f"{pointer}/{key}")
    elif isinstance(schema, list):
        for index, part in enumerate(schema):
            yield from subschemas(part, f"{pointer}/{index}")


def is_condition(pointer: str) -> bool:
    """Conditions speak of single keys of an object that is closed elsewhere."""
    return bool(re.search(r"/(if|then|else|not)(/|$)|/(anyOf|allOf)/\d+$|/properties$", pointer))


def resolve(schema, reference: str):
    for key in reference.removeprefix("#/").split("/"):
        schema = schema[key]
    return schema


GOOD = {
    "policy": "tests/golden/map/dependency_file/policy.json",
    "profile": "compiler/profiles/lavapipe.json",
    "mappings": "tests/golden/lint/own_mappings/mappings.json",
    "manifest": "tests/golden/map/indexed_tables/expected/out/manifest.json",
    "migration": "tests/golden/rewrite/report/expected/out/report.json",
    "reflection": "tests/golden/reflect/every_kind/expected.stdout",
    "resolved": "tests/golden/resolve/json_worst_case/expected.stdout",
}

SPOILT = {
    "policy": {
        "an unknown key": lambda d: d.update(set={}),
        "another format": lambda d: d.update({"$schema": "urn:heapsmith:schema:profile:1"}),
        "a static set with instances": lambda d: d.update(sets={"0": {"residence": "static", "instances": 2}}),
        "a static rule with instances": lambda d: d.update(rules=[{"match": {}, "residence": "static", "instances": 2}]),
        "a rule without match": lambda d: d.update(rules=[{"residence": "static"}]),
        "a rule for sets with a key of bindings": lambda d: d.update(rules=[{"match": {"set": 0}, "capacity": 2}]),
        "a rule for bindings with a key of sets": lambda d: d.update(rules=[{"match": {"name": "*"}, "shared": True}]),
        "a match for what is not there": lambda d: d.update(rules=[{"match": {"table": "x"}}]),
        "a frequency that is none": lambda d: d.update(sets={"0": {"frequency": "often"}}),
        "a descriptor type of heaps": lambda d: d.update(sets={"0": {"bindings": {"x": {"descriptorType": "SAMPLER"}}}}),
        "a sampler with an unknown filter": lambda d: d.update(samplers={"s": {"magFilter": "SHARP"}}),
        "a sampler with Vulkan's prefix": lambda d: d.update(samplers={"s": {"magFilter": "VK_FILTER_LINEAR"}}),
        "a custom border colour that is not given": lambda d: d.update(samplers={"s": {"borderColor": "INT_CUSTOM_EXT"}}),
        "a border colour that is not asked for": lambda d: d.update(samplers={"s": {"customBorderColor": {"float32": [0, 0, 0, 0]}}}),
        "three components": lambda d: d.update(
            samplers={"s": {"borderColor": "FLOAT_CUSTOM_EXT", "customBorderColor": {"float32": [0, 0, 0]}}}
        ),
        "a conversion without format": lambda d: d.update(samplers={"s": {"ycbcrConversion": {}}}),
        "a program without a name": lambda d: d.update(programs={"": ["a.comp"]}),
        "a set that is no number": lambda d: d.update(sets={"one": {}}),
        "a set number with a zero before it": lambda d: d.update(sets={"01": {}}),
        "an unknown key of a set": lambda d: d.update(sets={"0": {"residency": "static"}}),
        "an unknown residence": lambda d: d.update(sets={"0": {"residence": "heap"}}),
        "no instance": lambda d: d.update(sets={"0": {"instances": 0}}),
        "a count that is text": lambda d: d.update(sets={"0": {"instances": "4"}}),
        "a count that is no integer": lambda d: d.update(runtimeArrayCapacity=1.5),
        "a name that C++ does not know": lambda d: d.update(sets={"0": {"table": "per frame"}}),
        "an unknown key of a binding": lambda d: d.update(sets={"0": {"bindings": {"x": {"size": 1}}}}),
        "a negative budget": lambda d: d.update(pushData={"budget": -4}),
        "an external range without class": lambda d: d.update(externalRanges=[{"name": "ui", "slots": 4}]),
        "a program without shaders": lambda d: d.update(programs={"main": []}),
    },
    "profile": {
        "an unknown key": lambda d: d.update(sizes={}),
        "another format": lambda d: d.update({"$schema": "urn:heapsmith:schema:profile:2"}),
        "no name": lambda d: d.pop("name"),
        "no properties": lambda d: d.pop("descriptorHeapProperties"),
        "a property that is missing": lambda d: d["descriptorHeapProperties"].pop("maxPushDataSize"),
        "a property that is text": lambda d: d["descriptorHeapProperties"].update(maxPushDataSize="256"),
        "a negative property": lambda d: d["descriptorHeapProperties"].update(maxPushDataSize=-1),
        "more than 64 bits": lambda d: d["descriptorHeapProperties"].update(maxResourceHeapSize=2**64),
        "a type that has no descriptor": lambda d: d["descriptorSizes"].update(COMBINED_IMAGE_SAMPLER=96),
    },
    "mappings": {
        "an unknown key": lambda d: d.update(mapping=[]),
        "another format": lambda d: d.update({"$schema": "urn:heapsmith:schema:policy:1"}),
        "no mappings": lambda d: d.pop("mappings"),
        "no binding": lambda d: d["mappings"][0].pop("firstBinding"),
        "no source": lambda d: d["mappings"][0].pop("source"),
        "an unknown source": lambda d: d["mappings"][0].update(source="PUSH_DATE"),
        "a member of another source": lambda d: d["mappings"][0].update(heapOffset=0),
        "a packed index without an index": lambda d: d["mappings"][2].update(useCombinedImageSamplerIndex=True),
        "a negative offset": lambda d: d["mappings"][0].update(pushAddressOffset=-8),
        "more than 32 bits": lambda d: d["mappings"][0].update(firstBinding=2**32),
        "a mask that is a name": lambda d: d["mappings"][1].update(resourceMask="COMBINED_SAMPLED_IMAGE"),
        "an unknown kind of resource": lambda d: d["mappings"][1].update(resourceMask=["COMBINED"]),
        "an unknown key of a sampler": lambda d: d["mappings"][1].update(embeddedSampler={"filter": "LINEAR"}),
        "an unknown filter": lambda d: d["mappings"][1].update(embeddedSampler={"magFilter": "linear"}),
        "a border colour without its value": lambda d: d["mappings"][1].update(
            embeddedSampler={"borderColor": "FLOAT_CUSTOM_EXT"}
        ),
        "a border colour that is not used": lambda d: d["mappings"][1].update(
            embeddedSampler={"customBorderColor": {"format": "R8G8B8A8_UNORM", "float32": [0, 0, 0, 0]}}
        ),
        "a conversion without format": lambda d: d["mappings"][1].update(embeddedSampler={"ycbcrConversion": {}}),
    },
    "manifest": {
        "an unknown key": lambda d: d.update(heaps=[]),
        "no tables": lambda d: d.pop("tables"),
        "another format": lambda d: d.update({"$schema": "urn:heapsmith:schema:reflection:1"}),
        "a newer major version": lambda d: d["formatVersion"].update(major=2),
        "bytes where a term belongs": lambda d: d["programs"][0]["mappings"][0].update(heapOffset=256),
        "a negative slot": lambda d: d["programs"][0]["mappings"][0]["heapOffset"].update(slot=-1),
        "a region that no device has": lambda d: d["regions"][0].update({"class": "data"}),
        "a constant offset with a field": lambda d: d["programs"][0]["mappings"][0].update(field="material"),
        "a table that is a single binding's": lambda d: d["tables"][0].update(residence="heapData"),
        "a slot of what has no descriptor": lambda d: d["tables"][0]["bindings"][0].update(residence="pushAddress"),
        "a field of an unknown kind": lambda d: d["pushData"]["fields"][0].update(kind="index"),
        "a word of half a binding": lambda d: d["pushData"]["fields"][0].update(size=2),
        "a binding of a table's word": lambda d: d["pushData"]["fields"][0].update(binding=0),
        "an embedded sampler in a resource": lambda d: d["programs"][0]["mappings"][0].update(embeddedSampler="s"),
        "no field for a push index": lambda d: d["programs"][0]["mappings"][1].pop("field"),
        "an index without its stride": lambda d: d["programs"][0]["mappings"][1].pop("heapIndexStride"),
        "a static table of two instances": lambda d: d["tables"][0].update(instances=2),
        "a binding without slots": lambda d: d["tables"][0]["bindings"][0].pop("slot"),
        "a digest in capitals": lambda d: d["programs"][0]["shaders"][0].update(sha256="A" * 64),
        "a mask without bits": lambda d: d["programs"][0]["mappings"][0].update(resourceMask=[]),
    },
    "migration": {
        "an unknown key of a shader": lambda d: d["shaders"][0].update(stage="FRAGMENT"),
        "a form that is none": lambda d: d["shaders"][1]["resources"][0].update(form="kept"),
        "a topic that is none": lambda d: d["application"][0].update(topic="luck"),
        "a step without items": lambda d: d["application"][0].pop("items"),
        "a version that SPIR-V does not have": lambda d: d["shaders"][0]["spirvVersion"].update(after="2.0"),
    },
    "reflection": {
        "an unknown key of a resource": lambda d: d["shaders"][0]["resources"][0].update(slot=0),
        "a resource without name": lambda d: d["shaders"][0]["resources"][0].pop("name"),
        "a count of 0": lambda d: d["shaders"][0]["resources"][0].update(count=0),
        "an unknown stage": lambda d: d["shaders"][0]["entryPoints"][0].update(stage="PIXEL"),
    },
    "resolved": {
        "a term where bytes belong": lambda d: d["regions"][0].update(offset={"region": "image", "slot": 0}),
        "no heap": lambda d: d.pop("samplerHeap"),
    },
}


def main() -> int:
    checker = Checker(Path(sys.argv[1]).resolve())
    checker.load_schemas()
    checker.check_profiles()
    checker.check_mappings()
    checker.check_golden_cases()
    checker.check_examples(Path(sys.argv[2]).resolve())
    checker.check_all_seen()
    checker.check_spoilt()
    for line in checker.failures:
        print(line, file=sys.stderr)
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
