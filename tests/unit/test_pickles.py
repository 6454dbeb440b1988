"""Documents and results go to other processes and come back."""

import copy
import pickle

import pytest

import sameas
from sameas.examples import EXAMPLES, SPANISH, example_path


@pytest.mark.parametrize("names", [EXAMPLES[:2], SPANISH])
def test_documents_and_results_can_be_pickled_and_copied(names: tuple[str, str]) -> None:
    key, response = (sameas.read(example_path(name)) for name in names)
    result = sameas.score(key, response)
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert again == result and str(again) == str(result)
        with pytest.raises(sameas.errors.UsageError, match="not after pickling"):
            again.by("size")
    for corpus in (key, response):
        other = pickle.loads(pickle.dumps(corpus))
        assert sameas.score(corpus, other)["conll"].f1 == 1
        assert [d.tokens for d in other.documents] == [d.tokens for d in corpus.documents]
    assert len(pickle.dumps(result)) < 20_000
