"""Documents and results can be pickled for worker processes."""

import copy
import dataclasses
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
        with pytest.raises(sameas.errors.UsageError):
            again.by("size")
    for corpus in (key, response):
        other = pickle.loads(pickle.dumps(corpus))
        assert sameas.score(corpus, other)["conll"].f1 == 1
        assert [d.tokens for d in other.documents] == [d.tokens for d in corpus.documents]
    assert len(pickle.dumps(result)) < 20_000


def test_documents_are_replaced_and_not_changed() -> None:
    document = sameas.Document.from_clusters("a", [[(0, 1), (3, 3)], [(4, 4)]])
    with pytest.raises(dataclasses.FrozenInstanceError):
        document.name = "b"  # type: ignore[misc]
    other = dataclasses.replace(document, name="b", entity=document.entity[[0, 0, 0]])
    assert (document.name, [len(e.mentions) for e in document.entities]) == ("a", [2, 1])
    assert (other.name, [len(e.mentions) for e in other.entities]) == ("b", [3, 0])
    again = copy.copy(document)
    assert again.entities == document.entities and again.mentions == [(0, 1), (3, 3), (4, 4)]
