#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What must hold of every golden case of `heapsmith map` that maps, whatever it is about:

lint finds no error in the manifest that it writes, on a device that has what Vulkan guarantees, and
`heapsmith policy init` writes a policy that changes nothing but what it says: mapped without the case's own policy and
with that one, every output is the same to the byte.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from run_case import Case

# Options with a value, by which inputs are told from values. The others have none.
VALUED = {
    "-x", "--stage", "-I", "--include", "-D", "--define", "--target-env", "-j", "--threads", "-o", "--output",
    "--policy", "--manifest", "--header", "--math-types", "--namespace", "--check-profile", "--program",
    "-MF", "--depfile", "-MT", "--depfile-target", "--report",
}
# What `policy init` takes, too.
OF_SHADERS = {
    "-x", "--stage", "-I", "--include", "-D", "--define", "--target-env", "-j", "--threads", "--program",
    "-g", "--debug-info", "--no-validate",
}


class Run:
    def __init__(self, case: Case, folder: Path):
        self.case = case
        self.folder = folder
        case.copy_inputs(folder)

    def heapsmith(self, *arguments):
        return subprocess.run(
            [self.case.heapsmith, *arguments],
            cwd=self.folder,
            input=self.case.standard_input(),
            capture_output=True,
            timeout=120,
            check=False,
        )


def options_of(arguments: list) -> list:
    """(option, value) pairs; an input's option is empty."""
    pairs = []
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-") or argument == "-":
            pairs.append(("", argument))
        elif argument in VALUED:
            pairs.append((argument, next(rest)))
        else:
            pairs.append((argument, None))
    return pairs


def flat(pairs: list) -> list:
    return [word for option, value in pairs for word in (option, value) if word]


def files_below(folder: Path) -> dict:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def check_lint(case: Case, folder: Path) -> str:
    run = Run(case, folder)
    mapped = run.heapsmith(*case.arguments)
    if mapped.returncode != 0:
        return f"does not map:\n{mapped.stderr.decode()}"
    manifests = [path for path in folder.rglob("*.json") if b"urn:heapsmith:schema:manifest:" in path.read_bytes()]
    for manifest in manifests:
        flags = [flag for flag in ("--no-validate",) if flag in case.arguments]
        linted = run.heapsmith("lint", manifest.relative_to(folder).as_posix(), *flags)
        if linted.returncode != 0:
            return f"lint refuses {manifest.name}:\n{linted.stderr.decode()}"
    return ""


def check_policy_init(case: Case, folder: Path) -> str:
    pairs = [(option, value) for option, value in options_of(case.arguments[1:]) if option != "--policy"]
    if any(value and value.startswith("@") for _, value in pairs):
        return ""  # a response file, which hides the inputs
    outputs = []
    for policy in ("", "made.json"):
        run = Run(case, folder / (policy or "none"))
        before = files_below(run.folder)
        if policy:
            init = run.heapsmith("policy", "init", *flat([p for p in pairs if p[0] in OF_SHADERS or not p[0]]), "-o", policy)
            if init.returncode != 0:
                return f"policy init fails:\n{init.stderr.decode()}"
            before = files_below(run.folder)
        mapped = run.heapsmith("map", *flat(pairs), *(["--policy", policy] if policy else []))
        if mapped.returncode != 0:
            return f"with the policy '{policy}' it does not map:\n{mapped.stderr.decode()}"
        written = {name: text for name, text in files_below(run.folder).items() if before.get(name) != text}
        # The dependency file names the policy, as it must.
        outputs.append({name: text for name, text in written.items() if not name.endswith(".d")} | {"stdout": mapped.stdout})
    without, with_policy = outputs
    different = [name for name in sorted(without.keys() | with_policy.keys()) if without.get(name) != with_policy.get(name)]
    return f"the policy of policy init changes {', '.join(different)}" if different else ""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--heapsmith", required=True)
    parser.add_argument("check", choices=("lint", "policy-init"))
    options = parser.parse_args()
    check = check_lint if options.check == "lint" else check_policy_init
    groups = ("map", "explain") if options.check == "lint" else ("map",)
    cases = sorted(path for group in groups for path in (Path(__file__).parent / group).glob("*/args"))
    wrong = 0
    for arguments in cases:
        case = Case(arguments.parent.resolve(), str(Path(options.heapsmith).resolve()))
        with tempfile.TemporaryDirectory(prefix="golden") as root:
            problem = check(case, Path(root) / "case")
        if problem:
            wrong += 1
            print(f"{case.folder.name}: {problem}", file=sys.stderr)
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
