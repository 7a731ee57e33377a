"""Does the steps of a composite action as a job of a hosted CI would, as far as they are scripts.

usage: steps.py FOLDER [INPUT=VALUE...]     FOLDER has the action.yml

The environment is the job's: GITHUB_WORKSPACE, RUNNER_TEMP, GITHUB_PATH, GITHUB_ENV. A step that uses another action
is named, and not done. What an action.yml has and this does not know is an error, so that nothing is passed over.
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml


def fail(text):
    sys.exit(f"steps.py: {text}")


def only_has(what, known, of):
    unknown = set(what) - set(known)
    if unknown:
        fail(f"not known of {of}: {', '.join(sorted(unknown))}")


def given(arguments, declared):
    """The inputs of the action: what the job gives, or else their defaults."""
    inputs = {name: str(about.get("default", "")) for name, about in declared.items()}
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name not in inputs:
            fail(f"the action has no input '{name}'")
        inputs[name] = value
    return inputs


def text(template, inputs):
    """The text with its expressions replaced by their values."""

    def value(expression):
        name = re.fullmatch(r"inputs\.(\w+)", expression[1].strip())
        if not name or name[1] not in inputs:
            fail(f"not known: {expression[0]}")
        return inputs[name[1]]

    return re.sub(r"\$\{\{(.*?)\}\}", value, str(template))


def holds(condition, inputs):
    comparison = re.fullmatch(r"inputs\.(\w+) == '([^']*)'", condition)
    if not comparison or comparison[1] not in inputs:
        fail(f"not known: if: {condition}")
    return inputs[comparison[1]] == comparison[2]


def run(step, folder, inputs):
    """Runs a script as the CI's runner does for shell: bash."""
    only_has(step, ["if", "shell", "env", "run"], "a step")
    if step.get("shell") != "bash":
        fail(f"not known: shell: {step.get('shell')}")
    variables = {name: text(value, inputs) for name, value in step.get("env", {}).items()}
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as script:
        script.write(text(step["run"], inputs))
        script.flush()
        status = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script.name],
            env={**os.environ, **variables, "GITHUB_ACTION_PATH": folder},
            cwd=os.environ["GITHUB_WORKSPACE"],
            check=False,
        ).returncode
    if status:
        sys.exit(status)


def main(folder, *arguments):
    with open(os.path.join(folder, "action.yml"), encoding="utf-8") as file:
        action = yaml.safe_load(file)
    only_has(action["runs"], ["using", "steps"], "runs")
    if action["runs"]["using"] != "composite":
        fail(f"not known: using: {action['runs']['using']}")
    inputs = given(arguments, action["inputs"])
    for step in action["runs"]["steps"]:
        if "if" in step and not holds(step["if"], inputs):
            continue
        if "uses" in step:
            only_has(step, ["if", "uses", "with"], "a step")
            print(f"not done: uses: {step['uses']}", flush=True)
        else:
            run(step, folder, inputs)


main(*sys.argv[1:])
