"""Measure sameas and the CorefUD scorer as whole commands on the same CoNLL-U corpus.

::

    python benchmarks/conllu.py KEY RESPONSE --scorer DIR --python PYTHON

KEY and RESPONSE can be in any format; they are first converted to CoNLL-U, without mentions that
cross a sentence boundary, which udapi rejects. DIR is a checkout of ufal/corefud-scorer, PYTHON an
interpreter with udapi, numpy and scipy. The script prints seconds, CPU seconds, ratios, and
whether all figures are equal.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import sameas

METRICS = ["muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero"]


def convert(source: str, target: Path) -> int:
    """Write a corpus as CoNLL-U; return how many mentions were dropped, as they cross sentences."""
    documents, dropped = [], 0
    for document in sameas.read(source).documents:
        ends = np.cumsum([len(sentence) for sentence in document.sentences])
        entities = []
        for entity in document.entities:
            kept = tuple(
                mention
                for mention in entity.mentions
                if isinstance(mention, sameas.Mention)
                and np.searchsorted(ends, mention.hull[0], "right")
                == np.searchsorted(ends, mention.hull[1], "right")
            )
            dropped += len(entity.mentions) - len(kept)
            if kept:
                entities.append(sameas.Entity(entity.id, kept, entity.type))
        documents.append(sameas.Document(document.name, entities, text=document.text))
    sameas.save(documents, target, "conllu")
    return dropped


def measure(command: list[str], cwd: str | None = None) -> tuple[float, float, str]:
    """Return the wall-clock seconds, CPU seconds and output of a command."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    after = os.times()
    wall = time.perf_counter() - start
    cpu = after.children_user + after.children_system - before.children_user
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return wall, cpu - before.children_system, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("key")
    parser.add_argument("response")
    parser.add_argument("--scorer", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument(
        "--repeat", type=int, default=3, help="take the best of N runs of sameas (default: 3)"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        key, response = Path(folder, "key.conllu"), Path(folder, "response.conllu")
        dropped = [convert(arguments.key, key), convert(arguments.response, response)]
        print(f"mentions dropped (cross sentences): {dropped[0]} (key), {dropped[1]} (response)")
        options = ["--preset", "crac24", "--singletons", "keep"]
        ours = [
            sys.executable,
            "-m",
            "sameas",
            "score",
            str(key),
            str(response),
            *options,
            "--json",
        ]
        fast = min((measure(ours) for _ in range(arguments.repeat)), key=lambda run: run[0])
        script = str(Path(arguments.scorer, "corefud-scorer.py"))
        theirs = [arguments.python, script, str(key), str(response), "-s"]
        slow = measure(theirs, arguments.scorer)
    for name, run in (("sameas", fast), ("corefud-scorer", slow)):
        print(f"{name:<15} {run[0]:8.2f} s  {run[1]:8.2f} s of CPU time")
    print(f"{'ratio':<15} {slow[0] / fast[0]:8.1f}    {slow[1] / fast[1]:8.1f}")
    print("figures:", "equal" if figures(slow[2]) == figures_of_json(fast[2]) else "DIFFERENT")


def figures(text: str) -> list[str]:
    """Return the printed recalls, precisions and F1s."""
    return re.findall(r"(?:Recall|Precision|F1): ([\d.]+)", text)


def figures_of_json(text: str) -> list[str]:
    """Return the same figures from the JSON of sameas."""
    import json

    metrics = json.loads(text)["metrics"]
    return [
        f"{100 * metrics[name.replace('bcub', 'b3')][part]:.2f}"
        for name in METRICS
        for part in ("recall", "precision", "f1")
    ]


if __name__ == "__main__":
    main()
