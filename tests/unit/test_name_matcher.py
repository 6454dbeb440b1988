"""The name matcher, rule by rule: which names are joined and why, and which are not."""

from __future__ import annotations

import pytest

from sameas.without_gold.lexicon import GIVEN_NAMES, NICKNAMES, TITLES
from sameas.without_gold.matcher import Grouping, Join, explain, group_names
from sameas.without_gold.name import Name
from saying import raises
from work import calls


def text(*names: str, between: str = ".") -> tuple[list[str], list[Name]]:
    """Return a text of names, given as `words/TYPE`, with `between` between them."""
    words: list[str] = []
    found: list[Name] = []
    for name in names:
        written, _, label = name.partition("/")
        first = len(words)
        words += written.split()
        found.append(Name(first, len(words) - 1, label))
        words += between.split()
    return words, found


def grouped(*names: str, matcher: str = "rules") -> list[int]:
    return group_names(*text(*names), matcher).entity


def why(*names: str) -> list[str]:
    """Return the reasons of all joins; the last name must be joined with the first."""
    grouping = group_names(*text(*names))
    assert grouping.entity[-1] == grouping.entity[0], explain(*text(*names), grouping)
    return [join.reason for join in grouping.joins]


# --- people ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "other", "reason"),
    [
        ("Elinor/PER", "Elinor 's/PER", "same words"),
        ("Henry Dashwood/PER", "Mr. Dashwood/PER", "last name, compatible title"),
        ("Henry Dashwood/PER", "Dashwood/PER", "last name"),
        ("Henry Dashwood/PER", "Henry/PER", "first name"),
        ("Gabriel Silva Prado/PER", "Silva/PER", "middle name"),
        ("Prado/PER", "Gabriel Prado/PER", "last name"),
        ("Henry Dashwood/PER", "Sir Henry/PER", "first name, compatible title"),
        ("Thomas Reed/PER", "Tommy/PER", "nickname"),
        ("William Reed/PER", "Bill Reed/PER", "last name, compatible first names"),
        ("John Reed/PER", "J. Reed/PER", "last name, compatible first names"),
        ("Anna Maria Reed/PER", "Anna Reed/PER", "last name, compatible first names"),
        ("John Reed/PER", "Captain John Reed/PER", "same name, compatible title"),
        ("Reed Takeshi/PER", "Takeshi Reed/PER", "words of the full name"),
        ("Anna Reed/PER", "Anna Reed Lund/PER", "words of the full name"),
        ("John Reed/PER", "John Reed , who came late/PER", "same words"),
        ("John Reed/PER", "John Reed himself/PER", "same words"),
        ("John Reed/PER", "the elderly John Reed/PER", "same words"),
        ("Vincent van Dahl/PER", "Van Dahl/PER", "last name"),
        ("Reed/PER", "poor Reed/PER", "last name"),
        ("Ohio Senator Ruth Lund/PER", "Ruth Lund/PER", "same name, compatible title"),
        ("Zoë Lund/PER", "Zoe Lund/PER", "same words"),
    ],
)
def test_people_who_are_one(name: str, other: str, reason: str) -> None:
    assert why(name, other) == [reason]


@pytest.mark.parametrize(
    "names",
    [
        ("Mr. Dashwood/PER", "Mrs. Dashwood/PER"),
        ("Mrs. Dashwood/PER", "Miss Dashwood/PER"),
        ("John Smith/PER", "Jane Smith/PER"),
        ("John A. Smith/PER", "John B. Smith/PER"),
        ("Henry Dashwood/PER", "Mrs. Dashwood/PER"),
        ("Henry Dashwood/PER", "Mrs. Henry Dashwood/PER"),
        ("Paul Reed Jr./PER", "Paul Reed Sr./PER"),
        ("Dr. Reed/PER", "Miss Reed/PER"),
        ("the Reeds/PER", "Reed/PER"),
        ("the Duke of Reed/PER", "Anna Reed/PER"),
        ("Ann and Bob Reed/PER", "Bob Reed/PER"),
        ("John Reed/PER", "John Lund/PER"),
        ("Reed/PER", "Reed/GPE"),
    ],
)
def test_people_who_are_two(names: tuple[str, str]) -> None:
    assert grouped(*names) == [0, 1]


def test_an_ambiguous_name_joins_one_person_and_not_two() -> None:
    assert grouped("John Reed/PER", "Jack Lund/PER", "Jim Reed/PER", "Reed/PER") == [0, 1, 2, 0]
    # A last name alone refers to a man, if a man has it.
    assert grouped("Mrs. Reed/PER", "Mr. Reed/PER", "Reed/PER") == [0, 1, 1]
    # With a title, it refers to the person named last.
    names = ("Mr. John Reed/PER", "Mr. James Reed/PER", "Mr. Reed/PER")
    grouping = group_names(*text(*names))
    assert grouping.entity == [0, 1, 1]
    reason = "last name, compatible title, most recently named of several people"
    assert grouping.joins == [Join(2, 1, reason)]


# --- places, organisations and the rest ------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "other", "reason"),
    [
        ("the Ural Bank/ORG", "The Ural Bank 's/ORG", "same words"),
        ("Lund-Reed/GPE", "Lund Reed/GPE", "same letters"),
        ("Reed & Lund/ORG", "Reed and Lund/ORG", "same letters"),
        ("the United States/GPE", "U.S./GPE", "alternative name of the same place"),
        ("Britain/GPE", "UK/GPE", "alternative name of the same place"),
        ("Ohio/GPE", "OH/GPE", "alternative name of the same place"),
        ("the Republic of Lundia/GPE", "Lundia/GPE", "alternative name of the same place"),
        ("Lundby/GPE", "Lundby , Ohio/GPE", "same words before the comma"),
        ("Reedco Inc./ORG", "Reedco/ORG", "same name except for the legal form"),
        ("Reedco , Ltd./ORG", "Reedco/ORG", "same name except for the legal form"),
        ("World Lamp Union/ORG", "WLU/ORG", "initials"),
        ("World Union of Lamps/ORG", "W.U.L./ORG", "initials"),
        ("Lundby College/ORG", "Lundby/ORG", "the beginning of the longer name"),
        ("Council of Lundby/ORG", "the Council/ORG", "the beginning of the longer name"),
        ("Lundby : A Story/MISC", "Lundby/MISC", "the beginning of the longer name"),
        ("Lundby Palace/FAC", "Lundby/FAC", "the beginning of the longer name"),
        ("the Lundby Lions/ORG", "the Lions/ORG", "the end of the longer name"),
        ("Lundby Palace/FAC", "the Palace/FAC", "the end of the longer name"),
        ("the Lundby Treaty/MISC", "the Treaty/MISC", "the end of the longer name"),
    ],
)
def test_things_that_are_one(name: str, other: str, reason: str) -> None:
    assert why(name, other) == [reason]


@pytest.mark.parametrize(
    "names",
    [
        ("Lundby/GPE", "Reedton/GPE"),
        ("Bank of America/ORG", "Bank of England/ORG"),
        ("North Korea/GPE", "South Korea/GPE"),
        ("North Korea/GPE", "Korea/GPE"),
        ("New Mexico/GPE", "Mexico/GPE"),
        ("Mexico City/GPE", "Mexico/GPE"),
        ("Germany/GPE", "German/GPE"),
        ("University of Lundby/ORG", "University of Reedton/ORG"),
        ("Lundby , Ohio/GPE", "Lundby , Utah/GPE"),
        ("Lundby/GPE", "Lundby/ORG"),
        ("Lundby Airport/GPE", "Reedton Airport/GPE"),
        ("Old Lundby/GPE", "Lundby/GPE"),
    ],
)
def test_things_that_are_two(names: tuple[str, str]) -> None:
    assert grouped(*names) == [0, 1]


def test_a_name_that_matches_two_names_joins_neither() -> None:
    assert grouped("Lundby Lions/ORG", "Reedton Lions/ORG", "the Lions/ORG") == [0, 1, 2]
    assert grouped("Lundby , Ohio/GPE", "Lundby , Utah/GPE", "Lundby/GPE") == [0, 1, 2]


def test_a_name_in_brackets() -> None:
    written = "Russian Nanoware Corporation ( RUSNANO ) and Osaka ( 大阪 )"
    words = written.split()
    names = [Name(0, 2, "ORG"), Name(4, 4, "ORG"), Name(7, 7, "LOC"), Name(9, 9, "LOC")]
    assert group_names(words, names).joins == [
        Join(1, 0, "in brackets, with letters of the name"),
        Join(3, 2, "in brackets, in another script"),
    ]
    # Elsewhere these letters are not enough evidence.
    assert grouped("Russian Nanoware Corporation/ORG", "RUSNANO/ORG") == [0, 1]


# --- names without a type --------------------------------------------------------------------------


def test_types_are_guessed() -> None:
    assert grouped("Henry Dashwood", "Mr. Dashwood", "Mrs. Dashwood", "Dashwood") == [0, 0, 1, 0]
    assert grouped("Sherlock Lund", "London", "Lund", "the London") == [0, 1, 0, 1]
    assert grouped("World Lamp Union", "WLU", "Bank of America", "Bank of England") == [0, 0, 1, 2]


def test_an_unknown_type_agrees_with_any() -> None:
    grouping = group_names(*text("Lundby/GPE", "Lundby"))
    assert grouping.joins == [Join(1, 0, "same words, type unknown")]


# --- the other matchers ----------------------------------------------------------------------------


def test_exact() -> None:
    assert grouped("the Ural Bank/ORG", "URAL BANK 's/GPE", "Bank/ORG", matcher="exact") == [
        0,
        0,
        1,
    ]


def test_paper() -> None:
    names = ("Mr. Henry Reed/PER", "Mr. Lund/PER", "Reed/PER", "World Lamp Union/ORG", "WLU/ORG")
    grouping = group_names(*text(*names), "paper")
    assert grouping.entity == [0, 1, 0, 2, 2]
    assert [join.reason for join in grouping.joins] == ["share the word Reed", "initials"]
    # Word matches join what they should not: this is why there are rules.
    assert grouped("Bank of America/ORG", "Bank of England/ORG", matcher="paper") == [0, 0]


def test_an_unknown_matcher_is_an_error() -> None:
    with raises("unknown", what="matcher", value="rule", near="rules"):
        group_names([], [], "rule")


# --- whole documents -------------------------------------------------------------------------------


def test_explain() -> None:
    words, names = text("Henry Dashwood/PER", "Mr. Dashwood/PER", "Dashwood/PER")
    assert explain(words, names, group_names(words, names)) == [
        ("Mr. Dashwood", "Henry Dashwood", "last name, compatible title"),
        ("Dashwood", "Henry Dashwood", "last name"),
    ]


def test_the_order_of_the_list_does_not_matter() -> None:
    words, names = text(
        "John Reed/PER", "Jim Reed/PER", "Mr. Reed/PER", "Reed/PER", "Lundby/GPE", "Reed/PER"
    )
    pairs = {
        (names[a], names[b]): group_names(words, names).entity[a]
        == group_names(words, names).entity[b]
        for a in range(len(names))
        for b in range(len(names))
    }
    turned = names[::-1]
    entity = group_names(words, turned).entity
    for a, name in enumerate(turned):
        for b, other in enumerate(turned):
            assert (entity[a] == entity[b]) == pairs[name, other]


def test_odd_names() -> None:
    words = ["", ".", "'s", "the", "X", "𝔘", "\u0301", "İ", "ß", "(", ",", "Mr."] + ["A"] * 1000
    names = [
        Name(a, b, label)
        for a in range(12)
        for b in (a - 1, a, a + 3)
        for label in ("", "PER", "ORG", "GPE", "event")
    ]
    names += [
        Name(12, 1011, "ORG"),
        Name(12, 1011, "PER"),
        Name(-3, 4),
        Name(2000, 2001),
        Name(0, 0),
    ]
    for matcher in ("rules", "paper", "exact"):
        assert len(group_names(words, names, matcher).entity) == len(names)
    assert group_names([], []) == Grouping([], [])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["PER", "ORG", "GPE", ""])
def test_work_is_linear_in_the_document(kind: str) -> None:
    firsts = sorted(GIVEN_NAMES)[:1000]

    def work(size: int) -> int:
        written = [
            f"{firsts[n % 1000].title()} {chr(65 + n % 7)}. Smith/{kind}" for n in range(size)
        ]
        written += [f"Mr. Smith/{kind}", f"Smith/{kind}", f"Smith Lamps/{kind}", f"SL/{kind}"] * (
            size // 4
        )
        words, names = text(*written)
        return calls(lambda: group_names(words, names))

    assert work(10_000) < 2.5 * work(5_000)


def test_word_lists() -> None:
    assert TITLES["mr"] == "m" and TITLES["mrs"] == "f" and TITLES["dr"] == ""
    assert set(TITLES.values()) | set(GIVEN_NAMES.values()) == {"m", "f", ""}
    assert "elizabeth" in NICKNAMES["lizzy"]
    for word in (*TITLES, *GIVEN_NAMES, *NICKNAMES):
        assert word == word.lower() and "." not in word


def test_a_name_of_unknown_type_joins_the_longer_one_it_begins() -> None:
    text = "Tallis Bank bought Norwell Savings . Norwell rose , Tallis fell , Tallis Hill not"
    words = text.split()
    names = [Name(0, 1, "organisation"), Name(3, 4), Name(6, 6), Name(9, 9), Name(12, 13)]
    assert group_names(words, names).entity == [0, 1, 1, 0, 2]
