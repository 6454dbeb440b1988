"""A small run of tests/fuzz_formats.py."""

import pytest

from fuzz_formats import run


@pytest.mark.long
def test_damaged_files_are_read_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    assert run(7, 300) == 0, capsys.readouterr().err
