"""Finding names: one sentence per rule, functions of the caller, spaCy."""

import os
import sys

import pytest

from sameas.errors import how_to_install
from sameas.without_gold.name import Name
from sameas.without_gold.name_rules import find_names
from sameas.without_gold.recognise import recogniser
from saying import raises
from work import calls


def found(text, tags=None):
    """Return the names of a text, with types; sentences are separated by |."""
    sentences = [sentence.split() for sentence in text.split("|")]
    tagged = None if tags is None else tags.replace("|", " ").split()
    words = [word for sentence in sentences for word in sentence]
    return [
        " ".join(words[name.first : name.last + 1]) + (f"/{name.type}" if name.type else "")
        for name in find_names(sentences, tagged)
    ]


RULES = {
    "large inside a sentence": ("we saw Grimble at the gate .", ["Grimble"]),
    "several words": ("we saw Zora Grimble there .", ["Zora Grimble/person"]),
    "a sentence begins": ("Dogs bark . | Yesterday it rained .", []),
    "a sentence begins, large elsewhere": (
        "Grimble left . | then Grimble came back .",
        ["Grimble", "Grimble"],
    ),
    "a sentence begins, small elsewhere": ("Gravel hurts . | the gravel was wet .", []),
    "a sentence begins with a given name": ("Alice slept .", ["Alice/person"]),
    "a sentence begins with a place": ("Norway won .", ["Norway/place"]),
    "a sentence begins, somebody speaks": ("Grimble said nothing .", ["Grimble/person"]),
    "a sentence begins, then a name": (
        "Grimble Hargood lived in Leeds .",
        ["Grimble Hargood", "Leeds/place"],
    ),
    "an everyday word before a name": ("But Alice slept .", ["Alice/person"]),
    "a pair known from elsewhere": (
        "we like Merry Tom . | Merry Tom laughed .",
        ["Merry Tom/person", "Merry Tom/person"],
    ),
    "a title": ("then Mr. Long smiled .", ["Mr. Long/person"]),
    "a title where a sentence begins": ("Mrs Small smiled .", ["Mrs Small/person"]),
    "two titles": ("we met Professor Dr. Vogel .", ["Professor Dr. Vogel/person"]),
    "a title and a particle": ("old Mr. de Witt came .", ["Mr. de Witt/person"]),
    "titles one after another": (
        "so Mr. Long Mrs. Short came .",
        ["Mr. Long/person", "Mrs. Short/person"],
    ),
    "a title alone": ("then the Colonel and the Doctor left , Sir .", []),
    "a title of an organisation": (
        "he addressed the General Assembly .",
        ["the General Assembly/organisation"],
    ),
    "initials": ("a book by J. R. Grimble .", ["J. R. Grimble/person"]),
    "numerals": ("under Charles II it rained .", ["Charles II/person"]),
    "junior": ("we met Oscar Grimble Jr. there .", ["Oscar Grimble Jr./person"]),
    "particles": ("we met Ludwig van der Berg .", ["Ludwig van der Berg/person"]),
    "a particle with an apostrophe": ("we met Sir Guy d'Ambray .", ["Sir Guy d'Ambray/person"]),
    "the Second": ("in the days of Edward the Second .", ["Edward the Second/person"]),
    "of, in an organisation": ("at the Bank of England .", ["the Bank of England/organisation"]),
    "of, in a place": ("to the Isle of Man .", ["the Isle of Man/place"]),
    "of, in a title": ("we saw the Duke of York .", ["the Duke of York/person"]),
    "of, between two names": ("it is Alice of Leeds .", ["Alice/person", "Leeds/place"]),
    "for, in an organisation": (
        "the Institute for Better Weather closed .",
        ["the Institute for Better Weather/organisation"],
    ),
    "and, in an organisation": (
        "the Ministry of Health and Labour closed .",
        ["the Ministry of Health and Labour/organisation"],
    ),
    "and, between two people": ("so Alice and Oscar left .", ["Alice/person", "Oscar/person"]),
    "a designator": ("so Grimble Ltd. closed .", ["Grimble Ltd./organisation"]),
    "and sign": ("so Grimble & Hargood Inc. closed .", ["Grimble & Hargood Inc./organisation"]),
    "a head of a place": ("down Grimble Street we went .", ["Grimble Street/place"]),
    "a number of a street": ("on Fifth Avenue it rained .", ["Fifth Avenue/place"]),
    "a lake": ("on Lake Grimble it rained .", ["Lake Grimble/place"]),
    "possessive": ("in Alice 's Norway diary", ["Alice/person", "Norway/place"]),
    "possessive before a place": ("in Grimble 's Lane it rained .", ["Grimble 's Lane/place"]),
    "possessive at the end": ("it is Alice 's .", ["Alice/person"]),
    "an article": ("down the Grimble we swam .", ["the Grimble"]),
    "an article of a noun": ("so the Grimble family left .", ["Grimble"]),
    "an article of a title": (
        "so the Reverend Alan Hargood left .",
        ["Reverend Alan Hargood/person"],
    ),
    "one of a kind": ("she was a Grimble at heart .", []),
    "an adjective of nationality": ("he reads French novels and is German .", []),
    "a language": ("she speaks French .", ["French/other"]),
    "an adjective in a name": (
        "the American Red Cross came .",
        ["the American Red Cross/organisation"],
    ),
    "a people": ("the Romans left .", ["the Romans/other"]),
    "one of a people": ("a tall Englishman left .", []),
    "compounds": ("an English-speaking nurse came .", []),
    "acronyms": ("so NASA and GRMB agreed .", ["NASA/organisation", "GRMB"]),
    "no acronyms": ("my TV is OK .", []),
    "US": ("they told us of the US .", ["the US/place"]),
    "shouted": ("it was VERY cold and I was COLD .", []),
    "months and days": ("on Monday in March before Christmas .", []),
    "a month that is a given name": ("we saw May Hargood there .", ["May Hargood/person"]),
    "I": ("then I and I alone , I say .", []),
    "a quotation": ('he cried , " Nonsense , Alice ! "', ["Alice/person"]),
    "a letter": ("Dear Alice , | Dear Sir ,", ["Alice/person"]),
    "a heading in title case": (
        "The Long Road Home From Norway | it was a long road .",
        ["Norway/place"],
    ),
    "a heading in capitals": (
        "THE RETURN OF GRIMBLE | we saw Grimble again .",
        ["GRIMBLE", "Grimble"],
    ),
    "a title in capitals": ("HOW MISS GRIMBLE FARED", ["MISS GRIMBLE/person"]),
    "a heading before a sentence": ("THE RETURNING Alice slept .", ["Alice/person"]),
    "an everyday word written large": ("so the House sat in the Office .", []),
    "one that is always large": (
        "so the Company paid . | then the Company left . | and the Company closed .",
        ["the Company", "the Company", "the Company"],
    ),
    "two everyday words": ("we toured the White House today .", ["the White House/place"]),
    "a large letter later": ("my iPhone fell .", ["iPhone"]),
    "saying": (
        "in came a woman , said Grimble . | then Grimble left .",
        ["Grimble/person", "Grimble/person"],
    ),
    "located": (
        "they lived in Grimble . | then Grimble burnt .",
        ["Grimble/place", "Grimble/place"],
    ),
    "a last name of a person": (
        "so Alice Grimble left . | then Grimble came .",
        ["Alice Grimble/person", "Grimble/person"],
    ),
}


@pytest.mark.parametrize(("text", "names"), RULES.values(), ids=RULES)
def test_each_rule(text, names):
    assert found(text) == names


def test_words_are_numbered_through_the_document():
    sentences = [["it", "rained"], [], ["we", "saw", "Mr.", "Long"]]
    assert find_names(sentences) == [Name(4, 5, "person")]


def test_an_article_of_the_previous_sentence_is_ignored():
    assert found("I said the | Grimble said no") == ["Grimble/person"]


def test_tags_decide_if_a_capital_proves_nothing():
    text = "Gravel fell . | Roses fell ."
    assert found(text, "NN VBD . | NNP VBD .") == ["Roses"]
    assert found(text, "NOUN VERB PUNCT | PROPN VERB PUNCT") == ["Roses"]


def test_tags_rule_out_names():
    assert found("so Grimbled he went", "RB VBD PRP VBD") == []


def test_tags_make_no_names_of_lower_case_words_in_cased_texts():
    assert found("he met bob and Alice", "PRP VBD NNP CC NNP") == ["Alice/person"]
    assert found("he met bob and alice", "PRP VBD NNP CC NNP") == ["bob/person", "alice/person"]


def test_senseless_tags_are_ignored():
    assert found("we saw Alice", "_ _ _") == ["Alice/person"]
    assert found("we saw Alice", "NN") == ["Alice/person"]


def test_scripts_without_capitals():
    assert found("我 住 在 北京 。") == []
    assert found("我 住 在 北京 。", "PRON VERB ADP PROPN PUNCT") == ["北京"]
    assert found("زار محمد القاهرة") == []


@pytest.mark.parametrize(
    "sentences",
    [
        [],
        [[]],
        [[""], ["", "Alice", ""]],
        [["ǅ", "ß", "ﬁ", "İ", "A\u0301lice", "\u200bBob", "\ud800", "🎩", "Ⅷ"]],
        [["ALL", "IS", "IN", "CAPITALS", ",", "MR.", "GRIMBLE", "."]],
    ],
)
def test_odd_texts(sentences):
    find_names(sentences)


@pytest.mark.long
@pytest.mark.parametrize(
    "text", ["Alice", "Mr.", "Grimble and House", "University and House", "St. of the", "- The A"]
)
def test_work_grows_only_with_the_text(text):
    def work(size):
        words = text.split() * (size // len(text.split()))
        return calls(lambda: (find_names([words]), find_names([words], ["NNP"] * len(words))))

    assert work(40_000) < 2.5 * work(20_000)


# --- functions of the caller ------------------------------------------------------------------

SENTENCES = [["Jane", "Fairfax", "smiled"], ["Emma", "too"]]


def test_rules_by_name():
    rules = recogniser("rules")
    assert rules.name == "rules"
    assert rules(SENTENCES) == [Name(0, 1, "person"), Name(3, 3, "person")]


def test_a_function_returns_pairs_triples_or_names():
    def mine(sentences):
        assert sentences == SENTENCES
        yield Name(3, 3, "PER")
        yield 0, 1
        yield [0, 0, "PER"]
        yield 0, 1, None

    names = recogniser(mine)
    assert names.name == "function:mine"
    # In order, outer names first, without duplicates.
    assert names(SENTENCES) == [Name(0, 1), Name(0, 0, "PER"), Name(3, 3, "PER")]
    assert recogniser(lambda sentences: []).name == "function"


def test_a_function_may_return_arrays():
    import numpy as np

    assert recogniser(lambda sentences: np.array([[0, 1]]))(SENTENCES) == [Name(0, 1)]


@pytest.mark.parametrize(
    ("returned", "code", "value"),
    [
        ([(3, 5)], "recogniser-outside", (3, 5)),
        ([(-1, 0)], "recogniser-outside", (-1, 0)),
        ([(2, 1, "PER")], "recogniser-ends", (2, 1, "PER")),
        *(
            ([one], "recogniser-gives", one)
            for one in [(0,), "Jane", b"a\1", 7, (0, "1"), (0, 1.5), (0, 1, 7), (0, 1, "a", "b")]
        ),
        (None, "recogniser-gives", None),
    ],
)
def test_a_function_that_returns_something_else(returned, code, value):
    with raises(code, value=value):
        recogniser(lambda sentences: returned)(SENTENCES)


def test_an_error_in_the_function_is_unchanged():
    def mine(sentences):
        yield 0, 1
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        recogniser(mine)(SENTENCES)


def test_unknown_recognisers():
    with raises("unknown", what="names", value="rule", near="rules"):
        recogniser("rule")
    with raises("unknown", what="names", value="rules:x"):
        recogniser("rules:x")
    with raises("wrong-type", value=7):
        recogniser(7)


# --- spaCy ------------------------------------------------------------------------------------


def test_spacy_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with raises("spacy-missing", command=how_to_install("spacy")):
        recogniser("spacy")


def import_spacy():
    """Return spaCy; skip the test if it is missing, unless SAMEAS_SPACY requires it."""
    if os.environ.get("SAMEAS_SPACY") == "required":
        import spacy

        return spacy
    return pytest.importorskip("spacy")


@pytest.fixture
def pipeline():
    """Return a pipeline without a model that finds a few names and a date."""
    spacy = import_spacy()
    blank = spacy.blank("en")
    ruler = blank.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Jane Fairfax"},
            {"label": "PERSON", "pattern": "Emma"},
            {"label": "DATE", "pattern": "too"},
        ]
    )
    return blank


def test_a_pipeline_of_spacy(pipeline):
    names = recogniser(pipeline)
    assert names.name == "spacy:en_pipeline@0.0.0"
    assert names(SENTENCES) == [Name(0, 1, "PERSON"), Name(3, 3, "PERSON")]
    assert names([]) == names([[]]) == []
    assert names([["", "Emma"]]) == [Name(1, 1, "PERSON")]


def test_a_pipeline_keeps_tokens_and_sentences(pipeline):
    from spacy.language import Language

    seen = []

    @Language.component("sameas_test_look")
    def look(document):
        seen.extend((token.text, bool(token.is_sent_start)) for token in document)
        return document

    pipeline.add_pipe("sameas_test_look")
    recogniser(pipeline)([["do", "n't"], ["Emma's", "New York"]])
    assert seen == [("do", True), ("n't", False), ("Emma's", True), ("New York", False)]


def test_a_pipeline_gets_long_documents_in_chunks(pipeline, monkeypatch):
    monkeypatch.setattr("sameas.without_gold.recognise.AT_ONCE", 4)
    assert recogniser(pipeline)([*SENTENCES, ["no"], ["Emma"]]) == [
        Name(0, 1, "PERSON"),
        Name(3, 3, "PERSON"),
        Name(6, 6, "PERSON"),
    ]


def test_a_model_in_a_folder(pipeline, tmp_path):
    pipeline.to_disk(tmp_path / "model")
    names = recogniser(f"spacy:{tmp_path / 'model'}")
    assert names.name == "spacy:en_pipeline@0.0.0"
    assert recogniser(f"spacy:{tmp_path / 'model'}").name == names.name
    assert names(SENTENCES)[0] == Name(0, 1, "PERSON")


def test_a_model_is_missing():
    import_spacy()
    with raises("spacy-no-model", model="xx_none"):
        recogniser("spacy:xx_none")
