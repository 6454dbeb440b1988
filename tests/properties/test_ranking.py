"""What the metrics of ranked names promise, whatever the names are."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from sameas.chance.resampling import draws, interval
from sameas.names.ranked_lists import NameLists, read_candidates
from sameas.names.ranking import RankingScores, rank_scores
from sameas.settings import Resampling

few = settings(deadline=None, max_examples=examples(60))
texts = st.text("abC莱赖é", min_size=1, max_size=4)
References = dict[str, list[str]]
Candidates = dict[str, list[tuple[str, float]]]
ranked = st.lists(st.tuples(texts, st.sampled_from([0.0, 0.5, 1.0])), max_size=6)
corpora = st.dictionaries(
    st.text("xyz", min_size=1, max_size=3),
    st.tuples(st.lists(texts, min_size=1, max_size=3), ranked),
    min_size=1,
    max_size=6,
).filter(lambda found: any(ranked for _, ranked in found.values()))
Corpus = dict[str, tuple[list[str], list[tuple[str, float]]]]
ways = st.sampled_from(["order", "expected"])
METRICS = ["accuracy", "f", "mrr", "map_ref", "accuracy@2", "accuracy@5", "accuracy@20", "cer"]


def scored(corpus: Corpus, ties: str = "order", most: int = 20, **options: object) -> RankingScores:
    references = {name: wanted for name, (wanted, _) in corpus.items()}
    candidates = {name: ranked for name, (_, ranked) in corpus.items()}
    return rank_scores(references, candidates, ties=ties, most=most, **options)  # type: ignore[arg-type]


@few
@given(corpora, ways)
def test_metrics_are_in_order(corpus: Corpus, ties: str) -> None:
    scores = scored(corpus, ties)
    close = 1e-12
    assert 0 <= scores.accuracy <= scores.mrr + close <= scores.accuracy_at(20) + 2 * close
    assert scores.accuracy_at(20) <= 1 + close
    at = [scores.accuracy_at(k) for k in range(1, 21)]
    assert all(one <= two + close for one, two in pairwise(at))
    assert scores.accuracy <= scores.f + close <= 1 + 2 * close
    assert 0 <= scores.map_ref <= 1 + close and scores.cer >= 0
    rows = scores.rows
    right = rows[:, 6] > 1 - close
    assert np.array_equal(right, rows[:, 4] < close)  # no errors: the first candidate is right
    assert np.array_equal(right, rows[:, 1] > 1 - close)


@few
@given(corpora, ways, texts)
def test_another_reference_never_lowers_reciprocal_rank(
    corpus: Corpus, ties: str, text: str
) -> None:
    more = {name: ([*wanted, text], ranked) for name, (wanted, ranked) in corpus.items()}
    before, after = scored(corpus, ties), scored(more, ties)
    for metric in ("accuracy", "mrr", "accuracy@2", "accuracy@20"):
        assert after[metric] >= before[metric] - 1e-12


@few
@given(corpora, ways, st.randoms())
def test_the_order_of_names_and_references_changes_nothing(
    corpus: Corpus, ties: str, random: object
) -> None:
    names = list(corpus)
    random.shuffle(names)  # type: ignore[attr-defined]
    other = {name: (corpus[name][0][::-1], corpus[name][1]) for name in names}
    one, two = scored(corpus, ties), scored(other, ties)
    assert [one[metric] for metric in METRICS] == [two[metric] for metric in METRICS]


@few
@given(corpora, ways, st.integers(1, 7))
def test_a_longer_list_never_lowers_reciprocal_rank(corpus: Corpus, ties: str, most: int) -> None:
    shorter, longer = scored(corpus, ties, most), scored(corpus, ties, most + 1)
    assert shorter.mrr <= longer.mrr + 1e-12
    assert shorter.accuracy == longer.accuracy and shorter.cer == longer.cer


@few
@given(corpora)
def test_variants_never_lower_ranks(corpus: Corpus) -> None:
    plain, aware = scored(corpus), scored(corpus, variants=["莱赖"])
    for metric in ("accuracy", "mrr", "accuracy@2", "accuracy@20"):
        assert aware[metric] >= plain[metric]
    assert aware.cer <= plain.cer or any(
        len({len(one) for one in wanted}) > 1 for wanted, _ in corpus.values()
    )


@few
@given(st.lists(texts, min_size=1, max_size=3), ranked.filter(bool), st.integers(1, 6))
def test_expected_is_the_mean_over_orders(
    wanted: list[str], given_: list[tuple[str, float]], most: int
) -> None:
    given_ = list({text.lower(): (text, score) for text, score in given_}.values())
    found = scored({"x": (wanted, given_)}, "expected", most)
    rows = []
    for order in permutations(given_):
        if all(one[1] >= two[1] for one, two in pairwise(order)):
            rows.append(scored({"x": (wanted, list(order))}, "order", most).rows[0])
    mean = np.mean(rows, axis=0)
    assert found.rows[0] == pytest.approx(mean)


@few
@given(corpora.filter(lambda found: len(found) > 1), ways)
def test_rows_add_and_the_bootstrap_is_that_of_means(corpus: Corpus, ties: str) -> None:
    scores = scored(corpus, ties)
    parts = [scores.select([number]) for number in range(len(scores))]
    for metric in METRICS:
        above, below = scores._columns_of(metric)
        total = [sum(part.rows[0, column] for part in parts) for column in (above, below)]
        assert scores[metric] == total[0] / total[1]
    values = scores.rows[:, 2]
    samples = np.vstack(list(draws(len(scores), 200, seed=3)))
    means = np.array([np.repeat(values, times.astype(int)).mean() for times in samples])
    found = scores.intervals(Resampling(samples=200, seed=3), ["mrr"])["mrr"]
    assert found == pytest.approx(interval(means, values.mean()))
    assert scores.mrr == pytest.approx(values.mean())


@few
@given(corpora)
def test_candidates_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus
) -> None:
    candidates = {name: tuple(ranked) for name, (_, ranked) in corpus.items() if ranked}
    path = tmp_path_factory.mktemp("names") / "names.tsv"
    lines = [
        f"{name}\t{target}\t{score!r}\n"
        for name, ranked in candidates.items()
        for target, score in ranked
    ]
    path.write_text("".join(lines), encoding="utf-8")
    read = read_candidates(path)
    assert isinstance(read, NameLists) and dict(read) == candidates
