"""Compare the spaCy scorer with `sameas.score`: as a function, for a component, and by name."""

from __future__ import annotations

import pickle

import pytest

from integrations.material import flat, library, random_pairs, scored
from sameas.metrics.statistics import METRICS
from saying import raises, raises_problems, says

spacy = library("spacy")

from spacy.language import Language  # noqa: E402
from spacy.tokens import Doc  # noqa: E402
from spacy.training import Example  # noqa: E402

from sameas.integrations.spacy import make_scorer, score_clusters  # noqa: E402

LENGTH = 40


@pytest.fixture
def nlp():
    return spacy.blank("en")


def annotated(doc, clusters, prefix="coref_clusters"):
    """Return a Doc with clusters; spans include first and last token."""
    for number, cluster in enumerate(clusters, start=1):
        doc.spans[f"{prefix}_{number}"] = [doc[first : last + 1] for first, last in cluster]
    return doc


def example(nlp, key, response, prefix="coref_clusters"):
    words = [f"w{number}" for number in range(LENGTH)]
    docs = [
        annotated(Doc(nlp.vocab, words=words), clusters, prefix) for clusters in (response, key)
    ]
    return Example(*docs)


def expected(result):
    short = {"recall": "r", "precision": "p", "f1": "f"}
    found = {}
    for name, value in flat(result).items():
        metric, _, part = name.rpartition("_")
        found[f"coref_{metric}_{short[part]}" if part in short else f"coref_{name}"] = value
    return {**found, "coref_unaligned": 0}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"singletons": "drop"},
        {"metrics": [name for name, metric in METRICS.items() if not metric.places]},
        {"average": "macro"},
    ],
)
def test_equals_the_score_of_all_documents(nlp, seed, options):
    pairs = random_pairs(10, seed)
    examples = [example(nlp, *pair) for pair in pairs]
    assert score_clusters(examples, **options) == expected(scored(pairs, **options))
    assert make_scorer(**options)(examples) == score_clusters(examples, **options)


def test_names_of_scores_are_those_of_spacy(nlp):
    pair = [[(0, 1), (4, 4), (7, 8)]], [[(0, 1), (4, 4)]]
    found = score_clusters([example(nlp, *pair)], metrics=["muc", "conll"], name="head")
    assert list(found) == [
        "head_muc_r", "head_muc_p", "head_muc_f", "head_conll_f", "head_unaligned",
    ]  # fmt: skip
    assert (found["head_muc_r"], found["head_muc_p"]) == (0.5, 1.0)


def test_only_groups_of_the_prefix_count(nlp):
    pair = example(nlp, [[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]], prefix="coref_head_clusters")
    annotated(pair.reference, [[(2, 2), (3, 3)], [(9, 9)]])
    annotated(pair.predicted, [[(2, 2), (9, 9)]])
    pair.predicted.spans["coref_clusters_notes"] = [pair.predicted[5:6]]
    pair.predicted.spans["sc"] = [pair.predicted[5:6]]
    assert score_clusters([pair], prefix="coref_head_clusters")["coref_conll_f"] == 1.0
    found = score_clusters([pair], metrics="mention")
    assert (found["coref_mention_r"], found["coref_mention_p"]) == (2 / 3, 1.0)


def test_overlap_counts_characters(nlp):
    pair = example(nlp, [[(0, 1)]], [[(1, 2)]])  # w0 w1 and w1 w2
    found = score_clusters([pair], metrics="mor")
    assert (found["coref_mor_r"], found["coref_mor_p"]) == (2 / 4, 2 / 4)  # without the space


def test_references_without_clusters(nlp):
    found = score_clusters([example(nlp, [], [[(0, 1), (4, 4)]])], metrics=["muc", "conll"])
    assert found == {
        "coref_muc_r": None, "coref_muc_p": None, "coref_muc_f": None, "coref_conll_f": None,
        "coref_unaligned": 0,
    }  # fmt: skip


def test_a_different_tokenisation(nlp):
    text = "Ann's dog saw her"
    reference = annotated(nlp.make_doc(text), [[(0, 0), (4, 4)], [(0, 2)]])  # Ann 's dog saw her
    predicted = Doc(nlp.vocab, words=["Ann's", "dog", "saw", "her"], spaces=[True] * 3 + [False])
    assert predicted.text == text
    annotated(predicted, [[(0, 0), (3, 3)], [(0, 1)]])
    found = score_clusters([Example(predicted, reference)], metrics=["mention"])
    # Ann is not a token of the predicted Doc, and Ann's is not a mention of the reference.
    assert found == {
        "coref_mention_r": 2 / 3, "coref_mention_p": 2 / 3, "coref_mention_f": 2 / 3,
        "coref_unaligned": 1,
    }  # fmt: skip


def test_texts_that_differ_in_white_space(nlp):
    reference = annotated(nlp.make_doc("Ann, she said."), [[(0, 0), (2, 2)]])
    words = ["Ann", ",", "she", "said", "."]
    predicted = annotated(Doc(nlp.vocab, words=words), [[(0, 0), (2, 2)]])
    assert reference.text != predicted.text
    found = score_clusters([Example(predicted, reference)])
    assert (found["coref_conll_f"], found["coref_unaligned"]) == (1.0, 0)


def test_white_space_at_the_ends_of_mentions(nlp):
    reference = annotated(Doc(nlp.vocab, words=["Ann", "\n", "left"]), [[(0, 1)]])
    for words, last in ((["Ann", "\n", "left"], 0), (["Ann", "left"], 0)):
        predicted = annotated(Doc(nlp.vocab, words=words), [[(0, last)]])
        found = score_clusters([Example(predicted, reference)], metrics="mention")
        assert found["coref_mention_f"] == 1.0
    with raises_problems("only-white-space", path="example 1, the reference Doc"):
        score_clusters([Example(reference, annotated(reference.copy(), [[(1, 1)]]))])


def test_other_texts_are_refused(nlp):
    docs = [annotated(nlp.make_doc(text), [[(0, 0)]]) for text in ("Ann left", "Bob left")]
    with raises_problems("other-text", path="example 1"):
        score_clusters([Example(*docs)])


def test_repeated_mentions_are_noted(nlp):
    pair = example(nlp, [[(0, 1), (4, 4)]], [[(0, 1), (4, 4)], [(0, 1)]])
    with pytest.warns(UserWarning, match=says("repeats-warned", policy="first")):
        score_clusters([pair])


def test_wrong_settings_are_refused(nlp):
    with raises("unknown", near="drop"):
        make_scorer(singletons="droop")
    with raises("unknown", near="singletons"):
        score_clusters([], singleton="drop")
    with raises("wrong-type", what="examples", value=None):
        score_clusters(None)
    with raises("wrong-type", what="examples"):
        score_clusters(example(nlp, [], []))


def test_the_scorer_of_a_component_can_be_pickled(nlp):
    scorer = pickle.loads(pickle.dumps(make_scorer(metrics=["muc"])))
    pair = example(nlp, [[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]])
    assert scorer([pair], threshold=0.5)["coref_muc_f"] == 1.0


@Language.factory(
    "sameas_test_resolver", default_config={"scorer": {"@scorers": "sameas.clusters.v1"}}
)
class Resolver:
    """A component that finds the same entity everywhere."""

    def __init__(self, nlp, name, scorer):
        self.scorer, self.cfg = scorer, {"threshold": 0.5}

    def __call__(self, doc):
        return annotated(doc, [[(0, 0), (3, 3)], [(1, 1)]])

    def score(self, examples, **options):
        return self.scorer(examples, labels=(), **{**self.cfg, **options})


@pytest.mark.parametrize("options", [{}, {"metrics": ["lea", "conll"], "singletons": "drop"}])
def test_evaluate_scores_with_it(nlp, options):
    config = {"scorer": {"@scorers": "sameas.clusters.v1", **options}}
    nlp.add_pipe("sameas_test_resolver", config=config)
    clusters = [
        ([[(0, 0), (3, 3)], [(1, 1)]], [[(0, 0), (3, 3)], [(1, 1)]]),
        ([[(0, 0), (4, 4)]], [[(0, 0), (3, 3)], [(1, 1)]]),
    ]
    text = "Ann said that she left"
    examples = [
        Example(nlp.make_doc(text), annotated(nlp.make_doc(text), key)) for key, _ in clusters
    ]
    found = nlp.evaluate(examples)
    assert expected(scored(clusters, **options)).items() <= found.items()
    assert nlp.evaluate(examples, per_component=True)["sameas_test_resolver"] == expected(
        scored(clusters, **options)
    )
    again = spacy.blank("en").from_config(nlp.config)  # by the configuration alone
    assert expected(scored(clusters, **options)).items() <= again.evaluate(examples).items()
