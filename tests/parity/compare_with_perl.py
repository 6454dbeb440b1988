"""Compare sameas with the reference scorer v8.01 (Pradhan et al. 2014) on random CoNLL files.

The script needs Perl and a checkout of the scorer, named by the environment variable
``SAMEAS_PERL_SCORER`` (the directory that holds ``scorer.pl``)::

    SAMEAS_PERL_SCORER=../reference-coreference-scorers python tests/parity/compare_with_perl.py

It writes pairs of key and response files that are as odd as the scorer tolerates, or odder, and
checks that ``sameas.score(key, response, compat="conll-8.01")`` gives the same counts for every
pair: equal integers, and fractions within 1e-9. If the scorer dies, sameas must raise its own
error. The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

METRICS = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": "blanc"}

# One Perl process scores a whole batch. The scorer exits when its counter of repeated mentions,
# which it never resets, exceeds ten. Here the counter starts at a large negative number, so that
# files with many repeated mentions can be compared, too.
DRIVER = r"""
use strict;
use warnings;

my ($library, $list) = @ARGV;
$| = 1;
open(my $silence, '>', \my $unheard) or die "no string to print to: $!";
select($silence);
unshift(@INC, $library);
require CorScorer;

open(my $pairs, '<', $list) or die "cannot open $list: $!";
while (my $pair = <$pairs>) {
  chomp($pair);
  my ($key, $response) = split(/\t/, $pair);
  for my $metric ('muc', 'bcub', 'ceafm', 'ceafe', 'blanc') {
    no warnings 'once';
    $main::repeated_mentions = -1_000_000;
    my $printed = '';
    open(my $ear, '>', \$printed) or die "no string to print to: $!";
    select($ear);
    my @counts;
    my $finished = eval {
      local $SIG{ALRM} = sub { die "no answer within 60 seconds\n" };
      alarm(60);
      @counts = CorScorer::Score($metric, $key, $response, 'none');
      alarm(0);
      1;
    };
    my $reason = $@;
    alarm(0);
    select($silence);
    close($ear);
    if (!$finished) {
      $reason =~ s/\s+/ /g;
      print STDOUT "$metric\tdied\t$reason\n";
      next;
    }
    my $number = qr/([-+.\de]+)/;
    my $quad = qr/Recall: \($number \/ $number\) \S+\tPrecision: \($number \/ $number\)/;
    my @mention = $printed =~ /Identification of Mentions: $quad/;
    my @final;
    if ($metric eq 'blanc') {
      my @shown = $printed =~ /BLANC: $quad/;
      @final = CorScorer::ComputeBLANCFromCounts(@counts[0, 1, 3, 4, 5, 7]);
      for my $side (0, 1) {
        abs($final[$side] - $shown[2 * $side]) < 1e-9 or die "printed BLANC is not the computed";
      }
    }
    my @numbers = map { sprintf('%.17g', $_) } @mention, @counts, @final;
    print STDOUT join("\t", $metric, 'scored', @numbers), "\n";
  }
}
"""


# ---------------------------------------------------------------------------------------------
# Random pairs
# ---------------------------------------------------------------------------------------------

Span = tuple[int, int]
Entities = list[tuple[str, list[Span]]]

NAMES = ["(a)", "(b/c/d_0001)", "(12)", "(LuoTestCase)", "nw/wsj 7", "(é)"]
PARTS = ["; part 000", "; part 001", ";", "; ", ""]
BEGINNINGS = ["#begin document ", "# begin document ", "#\t begin document "]
NOT_BEGINNINGS = ["#begin document", "#Begin document (a); part 000", " #begin document (a);"]
ENDINGS = ["#end document", "# end document", "#end document (a); part 000", "x #end document"]
WORDS = ["the", "cat", "sat", "Zürich", "東京", ",", "%", "$", "#", "0", "12", "a|b", "-LRB-", "e)"]
ODD_WORDS = ["(7)", "(7)(8)", "(2", "2)", "(3+5)", "(٣)", "(³)", "a\x0bb", "a\x0cb", "a\u2028b"]
ODD_WORDS += ["a\x85b", "a\u00a0b", "a\rb", "\ufeff(4)", "(0x1)", "(1)x(1)", "end document"]
COMMENTS = ["# sent_id = 4", "#", "# text = (5) of them", "#\t(6)", "# newpar"]
BLANKS = ["", " ", "\t", " \t ", "\x0c", "\x0b"]
BROKEN = ["(e1)", "(5a)", "(-1)", "(0+12)", "77)", "(77", "(1 2)", "(1(2)3)", "1)(1", "(3+)"]


@dataclass
class Pair:
    """A key and a response file as bytes, and the names of the oddities in them."""

    key: bytes
    response: bytes
    features: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Style:
    """The layout of one file, independent of its coreference."""

    separator: str
    columns: int
    joiner: str
    newline: str
    empty: tuple[str, ...]
    ordered: bool
    trailing_tab: float
    odd_words: float
    missing_end: float
    final_newline: bool


def random_pair(generator: random.Random) -> Pair:
    """Return one pair: mostly a key and a damaged copy of it, sometimes two unrelated files."""
    features: set[str] = set()

    def chance(probability: float, feature: str = "") -> bool:
        happens = generator.random() < probability
        if happens and feature:
            features.add(feature)
        return happens

    names = [
        generator.choice(NAMES) + generator.choice(PARTS)
        for _ in range(generator.choice([1, 1, 1, 1, 2, 2, 3]))
    ]
    if len(names) > 1:
        features.add("several documents")
        if chance(0.08, "same document name twice"):
            names[-1] = names[0]
    key_style, response_style = _style(generator, chance), _style(generator, chance)
    if chance(0.6):
        response_style = key_style

    key_documents, response_documents = [], []
    for name in names:
        length = generator.choice([1, 2, 4, 6, 8, 10, 14])
        if chance(0.04, "long documents"):
            length = 40
        key = _entities(generator, length, chance)
        response = _response(generator, key, length, chance)
        if chance(0.15, "duplicates in the key"):
            for _ in range(generator.randint(1, 3)):
                _repeat(generator, key, chance, " in the key")
        wanted = generator.randint(1, 3) if chance(0.2, "duplicates in the response") else 0
        if wanted and chance(0.1, "more than ten duplicates in the response"):
            wanted = 15
        for _ in range(wanted):
            _repeat(generator, response, chance, " in the response")
        comments = [
            (generator.randrange(length + 1), generator.choice(COMMENTS))
            for _ in range(generator.choice([0, 0, 0, 0, 0, 1, 2]))
        ]
        words = [generator.choice(WORDS) for _ in range(length)]
        if comments:
            features.add("comment lines")
        key_documents.append((name, length, key, words, comments))
        if chance(0.05, "response without the comments of the key"):
            comments = []
        response_documents.append((name, length, response, words, comments))

    if chance(0.06, "missing document"):
        del response_documents[generator.randrange(len(response_documents))]
    if chance(0.06, "extra document"):
        extra = _entities(generator, 5, chance)
        response_documents.append(("(extra); part 000", 5, extra, ["word"] * 5, []))
    if chance(0.1):
        generator.shuffle(response_documents)
    if chance(0.02, "no documents in the key"):
        key_documents = []
    if chance(0.02, "no documents in the response"):
        response_documents = []
    pair = Pair(
        _file(generator, key_documents, key_style, chance),
        _file(generator, response_documents, response_style, chance),
        features,
    )
    for content in (pair.key, pair.response):
        if b"(0" in content:
            features.add("ids with a leading zero")
        if b"+" in content:
            features.add("double antecedents")
    return pair


def _style(generator: random.Random, chance: Callable[..., bool]) -> Style:
    blank_separated = chance(0.25, "blank-separated columns")
    joiner = "" if chance(0.3, "cells without |") else "|"
    return Style(
        separator=generator.choice([" ", "   "]) if blank_separated else "\t",
        columns=generator.choice([0, 1, 2, 5, 11]),
        joiner=joiner,
        newline="\r\n" if chance(0.1, "CRLF") else "\n",
        empty=generator.choice([("-",), ("-",), ("_",), ("*",), ("-", "_", "*"), ("-", "")]),
        ordered=not chance(0.15, "brackets in any order"),
        trailing_tab=0.3 if chance(0.06, "trailing tabs") else 0.0,
        odd_words=0.1 if chance(0.15, "odd words") else 0.0,
        missing_end=0.5 if chance(0.06, "missing #end document") else 0.0,
        final_newline=not chance(0.1, "no newline at the end"),
    )


def _spans(generator: random.Random, length: int, count: int) -> list[Span]:
    """Return distinct spans, mostly short."""
    spans: dict[Span, None] = {}
    for _ in range(count):
        start = generator.randrange(length)
        extra = generator.choice([0, 0, 0, 1, 1, 2, 4])
        spans[start, min(length - 1, start + extra)] = None
    return list(spans)


def _id(generator: random.Random, used: Iterable[str], chance: Callable[..., bool]) -> str:
    """Return an entity id that is not used yet."""
    while True:
        choice = generator.choice
        if chance(0.03):
            label = choice(["0", "1", "2"]) + str(generator.randrange(4))
        elif chance(0.02):
            label = "0" * generator.randint(1, 2) + str(generator.randrange(4))
        elif chance(0.01, "huge ids"):
            label = "9" * generator.randint(18, 40)
        else:
            label = str(generator.randrange(choice([5, 20, 300])))
        if label not in used:
            return label


def _group(
    generator: random.Random, spans: list[Span], number: int, chance: Callable[..., bool]
) -> Entities:
    """Group spans into at most this number of entities."""
    groups: dict[int, list[Span]] = {}
    for span in spans:
        groups.setdefault(generator.randrange(number), []).append(span)
    entities: Entities = []
    for mentions in groups.values():
        entities.append((_id(generator, [label for label, _ in entities], chance), mentions))
    return entities


def _entities(generator: random.Random, length: int, chance: Callable[..., bool]) -> Entities:
    """Return the entities of one document."""
    if chance(0.05, "a side without mentions"):
        return []
    wanted = 60 if length > 30 else generator.choice([1, 2, 4, 6, 9, 12, 16])
    spans = _spans(generator, length, wanted)
    if chance(0.06, "one entity"):
        return _group(generator, spans, 1, chance)
    if chance(0.08, "only singletons"):
        return [
            (label, [span])
            for span, (label, _) in zip(spans, _group(generator, spans, 10**9, chance), strict=True)
        ]
    number = generator.choice([2, 3, 5, 8]) if len(spans) < 20 else generator.choice([8, 20])
    return _group(generator, spans, number, chance)


def _response(
    generator: random.Random, key: Entities, length: int, chance: Callable[..., bool]
) -> Entities:
    """Copy the key with errors, or generate unrelated entities."""
    if chance(0.2, "unrelated response"):
        return _entities(generator, length, chance)
    if chance(0.03, "a side without mentions"):
        return []
    spans = [span for _, mentions in key for span in mentions]
    if chance(0.1, "same mentions, other entities"):
        return _group(generator, spans, generator.choice([1, 2, 3, 9, 99]), chance)
    entities = [(label, list(mentions)) for label, mentions in key]
    if chance(0.15):
        return entities
    if entities and chance(0.3, "split entities"):
        label, mentions = generator.choice(entities)
        cut = generator.randint(0, len(mentions))
        entities.append((_id(generator, [name for name, _ in entities], chance), mentions[cut:]))
        del mentions[cut:]
    if len(entities) > 1 and chance(0.3, "merged entities"):
        (_, first), (_, second) = generator.sample(entities, 2)
        first.extend(second)
        second.clear()
    for _, mentions in entities:
        for span in list(mentions):
            if chance(0.12, "missing mentions"):
                mentions.remove(span)
            elif entities and chance(0.1, "moved mentions"):
                mentions.remove(span)
                generator.choice(entities)[1].append(span)
    for span in _spans(generator, length, generator.choice([0, 0, 1, 3])):
        if all(span not in mentions for _, mentions in entities):
            chance(1, "twinless mentions")
            if entities and chance(0.7):
                generator.choice(entities)[1].append(span)
            else:
                label = _id(generator, [name for name, _ in entities], chance)
                entities.append((label, [span]))
    if chance(0.3):
        generator.shuffle(entities)
    if chance(0.3, "renamed entities"):
        labels: list[str] = []
        for _ in entities:
            labels.append(_id(generator, labels, chance))
        groups = [mentions for _, mentions in entities]
        entities = list(zip(labels, groups, strict=True))
    return [(label, mentions) for label, mentions in entities if mentions]


def _repeat(
    generator: random.Random, entities: Entities, chance: Callable[..., bool], where: str
) -> None:
    """Annotate a mention a second time, in its own or in another entity."""
    if not entities:
        return
    _, mentions = generator.choice(entities)
    span = generator.choice(mentions)
    if chance(0.4, "duplicates within an entity" + where):
        mentions.append(span)
    else:
        chance(1, "duplicates across entities" + where)
        generator.choice(entities)[1].append(span)


def _file(
    generator: random.Random,
    documents: list[tuple[str, int, Entities, list[str], list[tuple[int, str]]]],
    style: Style,
    chance: Callable[..., bool],
) -> bytes:
    """Write documents in a style; some lines may be damaged."""
    lines: list[str] = []
    if chance(0.05, "text before the first document"):
        lines += ["(1)\t(1)", "# a comment", "word\t-\t2)"]
    for name, length, entities, words, comments in documents:
        beginning = BEGINNINGS[0]
        if chance(0.08, "odd headers"):
            beginning = generator.choice(BEGINNINGS)
        if chance(0.05, "blanks after the header"):
            name += generator.choice([" ", "  ", "\t"])
        if chance(0.01, "headers that are none"):
            lines.append(generator.choice(NOT_BEGINNINGS))
        else:
            lines.append(beginning + name)
        body = [_line(generator, place, entities, words, style) for place in range(length)]
        for place, text in comments:
            body.insert(place, text)
        if body and chance(0.02, "broken cells"):
            place = generator.randrange(len(body))
            body[place] += generator.choice(["", "\t", "|"]) + generator.choice(BROKEN)
        if chance(0.03, "double antecedents"):
            place = generator.randrange(len(body))
            body[place] += generator.choice(["(3+5)", "|(12+5)"])
        if chance(0.3, "blank lines"):
            for _ in range(generator.randint(1, 3)):
                body.insert(generator.randrange(len(body) + 1), generator.choice(BLANKS))
        lines += body
        if generator.random() < style.missing_end:
            if chance(0.3, "never closed, and no #end document"):
                place = generator.randrange(len(lines) - len(body), len(lines))
                lines[place] += style.joiner + "(88"
        else:
            ending = ENDINGS[0]
            if chance(0.08, "odd ends"):
                ending = generator.choice(ENDINGS)
            lines.append(ending)
        if chance(0.1):
            lines.append("")
    content = style.newline.join(lines) + (style.newline if style.final_newline else "")
    encoded = content.encode()
    if chance(0.01, "bytes that are no UTF-8"):
        encoded = encoded.replace(b"\tthe", b"\tth\xe9").replace(b"cat", b"\xff\xa0cat")
    return encoded


def _line(
    generator: random.Random, place: int, entities: Entities, words: list[str], style: Style
) -> str:
    """Return one token line: some columns, the word, the coreference cell."""
    closing, single, opening = [], [], []
    for label, mentions in entities:
        for start, end in mentions:
            if start == end == place:
                single.append(f"({label})")
            elif start == place:
                opening.append(f"({label}")
            elif end == place:
                closing.append(f"{label})")
    brackets = closing + single + opening
    if not style.ordered:
        generator.shuffle(brackets)
    cell = style.joiner.join(brackets) or generator.choice(style.empty)
    word = words[place]
    if generator.random() < style.odd_words:
        word = generator.choice(ODD_WORDS)
    if style.columns == 0:
        columns = [cell]
    elif style.columns == 1:
        columns = [word, cell]
    else:
        columns = ["a", "0", str(place), word, *["-"] * (style.columns - 4), cell]
    line = style.separator.join(columns)
    if generator.random() < style.trailing_tab:
        line += "\t" * generator.randint(1, 2)
    return line


# ---------------------------------------------------------------------------------------------
# The two scorers
# ---------------------------------------------------------------------------------------------

Numbers = dict[str, tuple[float, ...]]


@dataclass
class Outcome:
    """The answer of a scorer for a pair: numbers by metric, and reasons for refusals."""

    numbers: Numbers = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)


class PerlScorer:
    """The reference scorer, one process for a batch of pairs."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self._library = checkout / "lib"
        self._folder = folder
        self._driver = folder / "driver.pl"
        self._driver.write_text(DRIVER)

    def start(self, pairs: list[tuple[Path, Path]]) -> subprocess.Popen[str]:
        """Start scoring the pairs."""
        listing = self._folder / "pairs.txt"
        listing.write_text("".join(f"{key}\t{response}\n" for key, response in pairs))
        # The scorer's document order is Perl's hash order; a fixed seed repeats its float sums.
        return subprocess.Popen(
            ["perl", str(self._driver), str(self._library), str(listing)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env={**os.environ, "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"},
        )

    def finish(self, process: subprocess.Popen[str], count: int) -> list[Outcome]:
        """Read the answers, in the order of the pairs."""
        printed, complaints = process.communicate()
        rows = printed.splitlines()
        if process.returncode or len(rows) != count * len(METRICS):
            raise SystemExit(f"the Perl driver stopped at row {len(rows)}:\n{complaints[-2000:]}")
        outcomes = []
        for first in range(0, len(rows), len(METRICS)):
            outcome = Outcome()
            for row in rows[first : first + len(METRICS)]:
                metric, kind, *rest = row.split("\t")
                if kind == "died":
                    outcome.refusals[METRICS[metric]] = rest[0]
                    continue
                numbers = tuple(float(number) for number in rest)
                mention = outcome.numbers.setdefault("mention", numbers[:4])
                assert mention == numbers[:4], "mention detection depends on the metric"
                outcome.numbers[METRICS[metric]] = numbers[4:]
            outcomes.append(outcome)
        return outcomes


def sameas_outcome(key: Path, response: Path) -> Outcome:
    """Return the same numbers from sameas."""
    import sameas

    try:
        result = sameas.score(str(key), str(response), compat="conll-8.01")
    except sameas.errors.SameasError as error:
        return Outcome(refusals={metric: str(error) for metric in METRICS.values()})
    outcome = Outcome()
    for metric in ["mention", "muc", "b3", "ceafm", "ceafe"]:
        outcome.numbers[metric] = tuple(result[metric].counts)
    blanc = result["blanc"]
    links = (*blanc.coref.counts, *blanc.noncoref.counts)
    outcome.numbers["blanc"] = (*links, blanc.recall, blanc.precision, blanc.f1)
    return outcome


def differences(expected: Outcome, found: Outcome) -> Iterator[str]:
    """Return lines on the disagreements of the two scorers; empty if they agree."""
    if not expected.numbers:
        if found.numbers:
            yield f"only Perl refuses: {next(iter(expected.refusals.values()))}"
        return
    if found.refusals:
        yield f"only sameas refuses: {next(iter(found.refusals.values()))}"
        return
    for metric, numbers in expected.numbers.items():
        others = found.numbers[metric]
        same = len(numbers) == len(others) and all(
            left == right
            if float(left).is_integer() and float(right).is_integer()
            else math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)
            for left, right in zip(numbers, others, strict=True)
        )
        if not same:
            yield f"{metric}: Perl {_show(numbers)}, sameas {_show(others)}"


def _show(numbers: tuple[float, ...]) -> str:
    return " ".join(f"{number:.12g}" for number in numbers)


# ---------------------------------------------------------------------------------------------
# The comparison
# ---------------------------------------------------------------------------------------------


def shrink(pair: Pair, differs: Callable[[Pair], bool]) -> Pair:
    """Remove lines of a differing pair as long as it still differs."""
    sides = [pair.key.splitlines(keepends=True), pair.response.splitlines(keepends=True)]
    smaller = True
    while smaller:
        smaller = False
        for side in (0, 1):
            place = 0
            while place < len(sides[side]):
                fewer = [list(lines) for lines in sides]
                del fewer[side][place]
                if differs(Pair(b"".join(fewer[0]), b"".join(fewer[1]))):
                    sides, smaller = fewer, True
                else:
                    place += 1
    return Pair(b"".join(sides[0]), b"".join(sides[1]), pair.features)


def describe(number: int, pair: Pair, problems: list[str]) -> str:
    """Return a differing pair as text."""
    lines = [f"pair {number} differs ({', '.join(sorted(pair.features))})"]
    for name, content in (("key", pair.key), ("response", pair.response)):
        lines.append(f"  {name}:")
        lines += [f"    {line!r}"[:200] for line in content.splitlines(keepends=True)]
    return "\n".join(lines + [f"  {problem}" for problem in problems])


def main() -> int:
    """Run the comparison; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=5000, help="pairs to compare (5000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random pairs (0)")
    parser.add_argument("--first", type=int, default=0, help="number of the first pair (0)")
    parser.add_argument("--batch", type=int, default=250, help="pairs per Perl process (250)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep differing pairs here")
    parser.add_argument("--show", type=int, default=10, help="differing pairs to print (10)")
    parser.add_argument("--shrink", action="store_true", help="print them with fewer lines")
    parser.add_argument("--features", action="store_true", help="print what the pairs cover")
    parser.add_argument("--perl-only", action="store_true", help="only run the Perl scorer")
    arguments = parser.parse_args()
    checkout = Path(os.environ.get("SAMEAS_PERL_SCORER", ""))
    if not (checkout / "scorer.pl").is_file():
        parser.error("set SAMEAS_PERL_SCORER to a checkout of the reference scorer (scorer.pl)")

    tally: Counter[str] = Counter()
    features: Counter[str] = Counter()
    last = arguments.first + arguments.count
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        perl = PerlScorer(checkout.resolve(), folder)

        def write(pair: Pair, stem: str) -> tuple[Path, Path]:
            paths = folder / f"{stem}.key.conll", folder / f"{stem}.response.conll"
            paths[0].write_bytes(pair.key)
            paths[1].write_bytes(pair.response)
            return paths

        def problems_of(pair: Pair) -> list[str]:
            paths = write(pair, "shrunk")
            [expected] = perl.finish(perl.start([paths]), 1)
            return list(differences(expected, sameas_outcome(*paths)))

        for first in range(arguments.first, last, arguments.batch):
            numbers = range(first, min(first + arguments.batch, last))
            pairs = [random_pair(random.Random(f"{arguments.seed}/{n}")) for n in numbers]
            paths = [write(pair, str(place)) for place, pair in enumerate(pairs)]
            process = perl.start(paths)
            if arguments.perl_only:
                found = [Outcome() for _ in paths]
            else:
                found = [sameas_outcome(*both) for both in paths]
            for number, pair, expected, ours in zip(
                numbers, pairs, perl.finish(process, len(paths)), found, strict=True
            ):
                features.update(pair.features)
                kind = "equal"
                if expected.refusals:
                    # Perl dies only in BLANC if an entity is never closed and there is no #end.
                    kind = "partly refused" if expected.numbers else "refused"
                problems = [] if arguments.perl_only else list(differences(expected, ours))
                if not problems:
                    tally[kind] += 1
                    continue
                tally["differ"] += 1
                if arguments.keep:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    (arguments.keep / f"{number}.key.conll").write_bytes(pair.key)
                    (arguments.keep / f"{number}.response.conll").write_bytes(pair.response)
                if tally["differ"] <= arguments.show:
                    if arguments.shrink:
                        pair = shrink(pair, lambda smaller: bool(problems_of(smaller)))
                        problems = problems_of(pair)
                    print(describe(number, pair, problems), flush=True)
    if arguments.features:
        for feature, count in sorted(features.items()):
            print(f"{count:7,} {feature}")
    parts = [
        f"{tally['equal']:,} {'scored by Perl' if arguments.perl_only else 'equal'}",
        f"{tally['refused']:,} refused by {'Perl' if arguments.perl_only else 'both'}",
    ]
    if tally["partly refused"]:
        parts.append(
            f"{tally['partly refused']:,} {'scored' if arguments.perl_only else 'equal'} but for "
            "a metric that Perl refuses"
        )
    if not arguments.perl_only:
        parts.append(f"{tally['differ']:,} differ")
    print(f"{arguments.count:,} pairs: {', '.join(parts)}")
    return 1 if tally["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
