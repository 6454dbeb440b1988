"""Properties of the names found in any text: in range, sorted, disjoint, inside sentences."""

from hypothesis import given
from hypothesis import strategies as st

from sameas.without_gold.name import broad_type
from sameas.without_gold.name_rules import find_names

# Words that the rules contain, each in three spellings, and unknown words.
KNOWN = """mr. sir duke king the of and & - 's ' , . " “ -- : de van d' in said is a an his bank
house lake street inc. university committee england new york french romans englishman alice may
monday us i ii jr. j. tv nasa grimble hargood gravel slowly second avenue for on it was"""
words = (
    st.sampled_from(KNOWN.split())
    .flatmap(lambda word: st.sampled_from([word, word.capitalize(), word.upper()]))
    .filter(bool)
)
odd = st.text(max_size=8)
sentences = st.lists(st.lists(words | odd, max_size=20), max_size=6)
tag = st.sampled_from(["NNP", "NNPS", "NN", "JJ", "VBD", "DT", "IN", "PROPN", "NOUN", "_", ""])


def hold(text, names):
    ends = [0]
    for sentence in text:
        ends.append(ends[-1] + len(sentence))
    last = -1
    for name in names:
        assert last < name.first <= name.last < ends[-1]
        last = name.last
        assert not any(name.first < end <= name.last for end in ends)
        assert broad_type(name.type) == name.type


@given(sentences)
def test_names_are_in_range_in_order_and_disjoint(text):
    names = find_names(text)
    hold(text, names)
    assert find_names(text) == names


@given(
    sentences.flatmap(
        lambda text: st.tuples(
            st.just(text),
            st.tuples(*(st.lists(tag, min_size=len(one), max_size=len(one)) for one in text)),
        )
    )
)
def test_names_with_tags_are_in_range_in_order_and_disjoint(case):
    text, tags = case
    hold(text, find_names(text, [tag for sentence in tags for tag in sentence]))


@given(sentences)
def test_a_name_contains_a_capital_letter(text):
    flat = [word for sentence in text for word in sentence]
    for name in find_names(text):
        assert any(word != word.lower() for word in flat[name.first : name.last + 1])


@given(st.lists(st.lists(words | odd, min_size=1, max_size=20), max_size=6), st.data())
def test_empty_sentences_change_nothing(text, data):
    place = data.draw(st.integers(0, len(text)))
    assert find_names([*text[:place], [], *text[place:]]) == find_names(text)


@given(sentences)
def test_lower_case_text_has_no_names(text):
    assert find_names([[word.lower().lower() for word in sentence] for sentence in text]) == []
