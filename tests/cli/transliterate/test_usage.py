"""`sameas transliterate`: help, and random commands."""

from __future__ import annotations

import csv
import io
import json
import random
import unicodedata
import warnings
from pathlib import Path

import pytest

from cli.transliterate.names import CANDIDATES, PAIRS, TEST, no
from command_line import columns, good, run, write
from fuzz_cone import outcome
from fuzz_names import SCRIPTS, SIGNS, STRANGE, limit
from fuzz_readers import _damage

# --- help ---------------------------------------------------------------------------------------


def test_the_command_is_listed() -> None:
    assert "\n  transliterate " in good("--help")


def test_help_of_the_actions() -> None:
    out = good("transliterate", "--help")
    assert "sameas transliterate train|apply|evaluate …" in out
    for action in ("train", "apply", "evaluate"):
        assert f"\n  {action} " in out
        told = good("transliterate", action, "--help")
        assert f"usage: sameas transliterate {action} " in told


def test_no_action() -> None:
    code, out, _ = run("transliterate")
    assert code == 2
    assert "actions:" in out


@pytest.mark.parametrize("action", ["aply", "Train", "names.txt"])
def test_an_unknown_action(action: str) -> None:
    err = no(action)
    assert action in err
    assert "train, apply, evaluate" in err


def test_an_unknown_option() -> None:
    for action in ("train", "apply", "evaluate"):
        assert "--nothing" in no(action, "--nothing")
    assert "--nothing" in no("--nothing")


# --- random commands ----------------------------------------------------------------------------

VALUES: dict[str, list[str]] = {
    "--model": ["bigram", "bigram", "ngram", "network", "trigram"],
    "--order": ["1", "2", "8", "0", "x"],
    "--smoothing": ["kneser-ney", "witten-bell", "none"],
    "--method": ["segment", "affinity", "magic"],
    "--target": ["graphemes", "sounds", "x"],
    "--case": ["fold", "keep", "lower"],
    "--seed": ["0", "7", "-1"],
    "--most": ["1", "3", "1000", "0"],
    "--threshold": ["0", "0.3", "1", "nan"],
    "--ties": ["order", "expected", "random"],
    "--variants": ["chinese", "random.tsv", ""],
    "--wrong": ["0", "2", "x"],
    "--digits": ["0", "4", "x"],
    "--samples": ["100", "1"],
    "--confidence": ["90", "100"],
    "--dataset": ["sample:ru", "sample:xx"],
}
SWITCHES = ["--reverse", "--skip-bad", "--json", "--csv", "--markdown", "--latex", "--interval"]
SWITCHES += ["--compare"]
OPTIONS = {
    "train": ["--model", "--order", "--smoothing", "--method", "--case", "--seed", "--reverse"],
    "apply": ["--most", "--threshold", "--json"],
    "evaluate": ["--most", "--ties", "--variants", "--wrong", "--digits", "--json", "--csv"],
}
OPTIONS["evaluate"] += ["--markdown", "--latex", "--interval", "--compare"]


def random_name(generator: random.Random) -> str:
    script = generator.choice(["Latin", "Latin", *SCRIPTS])
    signs = SCRIPTS[script] * 4 + generator.choice([[], SIGNS, STRANGE])
    return "".join(generator.choices(signs, k=generator.choice([1, 3, 6, 40])))


def random_file(generator: random.Random) -> bytes:
    lines = []
    for _ in range(generator.choice([0, 1, 3, 20])):
        wide = generator.choice([1, 2, 2, 2, 3])
        lines.append("\t".join(random_name(generator) for _ in range(wide)))
    text = generator.choice([TEST, CANDIDATES, PAIRS, "\n".join(lines) + "\n"])
    content = text.encode(errors="surrogatepass")
    while generator.random() < 0.4:
        content = _damage(generator, content)
    return content


def random_command(generator: random.Random) -> list[str]:
    action = generator.choice(["train", "apply", "apply", "evaluate", "evaluate"])
    files = ["random.tsv", "random.tsv", "test.tsv", "folder", "nothing", "", "-", "a\x00b"]
    some = generator.choices(files, [9, 9, 9, 1, 1, 1, 1, 1])
    systems = ["bigram.model", "ngram.model", "x=candidates.tsv", "random.tsv", "back.model"]
    systems += ["broken.model", "nothing", "x=", "="]
    found = [action]
    if action == "train":
        found += [*some, "-o", generator.choice(["new.model", "new.model", "folder", "a\x00b"])]
        if "--model" not in found:
            found += ["--model", "bigram"]
    elif action == "apply":
        found.append(generator.choice([*systems[:2], *systems]))
        if generator.random() < 0.5:
            found += ["--file", *some]
        else:
            names = [random_name(generator).lstrip("-") for _ in range(generator.randint(0, 3))]
            found += names
        if generator.random() < 0.2:
            found += ["-o", generator.choice(["out.tsv", "folder", "-", "random.tsv", "a\x00b"])]
    else:
        found += [*some, *generator.sample(systems, generator.choice([0, 1, 1, 2, 3]))]
    known = [*VALUES, *SWITCHES] if generator.random() < 0.2 else OPTIONS[action]
    for option in generator.sample(known, min(len(known), generator.choice([0, 0, 1, 2, 3]))):
        found += [option, generator.choice(VALUES[option])] if option in VALUES else [option]
    if "--interval" in found and "--samples" not in found:
        found += ["--samples", "100"]
    return ["transliterate", *found]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_random_commands(seed: int, here: Path) -> None:
    """Random commands on random files succeed, or fail with a message."""
    generator = random.Random(seed)
    ends = {0: 0, 1: 0, 2: 0}
    for _ in range(40):
        write("random.tsv", random_file(generator))
        write("broken.model", _damage(generator, Path("bigram.model").read_bytes()))
        arguments = random_command(generator)
        with warnings.catch_warnings(), limit(60):
            warnings.simplefilter("error")
            code, out, err = outcome(arguments, stdin=TEST.encode())
        said = f"{arguments}\n{out[-500:]}\n{err[-1500:]}"
        assert code in ends, said
        ends[code] += 1
        assert "Traceback" not in out + err, said
        signs = {sign for sign in err if unicodedata.category(sign) in ("Cc", "Zl", "Zp")}
        assert signs <= {"\n"}, said
        assert code == 0 or err.strip(), said
        assert Path("test.tsv").read_text() == TEST, said
        if code:
            continue
        if "--json" in arguments and "-o" not in arguments:
            json.loads(out)
        elif "--csv" in arguments:
            assert len({len(row) for row in csv.reader(io.StringIO(out))}) == 1, said
        elif arguments[1] == "apply":
            assert all(len(line.split("\t")) == 3 for line in out.split("\n")[:-1]), said
        elif not {"--markdown", "--latex"} & set(arguments):
            assert columns(out) <= 80, said
    assert ends[0]
