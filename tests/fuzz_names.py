"""Throw random names and options at `sameas align` and `sameas entropy`.

::

    python tests/fuzz_names.py --count 5000 --seed 0

Every case is a file of pairs or of aligned names in some script, with random damage, and options
that often conflict. The command must exit with 0, or with 1 or 2 and a message. Aligned names must
be those of the file, unchanged, and each must be spelt by its tokens. Text must fit 80 columns,
JSON and CSV must be valid, messages must not contain terminal control sequences, and no number may
be NaN or infinite. A traceback, a Python warning or a run of more than thirty seconds of processor
time is a failure; the command and its files are printed.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import signal
import sys
import tempfile
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fuzz_cone import Failure, _no_number, main, outcome
from fuzz_readers import _damage
from sameas.errors import SameasError
from sameas.names.aligned import AlignedNames, AlignedPair, read_alignments, spelt
from sameas.names.pairs import read_pairs
from sameas.names.units import graphemes, script_of
from sameas.show.cells import text_width

#: Letters of many kinds of scripts.
SCRIPTS: dict[str, list[str]] = {
    "Latin": list("abcdefghijklmnoprstuvwyz"),
    "accented": [*"àéîõüçñşğ", "e\u0323\u0301", "o\u0308"],
    "Cyrillic": list("абвгдежзийклмнопрстуфхцчшэюя"),
    "Greek": list("αβγδεζηθικλμνξοπρστυφχψωάέΣς"),
    "Han": list("爱丽丝亚当安娜德鲁艾伦斯特尔克利拉马"),
    "Katakana": list("アイウエオカキクケコサシスセソタチツテトーッャュョ"),
    "Hangul": list("안나아리스데이비드김박이"),
    "jamo": list("\u1112\u1161\u11ab\u1100\u1173\u11af"),
    "Arabic": [*"ابتجدرسلمنهوي", "مُ", "حَ"],
    "Hebrew": [*"אבגדהוזחטילמנסרשת", "דָּ"],
    "Devanagari": ["क", "कृ", "ष्ण", "न्दी", "लि", "स", "ऐ", "म", "र्"],
    "Thai": ["ก", "รุ", "ง", "เ", "ท", "พ", "ำ"],
    "Georgian": list("აბგდევზთიკლმნ"),
}
SIGNS = [" ", "-", "'", "·", "・", ".", "/", "*", "_", "\\", "#", "|", ":", "}", '"', ",", "(", "1"]
STRANGE = ["😀", "👩\u200d👧", "\u200b", "\u200d", "\u200e", "\u202e", "\ufeff", "\u0301", "\u0085"]
STRANGE += ["\u2028", "\u00a0", "\u3000", "İ", "ß", "ǅ", "ﬁ", "𝔸", "\x00", "\x1b[31m", "\x7f", "\r"]
METHODS = ["segment", "segment", "affinity", "affinity", "phoneme", "phonological"]
#: Values of each option; the last one is invalid.
ALIGN: dict[str, list[str]] = {
    "--start": ["even", "random", "middle"],
    "--seed": ["0", "1", "999999999999999999", "-1"],
    "--target": ["graphemes", "sounds", "letters"],
    "--cut": ["coda", "final", "phone", "tone"],
    "--letters": ["1", "2", "6", "20", "0"],
    "--units": ["1", "2", "4", "5"],
    "--case": ["fold", "keep", "lower"],
    "--iterations": ["0", "1", "2", "7", "50", "1001"],
    "--digits": ["0", "1", "12", "x"],
    "--signature": ["sameas:align|method:affinity|start:random|seed:3", "sameas:align", "sameas:x"],
}
ENTROPY: dict[str, list[str]] = {
    "--format": ["sameas", "m2m", "phonetisaurus", "xml"],
    "--top": ["0", "1", "3", "1000", "-1"],
    "--token": ["爱", "*", "a", "", "nothing at all"],
    "--case": ["fold", "keep", "lower"],
    "--digits": ["0", "1", "12", "x"],
    "--samples": ["100", "101", "x"],
    "--seed": ["0", "7", "-1"],
    "--method": ["percentile", "bca", "normal"],
    "--confidence": ["90", "50", "100"],
}
STYLES = ["--json", "--csv", "--markdown", "--latex"]
NONE = re.compile(r"(?<![\w\\])[-−]?(nan|inf|infinity)(?!\w)", re.IGNORECASE)


def _name(generator: random.Random, script: str, strange: float, longest: int) -> str:
    letters = []
    for _ in range(generator.randint(1, longest)):
        chance = generator.random()
        if chance < strange:
            letters.append(generator.choice(STRANGE))
        elif chance < 3 * strange:
            letters.append(generator.choice(SIGNS))
        else:
            letters.append(generator.choice(SCRIPTS[script]))
    name = "".join(letters)
    return name.title() if generator.random() < 0.05 else name


def _pairs(generator: random.Random) -> list[tuple[str, str]]:
    """Return names with transliterations; mostly short, and with one script per side."""
    strange = generator.choice([0.0, 0.0, 0.02, 0.2])
    longest = generator.choice([2, 6, 6, 10, 40])
    source = generator.choice(["Latin", "Latin", *SCRIPTS])
    target = generator.choice(["Han", "Han", *SCRIPTS])
    found = []
    for _ in range(generator.choice([1, 1, 2, 5, 12, 40, 120])):
        if generator.random() < 0.01:
            source, target = target, source
        found.append(
            (
                _name(generator, source, strange, longest),
                _name(generator, target, strange, longest),
            )
        )
    if generator.random() < 0.05:
        found.append(("a" * generator.choice([255, 256, 10_000]), found[0][1]))
    if generator.random() < 0.1:
        found += found[: generator.randint(1, len(found))]
    return found


def _cut(generator: random.Random, pair: tuple[str, str]) -> AlignedPair:
    """Return a pair with its names split at random."""
    sides = [graphemes(name) for name in pair]
    count = generator.randint(1, max(map(len, sides)))
    ends = [sorted(generator.choices(range(len(side) + 1), k=count - 1)) for side in sides]
    bounds = [[0, *end, len(side)] for side, end in zip(sides, ends, strict=True)]
    tokens = tuple(
        (
            "".join(sides[0][bounds[0][place] : bounds[0][place + 1]]),
            "".join(sides[1][bounds[1][place] : bounds[1][place + 1]]),
        )
        for place in range(count)
    )
    return AlignedPair(
        "".join(sides[0]), "".join(sides[1]), tuple(token for token in tokens if any(token))
    )


def _text(generator: random.Random, pairs: list[tuple[str, str]]) -> str:
    lines = [f"{source}\t{target}" for source, target in pairs]
    if generator.random() < 0.1:
        lines = [line + generator.choice(["", "\tmore", "\tx\ty"]) for line in lines]
    if generator.random() < 0.1:
        odd = ["", "#", "# a comment", "bob", "\t", "\t\t", " ", "a\t", "\tb", "боб\tбоб"]
        for _ in range(generator.choice([1, 1, 3, 40])):
            lines.insert(generator.randint(0, len(lines)), generator.choice(odd))
    return "\n".join([*lines, ""])


def _aligned_text(generator: random.Random, pairs: list[tuple[str, str]]) -> str:
    cut = [_cut(generator, pair) for pair in pairs]
    kind = generator.choice(["sameas", "sameas", "sameas", "m2m", "phonetisaurus"])
    if kind == "sameas":
        return str(AlignedNames(tuple(cut), signature="sameas:align")) + "\n"
    lines = []
    for pair in cut:
        if kind == "m2m":
            sides = (
                "".join(f"{':'.join(graphemes(token[side])) or '_'}|" for token in pair.tokens)
                for side in (0, 1)
            )
            lines.append("\t".join(sides))
        else:
            lines.append(
                " ".join(
                    "}".join("|".join(graphemes(side)) or "_" for side in token)
                    for token in pair.tokens
                )
            )
    return "\n".join([*lines, ""])


def _write(generator: random.Random, path: Path, text: str, often: float = 0.2) -> str:
    """Write a file, sometimes damaged, and return its name."""
    content = text.encode(errors="surrogatepass")
    while generator.random() < often:
        content = _damage(generator, content)
    path.write_bytes(content)
    return str(path)


def _odd_path(generator: random.Random, folder: Path) -> str:
    return generator.choice(["", "-", str(folder), str(folder / "nothing"), "a\x00b"])


def _options(generator: random.Random, known: dict[str, list[str]], wild: bool) -> list[str]:
    found = []
    for option, values in known.items():
        if generator.random() < (0.2 if wild else 0.1):
            wrong = wild and generator.random() < 0.15
            found += [option, values[-1] if wrong else generator.choice(values[:-1])]
    return found


def _methods(generator: random.Random, pairs: list[tuple[str, str]], wild: bool) -> list[str]:
    """Return one method or two; those by sounds mostly for names with known sounds."""
    known = wild or {script_of(name[0]) for name in pairs[0]} == {"Latin", "Han"}
    choices = METHODS if known or generator.random() < 0.05 else METHODS[:4]
    found = [generator.choice(choices) for _ in range(2 if generator.random() < 0.1 else 1)]
    return found if wild else list(dict.fromkeys(found))


def _used(methods: list[str]) -> dict[str, list[str]]:
    """Return the options that these methods use, with their values."""
    found = {name: values for name, values in ALIGN.items() if name in ("--case", "--digits")}
    if "segment" in methods:
        found |= {name: ALIGN[name] for name in ("--letters", "--units")}
    if methods == ["affinity"]:
        found["--target"] = ["graphemes", ""]
    if {"phoneme", "phonological"} & set(methods):
        found["--cut"] = ALIGN["--cut"]
    least = 0 if methods == ["affinity"] else 1
    return found | {"--iterations": ALIGN["--iterations"][least:]}


def arguments_of(seed: int, number: int, folder: Path) -> list[str]:
    """Return one command and write its files; the same for the same seed and number."""
    generator = random.Random(f"{seed}/{number}")
    wild = generator.random() < 0.25  # conflicting and invalid options
    pairs = _pairs(generator)
    if generator.random() < 0.4:
        return _entropy(generator, pairs, folder, wild)
    found = ["align", _write(generator, folder / "pairs.tsv", _text(generator, pairs))]
    if wild and generator.random() < 0.1:
        found[1] = _odd_path(generator, folder)
    elif generator.random() < 0.03:
        found[1:] = ["--dataset", generator.choice(["sample:zh", "sample:ar", "sample:xx"])]
    methods = _methods(generator, pairs, wild)
    if generator.random() < 0.8:
        found += ["--method", ",".join(methods)]
    else:
        methods = ["segment"]
    found += _options(generator, ALIGN if wild else _used(methods), wild)
    if not wild and generator.random() < 0.15:
        found += ["--start", "random", *generator.choice([[], ["--seed", "0"], ["--seed", "9"]])]
    if generator.random() < 0.4 and (wild or "--dataset" not in found):
        found.append("--skip-bad")
    by_sounds = bool({"phoneme", "phonological"} & set(methods))
    for side in ("source", "target"):
        if generator.random() < 0.1 and (wild or by_sounds):
            text = "".join(f"{''.join(pair)[:4]}\tK AA {pair[0][:2]}\n" for pair in pairs[:9])
            if generator.random() < 0.5:
                text += "".join(f"{pair[side == 'target']}\tK AA\n" for pair in pairs)
            path = _write(generator, folder / f"{side}.txt", text)
            found += [f"--{side}-sounds", path]
    ways = ["print", "gold", "style"]
    ways += ["print", "write", "show"] if wild or len(methods) == 1 else []
    way = generator.choice(ways)
    if way == "write" or (wild and generator.random() < 0.1):
        places = ["written.tsv", "written.tsv", "-", "pairs.tsv", "no/where.tsv", ""]
        place = generator.choice(places if wild else places[:3])
        found += ["--output", place if place == "-" else str(folder / place)]
    if way == "gold" or (wild and generator.random() < 0.1):
        some = [pair for pair in pairs if generator.random() < 0.7] or pairs
        cut = AlignedNames(tuple(_cut(generator, pair) for pair in some))
        found += ["--gold", _write(generator, folder / "gold.tsv", f"{cut}\n", 0.1)]
    if way == "show" or (wild and generator.random() < 0.1):
        # A name that begins with - would be parsed as an option.
        shown = [
            name.strip().lstrip("-")
            for name in generator.choice([pairs[0], *_pairs(generator)[:1]])
        ]
        found += ["--show", *shown]
    if way == "style" or (generator.random() < 0.1 and (wild or way != "show")):
        found.append(generator.choice(STYLES))
    return found


def _entropy(
    generator: random.Random, pairs: list[tuple[str, str]], folder: Path, wild: bool
) -> list[str]:
    found = ["entropy"]
    several = generator.choice([1, 1, 1, 2, 3])
    for number in range(several):
        path = folder / f"aligned{number}.tsv"
        found.append(_write(generator, path, _aligned_text(generator, pairs)))
    if wild and generator.random() < 0.1:
        found[1] = _odd_path(generator, folder)
    gold = generator.random() < 0.4
    if gold:
        text = _aligned_text(generator, pairs)
        found += ["--gold", _write(generator, folder / "gold.tsv", text, 0.1)]
    if generator.random() < (0.4 if gold else 0.02):
        found += ["--interval", "--samples", "100"]
    style = generator.choice(STYLES) if generator.random() < 0.4 else ""
    token = generator.random() < 0.2 and (wild or (several == 1 and not gold))
    mostly = ["--case", "--digits"]
    if several == 1 and not token and style not in ("--json", "--csv"):
        mostly.append("--top")
    known = {option: values for option, values in ENTROPY.items() if wild or option in mostly}
    found += _options(generator, known, wild)
    if token and "--token" not in found:
        found += ["--token", pairs[0][1].lstrip("-")[:1] or "*"]
    if generator.random() < 0.4:
        found.append("--skip-bad")
    return [*found, style] if style else found


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Fail in the block after `seconds` of processor time, however busy the machine is.

    A TimeoutError would look like a full disk.
    """

    def stop(*_: object) -> None:
        raise Failure(f"no answer within {seconds:g} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def check(arguments: list[str], seconds: float = 30) -> str:
    """Run a command, check its output, and return its outcome in two or three words."""
    before = {path: Path(path).read_bytes() for path in arguments[1:] if _is_file(path)}
    with warnings.catch_warnings(), limit(seconds):
        warnings.simplefilter("error")
        code, out, err = outcome(arguments, stdin=b"anna\t\xd0\xb0\xd0\xbd\xd0\xbd\xd0\xb0\n")
    if "Traceback" in out + err:
        raise Failure("a traceback is shown")
    orders = {sign for sign in err if unicodedata.category(sign) in ("Cc", "Zl", "Zp")} - {"\n"}
    if orders:
        raise Failure(f"a message has {sorted(orders)}")
    for path, content in before.items():
        if Path(path).read_bytes() != content and _value(arguments, "--output") != path:
            raise Failure("a file that was read is changed")
    if code:
        if not err.strip():
            raise Failure(f"exit code {code} without a message")
        return f"{arguments[0]} refused with {code}"
    if not out:
        raise Failure("nothing is said")
    if "--show" in arguments:
        _check_picture(arguments, out)
        return "a picture"
    style = next((one for one in STYLES if one in arguments), "")
    printed = out
    if arguments[0] == "align":
        written = _value(arguments, "--output")
        if written not in (None, "-"):
            _check_aligned(arguments, Path(written).read_bytes())
        elif out.startswith("# sameas:align|"):
            _check_aligned(arguments, out.encode())
            printed = err[max(err.find("method "), 0) :]
    _check_output(style, printed)
    return f"{arguments[0]} {style[2:] or 'text'}"


def _is_file(path: str) -> bool:
    return path.startswith("/") and "\x00" not in path and Path(path).is_file()


def _value(arguments: list[str], option: str) -> str | None:
    return arguments[arguments.index(option) + 1] if option in arguments else None


def _check_aligned(arguments: list[str], written: bytes) -> None:
    """Check that the aligned names are those of the file, and that their tokens spell them."""
    with tempfile.NamedTemporaryFile(suffix=".tsv") as file:
        file.write(written)
        file.flush()
        try:
            found = read_alignments(file.name, format="sameas")
        except SameasError as error:
            raise Failure(f"what was written does not read back: {error}") from None
    for pair in found:
        composed = tuple(unicodedata.normalize("NFC", name) for name in (pair.source, pair.target))
        if spelt(pair.tokens) != composed:
            raise Failure(f"the tokens do not spell {pair.source}")
    if "--dataset" in arguments or arguments[1] == "-":
        return
    wanted = read_pairs(arguments[1], skip_bad=True)
    if [(pair.source, pair.target) for pair in found] != wanted.pairs:
        raise Failure("other names were written than read")


def _check_picture(arguments: list[str], out: str) -> None:
    *drawn, blank, tokens = out.rstrip("\n").split("\n")
    place = arguments.index("--show")
    source, target = arguments[place + 1 : place + 3]
    if "\n" in source + target or "\r" in source + target:
        raise Failure("a line break in a name is not refused")
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
        file.write(f"{source.strip()}\t{target.strip()}\t{tokens}\n")
        file.flush()
        try:
            (pair,) = read_alignments(file.name, format="sameas")
        except SameasError as error:
            raise Failure(f"the tokens of the picture are wrong: {error}") from None
    # A row of tokens has letters, lines, units and, for Chinese, sounds; a blank line follows.
    rows = [row.split("\n") for row in "\n".join(drawn).split("\n\n")]
    if blank or {len(row) for row in rows} not in ({3}, {4}):
        raise Failure(f"a picture of rows with {[len(row) for row in rows]} lines")
    ticks = sum(len(re.findall(r"│|├┘|└[─┬]*┘", row[1])) for row in rows)
    if ticks != len(pair.tokens):
        raise Failure(f"a picture of {ticks} tokens, where {len(pair.tokens)} are")
    widest = max(map(text_width, drawn))
    if widest > 80 and max(len(graphemes(part)) for token in pair.tokens for part in token) < 20:
        raise Failure(f"a picture of {widest} columns")


def _check_output(style: str, out: str) -> None:
    if style == "--json":
        json.loads(out, parse_constant=_no_number)
        return
    if style == "--csv":
        rows = list(csv.reader(io.StringIO(out)))
        if len({len(row) for row in rows}) != 1:
            raise Failure("rows of the CSV differ in length")
        numbers = [cell for row in rows for cell in row if NONE.fullmatch(cell)]
        if numbers and rows[0][0] in ("method", "alignment"):
            raise Failure("a number that is none")
        return
    if style == "":
        widest = max(out.splitlines(), key=text_width)
        if text_width(widest) > 80:
            raise Failure(f"a line of {text_width(widest)} columns: {widest!r:.200}")
        if "|version:" not in out.replace("\n  ", ""):
            raise Failure("no signature")
    for line in out.splitlines():
        if re.match(r"^\W*(affinity|phoneme|phonological|segment|mappings|letters)\b", line):
            if NONE.search(line):
                raise Failure("a number that is none")
            if re.search(r"[-−]0\.?0*(?![.\d])", line):
                raise Failure("a zero with a minus sign")


if __name__ == "__main__":
    sys.exit(main(__doc__, arguments_of, check))
