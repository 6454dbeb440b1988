"""Damaged files are either read or refused with the name of the file."""

from pathlib import Path

import pytest

from fuzz_readers import cases, check, describe


@pytest.mark.long
def test_damaged_files_are_scored_or_refused(tmp_path: Path) -> None:
    outcomes = set()
    for case in cases(2000, seed=1):
        try:
            outcomes.add(check(case, tmp_path))
        except Exception as error:
            pytest.fail(describe(case, error))
    assert {("read", "scored"), ("read", "refused"), ("refused", "refused")} <= outcomes
