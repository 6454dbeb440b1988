"""The modules of sameas that each command loads: no package that it does not need.

If a list has changed on purpose, copy the new one from the failure.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import sameas

EXAMPLES = Path(sameas.__file__).parent / "examples"

#: The modules that every command loads, to read its options and to report errors.
ALWAYS = """
_version cli cli.common cli.options cli.parser declaring errors lazily resampling_settings sentences
settings
"""
FILES = "files files.folders files.replacing files.unpacking"
NAMES = """
names names.affinity names.aligned names.aligner names.aligning names.letter_tables names.letters
names.pairs names.pivot names.rows names.segment names.sounds names.tokens names.units
"""
#: The verifier is a part of a model, and is read with it.
VERIFICATION = """
names.verification names.verification.alphabet names.verification.counting
names.verification.features
names.verification.judging names.verification.reasons names.verification.remarks
names.verification.saved names.verification.training names.verifier
"""
#: Titles of metrics are in the modules of their formulas, so tables of metrics load these.
TITLES = """
arithmetic arithmetic.arrays arithmetic.assignment arithmetic.quotients arithmetic.scores documents
documents.clusters documents.document documents.mentions matching matching.approximate
matching.sides metrics metrics.anaphora metrics.standard metrics.statistics metrics.variants
"""
#: The packages involved in a coreference score, from documents to scores.
METRICS = f"""
{TITLES} arithmetic.forest authorities authorities.paper documents.records formats
formats.brackets formats.common formats.conll formats.conll.read formats.conll.text
matching.matching matching.pairing matching.wording metrics.contingency results results.by_document results.joining results.result
results.words
"""
LOADED = {
    "--help": "_version cli cli.common cli.options cli.parser errors lazily sentences",
    "score --help": f"{ALWAYS} cli.plans cli.progress cli.score formats formats.declarations",
    "score key.conll eager.conll": f"""
        {ALWAYS} {FILES} {METRICS} cli.plans cli.progress cli.score files.encoding
        formats.declarations formats.reading matching.breakdown metrics.unscored notes presented run run.inputs
        run.memory run.processes show show.cells show.scores show.table""",
    "align --dataset sample:ru": f"""
        {ALWAYS} {NAMES} {FILES} arithmetic arithmetic.scores cli.align cli.names cli.progress
        names.datasets names.quality notes presented show show.alignment show.cells show.records
        show.table""",
    "transliterate apply names.model Sabina": f"""
        {ALWAYS} {NAMES} {VERIFICATION} {FILES} cli.progress cli.transliterate
        cli.transliterate.apply cli.transliterate.remarks names.candidates names.decoder
        names.joint names.learning names.mandarin names.modelfile names.network names.ngrams
        names.options names.transliterator names.words notes""",
    "published": f"""
        {ALWAYS} {TITLES} {FILES} chance chance.resampling cli.published notes show
        show.cells show.correlation show.record show.records show.table tables tables.correlation
        tables.record tables.score_files tables.scoretable""",
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded")
    for name in ("key.conll", "eager.conll"):
        (folder / name).write_bytes((EXAMPLES / name).read_bytes())
    train = "transliterate train --dataset sample:ru --model bigram -o names.model"
    loaded(train, folder)
    return folder


def loaded(command: str, folder: Path) -> list[str]:
    """Return the modules of sameas loaded at the end of a command."""
    program = (
        "import sys\nfrom sameas.cli import main\n"
        f"try: main({command.split()!r})\nexcept SystemExit as end: assert not end.code\n"
        "print(*(name for name in sys.modules if name.startswith('sameas.')), file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    *_, names = ran.stderr.splitlines()
    return sorted(name.removeprefix("sameas.") for name in names.split())


@pytest.mark.parametrize("command", LOADED)
def test_a_command_loads_what_it_needs(here: Path, command: str) -> None:
    assert loaded(command, here) == sorted(LOADED[command].split())
