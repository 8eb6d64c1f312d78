"""Asks our solvers through solver_tool: one JSON document per problem and line."""

import json
import os
import pathlib
import subprocess

import numpy as np

TOOL = pathlib.Path(os.environ.get("PREHEND_BIN", "build/release/bin")) / "solver_tool"


def encode(values):
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, list):
        return [encode(value) for value in values]
    if isinstance(values, float) and np.isinf(values):
        return "inf" if values > 0 else "-inf"
    return values


def decode(values):
    return np.array([float(value) for value in values])


def ask(problems):
    lines = "\n".join(json.dumps({key: encode(value) for key, value in p.items() if key != "planted"}) for p in problems)
    done = subprocess.run([TOOL], input=lines, capture_output=True, text=True, check=True)
    assert done.stderr == "", "the solvers are silent"
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(problems)
    for answer in answers:
        assert "error" not in answer, answer
        for key in answer.keys() & {"x", "y", "z", "w", "ray", "gradient"}:
            answer[key] = decode(answer[key])
    return answers
