"""Make CorefUD keys and damaged responses for comparing scorers.

``make_key`` turns the text of any CorefUD file into a key: the schema becomes
``eid-etype-head-other``, every mention gets a head from the tree, and zeros and rare structures
(gaps, crossing, nesting) are added on request. ``corrupt`` damages a key in one of the ways in
``KINDS``; ``random_pair`` does both. The same arguments give the same text. The small reader and
writer used here are independent of ``sameas``, so that they cannot share its bugs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corefud_text import (
    RELATIONS,
    Mention,
    Node,
    Text,
    add_mention,
    alter_mention,
    draw_dependencies,
    draw_some,
    draw_span,
    entities_of,
    forget_node,
    has_room,
    insert_node,
    mend,
    new_label,
    new_zero,
    ordered,
    read,
    remove_node,
    rename_entity,
    runs,
    tree_head,
    write,
    zeros_of,
)


@dataclass(frozen=True)
class Pair:
    """The texts of a key and a response, and how the response was made."""

    name: str
    kind: str
    key: str
    response: str


# ---------------------------------------------------------------------------------------------
# Ways to damage a key
# ---------------------------------------------------------------------------------------------


def _nothing(text: Text, generator: random.Random) -> None:
    """Leave the key unchanged."""


def _empty(text: Text, generator: random.Random) -> None:
    text.mentions.clear()


def _shrink(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, (m for m in text.mentions if len(m.nodes) > 1)):
        cut = generator.randint(1, min(2, len(mention.nodes) - 1))
        alter_mention(text, mention, generator.choice([mention.nodes[cut:], mention.nodes[:-cut]]))


def _extend(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, text.mentions):
        pieces = runs(mention)
        before, after = generator.choice([(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)])
        nodes = mention.sentence.nodes
        start = nodes[max(0, pieces[0][0] - before) : pieces[0][0]]
        end = nodes[pieces[-1][1] + 1 : pieces[-1][1] + 1 + after]
        alter_mention(text, mention, [*start, *mention.nodes, *end])


def _shift(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, text.mentions):
        nodes = mention.sentence.nodes
        step = generator.choice([-2, -1, 1, 2])
        places = [nodes.index(node) + step for node in mention.nodes]
        if min(places) >= 0 and max(places) < len(nodes):
            alter_mention(text, mention, [nodes[place] for place in places])


def _first_heads(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, text.mentions):
        mention.head = mention.nodes[0]


def _last_heads(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, text.mentions):
        mention.head = mention.nodes[-1]


def _random_heads(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, text.mentions):
        mention.head = generator.choice(mention.nodes)


def _same_heads(text: Text, generator: random.Random) -> None:
    """Add mentions with the head of an existing mention, in its entity or another one."""
    for mention in draw_some(generator, text.mentions):
        pieces = runs(mention)
        nodes = mention.sentence.nodes
        first = max(0, pieces[0][0] - generator.randint(0, 2))
        span = nodes[first : pieces[-1][1] + 1 + generator.randint(0, 2)]
        entity = generator.choice([mention.entity, generator.choice(text.mentions).entity])
        add_mention(text, Mention(mention.sentence, span, mention.head, entity))
        if generator.random() < 0.5:
            text.mentions.remove(mention)


def _drop_mentions(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, text.mentions):
        text.mentions.remove(mention)


def _spurious_mentions(text: Text, generator: random.Random) -> None:
    labels = sorted({mention.entity for mention in text.mentions})
    for _ in range(generator.randint(1, 2 + len(text.mentions) // 3)):
        sentence = generator.choice(text.sentences)
        span = draw_span(generator, sentence)
        if labels and generator.random() < 0.7:
            entity = generator.choice(labels)
        else:
            entity = new_label(text)
        add_mention(text, Mention(sentence, span, tree_head(sentence, span), entity))


def _split_entities(text: Text, generator: random.Random) -> None:
    for mentions in list(entities_of(text).values()):
        if len(mentions) > 1 and generator.random() < 0.6:
            label = new_label(text)
            for mention in mentions[generator.randint(1, len(mentions) - 1) :]:
                mention.entity = label


def _merge_entities(text: Text, generator: random.Random) -> None:
    for _ in range(generator.randint(1, 6)):
        entities = entities_of(text)
        if len(entities) < 2:
            return
        first, second = generator.sample(sorted(entities), 2)
        for mention in entities[second]:
            rename_entity(text, mention, first)


def _move_mentions(text: Text, generator: random.Random) -> None:
    labels = sorted({mention.entity for mention in text.mentions})
    for mention in draw_some(generator, text.mentions):
        rename_entity(text, mention, generator.choice([*labels, new_label(text)]))


def _add_singletons(text: Text, generator: random.Random) -> None:
    for _ in range(generator.randint(1, 12)):
        sentence = generator.choice(text.sentences)
        span = draw_span(generator, sentence)
        add_mention(text, Mention(sentence, span, tree_head(sentence, span), new_label(text)))


def _drop_singletons(text: Text, generator: random.Random) -> None:
    sizes = {label: len(mentions) for label, mentions in entities_of(text).items()}
    for mention in draw_some(generator, (m for m in text.mentions if sizes[m.entity] == 1)):
        text.mentions.remove(mention)


def _drop_zeros(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, zeros_of(text)):
        text.mentions.remove(mention)


def _remove_zeros(text: Text, generator: random.Random) -> None:
    """Remove zeros together with their nodes."""
    for mention in draw_some(generator, zeros_of(text)):
        [node] = mention.nodes
        remove_node(text, mention.sentence, node)
        forget_node(mention.sentence, node)


def _add_zeros(text: Text, generator: random.Random) -> None:
    for _ in range(generator.randint(1, 2 + len(text.sentences))):
        labels = sorted({mention.entity for mention in text.mentions})
        sentence = generator.choice(text.sentences)
        node = new_zero(text, generator, sentence)
        if node is None:
            continue
        chosen = generator.random()
        if labels and chosen < 0.75:
            add_mention(text, Mention(sentence, [node], node, generator.choice(labels)))
        elif chosen < 0.95:
            add_mention(text, Mention(sentence, [node], node, new_label(text)))


def _move_zeros(text: Text, generator: random.Random) -> None:
    """Move zeros to other positions in their sentence, with the same dependencies."""
    for mention in draw_some(generator, zeros_of(text)):
        [node] = mention.nodes
        remove_node(text, mention.sentence, node, keep=mention)
        place = generator.randint(0, len(mention.sentence.nodes))
        while not has_room(mention.sentence, place):
            place = generator.randint(0, len(mention.sentence.nodes))
        insert_node(text, mention.sentence, place, node)


def _swap_zeros(text: Text, generator: random.Random) -> None:
    """Shuffle the empty nodes after each word."""
    for sentence in text.sentences:
        place = 0
        while place < len(sentence.nodes):
            end = place
            while end < len(sentence.nodes) and sentence.nodes[end].empty:
                end += 1
            group = sentence.nodes[place:end]
            generator.shuffle(group)
            sentence.nodes[place:end] = group
            place = end + 1
    for mention in text.mentions:
        mention.nodes = ordered(mention.sentence, mention.nodes)


def _other_relations(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, zeros_of(text)):
        [node] = mention.nodes
        node.dependencies = [
            (parent, generator.choice(RELATIONS)) for parent, _ in node.dependencies
        ]


def _other_parents(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, zeros_of(text)):
        [node] = mention.nodes
        words = [word for word in mention.sentence.nodes if not word.empty]
        node.dependencies = [
            (generator.choice(words), relation) if generator.random() < 0.7 else (parent, relation)
            for parent, relation in node.dependencies
        ]


def _more_parents(text: Text, generator: random.Random) -> None:
    """Give zeros one parent more or fewer."""
    for mention in draw_some(generator, zeros_of(text)):
        [node] = mention.nodes
        if len(node.dependencies) > 1 and generator.random() < 0.7:
            del node.dependencies[generator.randrange(len(node.dependencies))]
        else:
            words = [word for word in mention.sentence.nodes if not word.empty]
            node.dependencies.append((generator.choice(words), generator.choice(RELATIONS)))


def _rotate_zeros(text: Text, generator: random.Random) -> None:
    """Pass the dependencies of each zero in a sentence on to the next; positions are kept."""
    for sentence in text.sentences:
        nodes = [m.nodes[0] for m in zeros_of(text) if m.sentence is sentence]
        nodes = ordered(sentence, nodes)
        dependencies = [node.dependencies for node in nodes]
        if generator.random() < 0.4 and dependencies:
            # The first gets new dependencies, so that the others form a chain, not a cycle.
            dependencies[-1] = draw_dependencies(generator, sentence, 0)
        for node, handed in zip(nodes, dependencies[-1:] + dependencies[:-1], strict=True):
            node.dependencies = [(p, name) for p, name in handed if p is not node] or [
                (None, "root")
            ]


def _equal_zeros(text: Text, generator: random.Random) -> None:
    """Give the zeros of a sentence equal dependencies."""
    for sentence in text.sentences:
        nodes = [m.nodes[0] for m in zeros_of(text) if m.sentence is sentence]
        for node in nodes[1:]:
            if generator.random() < 0.7 and all(p is not node for p, _ in nodes[0].dependencies):
                node.dependencies = list(nodes[0].dependencies)


def _zeros_to_words(text: Text, generator: random.Random) -> None:
    """Move the mention from the zero to a word near it; the empty node may be removed."""
    for mention in draw_some(generator, zeros_of(text)):
        [node] = mention.nodes
        nodes = mention.sentence.nodes
        place = nodes.index(node)
        words = [word for word in nodes[max(0, place - 3) : place + 4] if not word.empty]
        if (
            words
            and alter_mention(text, mention, [generator.choice(words)])
            and generator.random() < 0.5
        ):
            remove_node(text, mention.sentence, node)
            forget_node(mention.sentence, node)


def _words_to_zeros(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, (m for m in text.mentions if not m.head.empty)):
        node = new_zero(text, generator, mention.sentence)
        if node is not None:
            mention.head = node
            mention.nodes = [node]


def _zero_heads(text: Text, generator: random.Random) -> None:
    """Make mentions with several nodes, of which an empty node is the head."""
    for mention in draw_some(generator, text.mentions):
        if mention.nodes[0].empty and len(mention.nodes) == 1:
            nodes = mention.sentence.nodes
            place = nodes.index(mention.nodes[0])
            alter_mention(text, mention, nodes[max(0, place - generator.randint(0, 2)) : place + 2])
        else:
            place = mention.sentence.nodes.index(mention.nodes[-1]) + 1
            columns = ["", "_", "_", "_", "_", "_", "_", "_", "_", ""]
            dependencies = draw_dependencies(generator, mention.sentence, place)
            node = Node(columns, empty=True, dependencies=dependencies)
            if has_room(mention.sentence, place):
                insert_node(text, mention.sentence, place, node)
                mention.nodes = ordered(mention.sentence, [*mention.nodes, node])
                mention.head = node


def _zeros_without_dependencies(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, zeros_of(text)):
        mention.nodes[0].dependencies = []


def _gaps(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, (m for m in text.mentions if len(m.nodes) > 2)):
        first = generator.randint(1, len(mention.nodes) - 2)
        last = generator.randint(first + 1, len(mention.nodes) - 1)
        alter_mention(text, mention, mention.nodes[:first] + mention.nodes[last:])


def _fill_gaps(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, (m for m in text.mentions if len(runs(m)) > 1)):
        pieces = runs(mention)
        alter_mention(text, mention, mention.sentence.nodes[pieces[0][0] : pieces[-1][1] + 1])


def _only_one_piece(text: Text, generator: random.Random) -> None:
    for mention in draw_some(generator, (m for m in text.mentions if len(runs(m)) > 1)):
        first, last = generator.choice(runs(mention))
        alter_mention(text, mention, mention.sentence.nodes[first : last + 1])


def _crossing(text: Text, generator: random.Random) -> None:
    labels = sorted({mention.entity for mention in text.mentions})
    for mention in draw_some(generator, (m for m in text.mentions if len(m.nodes) > 1)):
        pieces = runs(mention)
        first = generator.randint(pieces[0][0] + 1, pieces[-1][1])
        span = mention.sentence.nodes[first : pieces[-1][1] + 1 + generator.randint(1, 3)]
        entity = generator.choice(labels)
        add_mention(
            text, Mention(mention.sentence, span, tree_head(mention.sentence, span), entity)
        )


def _nested(text: Text, generator: random.Random) -> None:
    """Add mentions inside a mention of the same entity."""
    for mention in draw_some(generator, (m for m in text.mentions if len(m.nodes) > 1)):
        first = generator.randrange(len(mention.nodes))
        span = mention.nodes[first : first + generator.randint(1, len(mention.nodes) - 1)]
        head = tree_head(mention.sentence, span)
        add_mention(text, Mention(mention.sentence, span, head, mention.entity))


def _empty_nodes_inside(text: Text, generator: random.Random) -> None:
    """Add empty nodes that are not mentions, inside mentions and at their edges."""
    for mention in draw_some(generator, text.mentions):
        place = mention.sentence.nodes.index(generator.choice(mention.nodes))
        place += generator.randint(0, 1)
        if not has_room(mention.sentence, place):
            continue
        columns = ["", "_", "_", "_", "_", "_", "_", "_", "_", ""]
        dependencies = draw_dependencies(generator, mention.sentence, place)
        node = Node(columns, empty=True, dependencies=dependencies)
        insert_node(text, mention.sentence, place, node)
        if generator.random() < 0.3:
            alter_mention(text, mention, [*mention.nodes, node])


def _across_documents(text: Text, generator: random.Random) -> None:
    """Give entities of different documents the same id."""
    for label, mentions in list(entities_of(text).items()):
        elsewhere = [
            mention.entity
            for mention in text.mentions
            if mention.sentence.document != mentions[0].sentence.document
        ]
        if elsewhere and generator.random() < 0.5:
            entity = generator.choice(elsewhere)
            for mention in mentions:
                mention.entity = entity if entity != label else label


def _unrelated(text: Text, generator: random.Random) -> None:
    number = len(text.mentions)
    labels = [f"n{label}" for label in range(1 + number // generator.choice([1, 2, 4, 8]))]
    text.mentions.clear()
    for _ in range(number):
        sentence = generator.choice(text.sentences)
        span = draw_span(generator, sentence)
        add_mention(text, Mention(sentence, span, generator.choice(span), generator.choice(labels)))


def _duplicates(text: Text, generator: random.Random) -> None:
    """Add spans to a second entity."""
    labels = sorted({mention.entity for mention in text.mentions})
    for mention in draw_some(generator, text.mentions)[:12]:
        entity = generator.choice(labels)
        nodes = list(mention.nodes)
        add_mention(text, Mention(mention.sentence, nodes, mention.head, entity), repeats=True)


def _duplicates_with_other_heads(text: Text, generator: random.Random) -> None:
    """Add spans of several nodes to a second entity, with another head."""
    labels = sorted({mention.entity for mention in text.mentions})
    for mention in draw_some(generator, (m for m in text.mentions if len(m.nodes) > 1))[:12]:
        nodes = list(mention.nodes)
        head = generator.choice([node for node in nodes if node is not mention.head])
        entity = generator.choice(labels)
        add_mention(text, Mention(mention.sentence, nodes, head, entity), repeats=True)


def _everything(text: Text, generator: random.Random) -> None:
    for kind in generator.sample(MIXED, generator.randint(4, 9)):
        KINDS[kind](text, generator)


KINDS: dict[str, Callable[[Text, random.Random], None]] = {
    "key itself": _nothing,
    "empty": _empty,
    "shrink": _shrink,
    "extend": _extend,
    "shift": _shift,
    "first heads": _first_heads,
    "last heads": _last_heads,
    "random heads": _random_heads,
    "same heads": _same_heads,
    "drop mentions": _drop_mentions,
    "spurious mentions": _spurious_mentions,
    "split entities": _split_entities,
    "merge entities": _merge_entities,
    "move mentions": _move_mentions,
    "add singletons": _add_singletons,
    "drop singletons": _drop_singletons,
    "drop zeros": _drop_zeros,
    "remove zeros": _remove_zeros,
    "add zeros": _add_zeros,
    "move zeros": _move_zeros,
    "swap zeros": _swap_zeros,
    "rotate zeros": _rotate_zeros,
    "other relations": _other_relations,
    "other parents": _other_parents,
    "more parents": _more_parents,
    "equal zeros": _equal_zeros,
    "zeros to words": _zeros_to_words,
    "words to zeros": _words_to_zeros,
    "zero heads": _zero_heads,
    "zeros without dependencies": _zeros_without_dependencies,
    "gaps": _gaps,
    "fill gaps": _fill_gaps,
    "only one piece": _only_one_piece,
    "crossing": _crossing,
    "nested": _nested,
    "empty nodes inside": _empty_nodes_inside,
    "across documents": _across_documents,
    "unrelated": _unrelated,
    "duplicates": _duplicates,
    "duplicates with other heads": _duplicates_with_other_heads,
    "everything": _everything,
}

# The same span in two entities; the reference scorer's answer depends on the order of entities.
REPEATING = ["duplicates", "duplicates with other heads"]
APART = ["key itself", "empty", "unrelated", "zeros without dependencies", "everything"]
MIXED = [kind for kind in KINDS if kind not in REPEATING + APART]
WITH_ZEROS = [kind for kind in KINDS if "zero" in kind or "relations" in kind or "parents" in kind]
WITH_GAPS = ["fill gaps", "only one piece"]


# ---------------------------------------------------------------------------------------------
# Keys, responses and pairs
# ---------------------------------------------------------------------------------------------


def _cut(generator: random.Random, source: str, sentences: int) -> str:
    """Cut `sentences` sentences at random out of a file, and keep its `newdoc` and schema."""
    blocks = re.split(r"\n\n+", source.strip("\n"))
    first = generator.randint(0, max(0, len(blocks) - sentences))
    chosen = blocks[first : first + sentences]
    if first:
        header = re.findall(r"^# (?:newdoc|global\.Entity).*$", blocks[0], re.MULTILINE)
        chosen[0] = "\n".join([*header, chosen[0]])
    return "\n\n".join(chosen)


def make_key(
    *sources: str,
    seed: int | str = 0,
    sentences: int | None = None,
    zeros: float = 0.0,
    rarities: Sequence[str] = (),
) -> str:
    """Turn CorefUD files into the text of one key.

    ``sentences`` is the number of sentences to take from a random position in each file,
    ``zeros`` the mean number of empty nodes to add per sentence, most of them as mentions, and
    ``rarities`` are the names in ``KINDS`` to apply to the key.
    """
    generator = random.Random(f"key/{seed}")
    text = Text()
    for number, source in enumerate(sources):
        part = read(source if sentences is None else _cut(generator, source, sentences))
        for mention in part.mentions:
            mention.entity += f"d{number}" if number else ""
        for node in (node for sentence in part.sentences for node in sentence.nodes):
            ending = f"d{number}" if number else ""
            node.links = [
                (name, target + ending, source + ending, relation)
                for name, target, source, relation in node.links
            ]
        text.sentences += part.sentences
        text.mentions += part.mentions
    mend(text)
    for sentence in text.sentences:
        for _ in range(3):
            if generator.random() >= zeros / 3:
                continue
            zero = new_zero(text, generator, sentence)
            labels = sorted({mention.entity for mention in text.mentions})
            chosen = generator.random()
            if zero is not None and labels and chosen < 0.7:
                add_mention(text, Mention(sentence, [zero], zero, generator.choice(labels)))
            elif zero is not None and chosen < 0.92:
                add_mention(text, Mention(sentence, [zero], zero, new_label(text)))
    for kind in rarities:
        KINDS[kind](text, generator)
    mend(text)
    return write(text)


def corrupt(key: str, kind: str, seed: int | str = 0) -> str:
    """Damage a key in one of the ways of ``KINDS``; the same seed gives the same text."""
    text = read(key)
    KINDS[kind](text, random.Random(f"{kind}/{seed}"))
    mend(text, repeats=kind in REPEATING)
    return write(text)


def random_pair(sources: Sequence[str], number: int) -> Pair:
    """Return pair number `number`: kinds alternate, and the texts and the key are random.

    One pair in six has the damaged text as its key, since only exact matching is symmetric.
    """
    kind = list(KINDS)[number % len(KINDS)]
    generator = random.Random(f"pair/{number}")
    documents = generator.choice([1, 1, 1, 2, 3])
    if kind == "across documents":
        documents = max(2, documents)
    sentences = generator.choice([1, 2, 4, 6, 9, 14, 25]) if documents == 1 else 5
    zeros = generator.choice([0.0, 0.0, 0.6, 1.5])
    if kind in WITH_ZEROS:
        zeros = generator.choice([0.9, 1.8, 3.0])
    rarities = [
        rarity
        for rarity in ["gaps", "crossing", "nested", "empty nodes inside", "zero heads"]
        if generator.random() < 0.12
    ]
    if kind in WITH_GAPS and "gaps" not in rarities:
        rarities.append("gaps")
    key = make_key(
        *generator.sample(sources, min(documents, len(sources))),
        seed=number,
        sentences=sentences,
        zeros=zeros,
        rarities=rarities,
    )
    response = corrupt(key, kind, number)
    swapped = generator.random() < 1 / 6
    if swapped:
        key, response = response, key
    return Pair(f"{number} {kind}{', swapped' if swapped else ''}", kind, key, response)
