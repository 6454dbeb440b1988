"""CorefUD files as objects: read them, change them in small steps, write them.

The small reader and writer here are independent of ``sameas``, so that they cannot share its bugs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

SCHEMA = "eid-etype-head-other"
RELATIONS = ["nsubj", "obj", "iobj", "obl", "nmod:poss", "nsubj:pass", "obl:agent"]
MOST_EMPTY_NODES = 9  # after one word, since udapi reads 4.10 as 4.1


@dataclass(eq=False)
class Node:
    """A word or an empty node; writing it generates its number, DEPS and Entity."""

    columns: list[str]
    empty: bool = False
    head: int = 0
    token: str = ""  # the line of the multiword token that begins here
    dependencies: list[tuple[Node | None, str]] = field(default_factory=list)
    links: list[tuple[str, str, str, str]] = field(default_factory=list)  # Bridge, SplitAnte


@dataclass(eq=False)
class Sentence:
    """The nodes of a sentence in order, and the comments before them."""

    document: str
    comments: list[str] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Mention:
    """Nodes of one sentence that mention an entity."""

    sentence: Sentence
    nodes: list[Node]
    head: Node
    entity: str
    kind: str = "x"
    other: str = ""


@dataclass(eq=False)
class Text:
    """A CorefUD file."""

    sentences: list[Sentence] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)


# ---------------------------------------------------------------------------------------------
# Read and write
# ---------------------------------------------------------------------------------------------


def read(content: str) -> Text:
    """Read a valid CorefUD file; mentions across sentences are dropped."""
    text = Text()
    schema = SCHEMA
    document, documents = "document", 0
    for block in re.split(r"\n\n+", content.strip("\n")):
        lines = block.split("\n")
        comments = []
        for line in lines:
            if line.startswith("# newdoc"):
                documents += 1
                document = line.partition("=")[2].strip() or f"document{documents}"
            elif line.startswith("# global.Entity"):
                schema = line.partition("=")[2].strip()
            elif line.startswith("#"):
                comments.append(line)
        sentence = Sentence(document, comments)
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        suffix = f"d{documents}" if documents > 1 else ""
        _read_sentence(text, sentence, rows, schema.split("-"), suffix)
        text.sentences.append(sentence)
    return text


def _read_sentence(
    text: Text, sentence: Sentence, rows: list[list[str]], fields: list[str], suffix: str
) -> None:
    """Fill a sentence with nodes, and the text with its mentions."""

    def entity(label: str) -> str:
        # GRP numbers are unique in a document, eids in a file.
        return f"e{label}{suffix}" if "GRP" in fields else label

    cells = _read_nodes(sentence, rows, entity)
    for nodes, values, label in _read_brackets(sentence, cells, fields):
        head = values.get("head", "")
        infstat = values.get("infstat", "")
        text.mentions.append(
            Mention(
                sentence,
                nodes,
                nodes[int(head) - 1] if head.isdigit() else tree_head(sentence, nodes),
                entity(label),
                values.get("etype", "") or "x",
                values.get("other", f"infstat:{infstat}" if infstat else ""),
            )
        )


def _read_nodes(
    sentence: Sentence, rows: list[list[str]], entity: Callable[[str], str]
) -> list[tuple[Node, str]]:
    """Fill a sentence with nodes; return those with a cell of brackets, and the cells."""
    numbered: dict[str, Node] = {}
    cells: list[tuple[Node, str]] = []
    token = ""
    for row in rows:
        if "-" in row[0]:
            token = "\t".join(row)
            continue
        node = Node(row, "." in row[0], int(row[6]) if row[6].isdigit() else 0, token)
        token = ""
        cells += [(node, value) for value in _read_attributes(node, entity)]
        sentence.nodes.append(node)
        numbered[row[0]] = node
    for node in sentence.nodes:
        for dependency in node.columns[8].split("|"):
            parent, colon, relation = dependency.partition(":")
            if colon and (parent == "0" or parent in numbered):
                node.dependencies.append((numbered.get(parent), relation))
    return cells


def _read_attributes(node: Node, entity: Callable[[str], str]) -> list[str]:
    """Take brackets and links out of the last column of a node; return the brackets."""
    rest, brackets = [], []
    for attribute in node.columns[9].split("|"):
        name, _, value = attribute.partition("=")
        if name == "Entity":
            brackets.append(value)
        elif name in ("Bridge", "SplitAnte"):
            for link in value.split(","):
                target, _, source = link.partition("<")
                source, _, relation = source.partition(":")
                node.links.append((name, entity(target), entity(source), relation))
        elif attribute != "_":
            rest.append(attribute)
    node.columns[9] = "|".join(rest)
    return brackets


def _read_brackets(
    sentence: Sentence, cells: list[tuple[Node, str]], fields: list[str]
) -> Iterator[tuple[list[Node], dict[str, str], str]]:
    """Yield the nodes, values and label of each mention when its last bracket closes."""
    opened: list[tuple[str, str, int, dict[str, str]]] = []
    parts: dict[str, list[tuple[list[Node], dict[str, str]]]] = {}
    for node, cell in cells:
        place = sentence.nodes.index(node)
        for opening, chunk, closing in re.findall(r"(\(?)([^()]+)(\)?)", cell):
            values = dict(zip(fields, chunk.split("-"), strict=False))
            if not opening:
                values = {fields[0]: chunk}
            full = values.get("GRP", values.get("eid", ""))
            label, _, part = full.rstrip("]").partition("[")
            if opening:
                opened.append((label, part, place, values))
            candidates = [i for i, item in enumerate(opened) if item[:2] == (label, part)]
            if not closing or not candidates:
                continue
            _, _, start, values = opened.pop(candidates[-1])
            nodes = sentence.nodes[start : place + 1]
            if part:
                number, _, total = part.partition("/")
                if number == "1":
                    parts.setdefault(label, []).append(([], values))
                parts[label][-1][0].extend(nodes)
                if number != total:
                    continue
                nodes, _ = parts[label].pop()
            yield nodes, values, label


def tree_head(sentence: Sentence, nodes: Sequence[Node]) -> Node:
    """Return the first word whose head is outside; the first node if all are empty."""
    words = [node for node in sentence.nodes if not node.empty]
    inside = {words.index(node) + 1 for node in nodes if not node.empty}
    return next((node for node in nodes if not node.empty and node.head not in inside), nodes[0])


def write(text: Text) -> str:
    """Return the text of a CorefUD file."""
    blocks: list[str] = []
    document = None
    labels = {mention.entity for mention in text.mentions}
    for sentence in text.sentences:
        lines = []
        if sentence.document != document:
            document = sentence.document
            lines.append(f"# newdoc id = {document}")
            if not blocks:
                lines.append(f"# global.Entity = {SCHEMA}")
        lines += sentence.comments
        mentions = [mention for mention in text.mentions if mention.sentence is sentence]
        cells = _cells(sentence, mentions)
        numbers = _numbers(sentence)
        for place, node in enumerate(sentence.nodes):
            begun = {m.entity for m in mentions if node.links and runs(m)[0][0] == place}
            misc = [f"Entity={cells[place]}"] if cells[place] else []
            for name in ("Bridge", "SplitAnte"):
                links = [
                    f"{target}<{source}{relation and ':' + relation}"
                    for attribute, target, source, relation in node.links
                    if attribute == name and source in begun and target in labels - {source}
                ]
                if links:
                    misc.append(f"{name}={','.join(links)}")
            misc += [node.columns[9]] if node.columns[9] else []
            dependencies = [
                f"{numbers[parent] if parent else 0}:{relation}"
                for parent, relation in node.dependencies
            ]
            lines += [node.token] if node.token else []
            lines.append(
                "\t".join(
                    [
                        numbers[node],
                        *node.columns[1:8],
                        "|".join(dependencies) or "_",
                        "|".join(misc) or "_",
                    ]
                )
            )
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def _numbers(sentence: Sentence) -> dict[Node, str]:
    """Return the ID of every node."""
    numbers = {}
    word = empty = 0
    for node in sentence.nodes:
        if node.empty:
            empty += 1
            numbers[node] = f"{word}.{empty}"
        else:
            word, empty = word + 1, 0
            numbers[node] = str(word)
    return numbers


def _cells(sentence: Sentence, mentions: list[Mention]) -> list[str]:
    """Return the value of Entity for each node."""
    closings: list[list[tuple[int, str]]] = [[] for _ in sentence.nodes]
    openings: list[list[tuple[int, str]]] = [[] for _ in sentence.nodes]
    singles: list[list[str]] = [[] for _ in sentence.nodes]
    for mention in mentions:
        spans = runs(mention)
        head = ordered(sentence, mention.nodes).index(mention.head) + 1
        for part, (first, last) in enumerate(spans, 1):
            label = mention.entity + (f"[{part}/{len(spans)}]" if len(spans) > 1 else "")
            chunk = f"({label}-{mention.kind}-{head}-{mention.other}"
            if first == last:
                singles[first].append(chunk + ")")
            else:
                openings[first].append((-last, chunk))
                closings[last].append((-first, label + ")"))
    cells = []
    for closing, opening, single in zip(closings, openings, singles, strict=True):
        close = "".join(chunk for _, chunk in sorted(closing))
        start = "".join(chunk for _, chunk in sorted(opening))
        alone = "".join(sorted(single))
        cells.append(close + start + alone if start else alone + close)
    return cells


# ---------------------------------------------------------------------------------------------
# Mentions and nodes
# ---------------------------------------------------------------------------------------------


def ordered(sentence: Sentence, nodes: Iterable[Node]) -> list[Node]:
    """Return the nodes in the order of the sentence."""
    chosen = set(nodes)
    return [node for node in sentence.nodes if node in chosen]


def runs(mention: Mention) -> list[tuple[int, int]]:
    """Return the first and last position of each piece of a mention."""
    places = [place for place, node in enumerate(mention.sentence.nodes) if node in mention.nodes]
    pieces: list[tuple[int, int]] = []
    for place in places:
        if pieces and pieces[-1][1] == place - 1:
            pieces[-1] = pieces[-1][0], place
        else:
            pieces.append((place, place))
    return pieces


def fits(mention: Mention, others: Iterable[Mention], repeats: bool = False) -> bool:
    """Return whether a file can hold the mention in addition to the others without ambiguity."""
    if not mention.nodes or mention.head not in mention.nodes:
        return False
    pieces = runs(mention)
    for other in others:
        if other is mention or other.sentence is not mention.sentence:
            continue
        if set(other.nodes) == set(mention.nodes) and not (
            repeats and other.entity != mention.entity
        ):
            return False
        if other.entity != mention.entity:
            continue
        other_pieces = runs(other)
        if len(pieces) > 1 and len(other_pieces) > 1:
            # Brackets give the number of the piece and the entity, but not the mention.
            if pieces[0][0] <= other_pieces[-1][1] and other_pieces[0][0] <= pieces[-1][1]:
                return False
            continue
        if any(_clash(piece, other_piece) for piece in pieces for other_piece in other_pieces):
            return False
    return True


def _clash(piece: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two pieces are equal or cross."""
    (first, last), (start, end) = piece, other
    apart = last < start or end < first
    inside = (start <= first and last <= end) or (first <= start and end <= last)
    return (start, end) == (first, last) or not (apart or inside)


def mend(text: Text, repeats: bool = False) -> None:
    """Drop mentions that conflict with earlier ones."""
    kept: dict[Sentence, list[Mention]] = {}
    mentions = text.mentions
    text.mentions = []
    for mention in mentions:
        others = kept.setdefault(mention.sentence, [])
        if fits(mention, others, repeats):
            others.append(mention)
            text.mentions.append(mention)


def add_mention(text: Text, mention: Mention, repeats: bool = False) -> bool:
    """Add a mention if it fits."""
    added = fits(mention, text.mentions, repeats)
    if added:
        text.mentions.append(mention)
    return added


def alter_mention(text: Text, mention: Mention, nodes: Iterable[Node]) -> bool:
    """Give a mention other nodes if it then fits; the head is kept if it is among them."""
    before = mention.nodes, mention.head
    mention.nodes = ordered(mention.sentence, nodes)
    if not mention.nodes:
        mention.nodes = before[0]
        return False
    if mention.head not in mention.nodes:
        mention.head = tree_head(mention.sentence, mention.nodes)
    if fits(mention, text.mentions):
        return True
    mention.nodes, mention.head = before
    return False


def rename_entity(text: Text, mention: Mention, entity: str) -> None:
    """Move a mention to another entity if it fits there."""
    before = mention.entity
    mention.entity = entity
    if not fits(mention, text.mentions):
        mention.entity = before


def entities_of(text: Text) -> dict[str, list[Mention]]:
    entities: dict[str, list[Mention]] = {}
    for mention in text.mentions:
        entities.setdefault(mention.entity, []).append(mention)
    return entities


def new_label(text: Text) -> str:
    used = {mention.entity for mention in text.mentions}
    return next(label for number in range(10**6) if (label := f"n{number}") not in used)


def zeros_of(text: Text) -> list[Mention]:
    """Return the mentions that are a single empty node."""
    return [m for m in text.mentions if len(m.nodes) == 1 and m.nodes[0].empty]


def has_room(sentence: Sentence, place: int) -> bool:
    """Return whether another empty node may be inserted at a position."""
    first = last = place
    while first and sentence.nodes[first - 1].empty:
        first -= 1
    while last < len(sentence.nodes) and sentence.nodes[last].empty:
        last += 1
    return last - first < MOST_EMPTY_NODES


def insert_node(text: Text, sentence: Sentence, place: int, node: Node, join: bool = True) -> None:
    """Insert a node at a position; if `join`, mentions on both sides of it include it."""
    if join and 0 < place < len(sentence.nodes):
        before, after = sentence.nodes[place - 1], sentence.nodes[place]
        around = [m for m in text.mentions if before in m.nodes and after in m.nodes]
    else:
        around = []
    sentence.nodes.insert(place, node)
    for mention in around:
        mention.nodes = ordered(sentence, [*mention.nodes, node])


def remove_node(text: Text, sentence: Sentence, node: Node, keep: Mention | None = None) -> None:
    """Remove a node from the sentence and from its mentions; empty mentions are removed."""
    sentence.nodes.remove(node)
    for mention in list(text.mentions):
        if node in mention.nodes and mention is not keep:
            mention.nodes = [other for other in mention.nodes if other is not node]
            if not mention.nodes:
                text.mentions.remove(mention)
            elif mention.head is node:
                mention.head = tree_head(sentence, mention.nodes)


def forget_node(sentence: Sentence, node: Node) -> None:
    """Remove the dependencies on a removed node; attach nodes without others to the root."""
    for other in sentence.nodes:
        rest = [(parent, name) for parent, name in other.dependencies if parent is not node]
        if len(rest) < len(other.dependencies):
            other.dependencies = rest or [(None, "root")]


def draw_dependencies(
    generator: random.Random, sentence: Sentence, near: int
) -> list[tuple[Node | None, str]]:
    """Draw DEPS for an empty node: usually one parent, sometimes two, an empty node or the root."""
    words = [node for node in sentence.nodes if not node.empty]
    verbs = [node for node in words if node.columns[3] in ("VERB", "AUX")]
    dependencies: list[tuple[Node | None, str]] = []
    for _ in range(generator.choice([1, 1, 1, 1, 2])):
        parent: Node | None
        if verbs and generator.random() < 0.6:
            parent = generator.choice(verbs)
        else:
            low = max(0, min(near, len(words)) - 4)
            parent = generator.choice(words[low : low + 8] or words)
        empties = [node for node in sentence.nodes if node.empty and node.dependencies]
        if empties and generator.random() < 0.08:
            parent = generator.choice(empties)
        elif generator.random() < 0.04:
            parent = None
        if all(parent is not known for known, _ in dependencies):
            dependencies.append((parent, generator.choice(RELATIONS)))
    return dependencies


def new_zero(text: Text, generator: random.Random, sentence: Sentence) -> Node | None:
    """Insert an empty node at a random position of the sentence, often next to another."""
    empty = [place for place, node in enumerate(sentence.nodes) if node.empty]
    if empty and generator.random() < 0.45:
        place = generator.choice(empty) + generator.randint(0, 1)
    else:
        place = generator.choice([0, generator.randint(0, len(sentence.nodes))])
        place = place if generator.random() < 0.3 else generator.randint(0, len(sentence.nodes))
    if not has_room(sentence, place):
        return None
    known = [set(node.dependencies) for node in sentence.nodes if node.empty]
    for _ in range(20):
        dependencies = draw_dependencies(generator, sentence, place)
        # Equal dependencies make the alignment of zeros arbitrary; they are a separate kind.
        if set(dependencies) not in known:
            break
    else:
        return None
    columns = ["", "_", "_", "PRON", "_", "_", "_", "_", "_", ""]
    node = Node(columns, empty=True, dependencies=dependencies)
    insert_node(text, sentence, place, node, join=generator.random() < 0.85)
    return node


def draw_span(generator: random.Random, sentence: Sentence) -> list[Node]:
    first = generator.randrange(len(sentence.nodes))
    return sentence.nodes[first : first + generator.choice([1, 1, 1, 2, 2, 3, 5])]


def draw_some(generator: random.Random, mentions: Iterable[Mention]) -> list[Mention]:
    """Draw a tenth, a third or more of the mentions, and at least one if there are any."""
    mentions = list(mentions)
    rate = generator.choice([0.1, 0.3, 0.6, 1.0])
    chosen = [mention for mention in mentions if generator.random() < rate]
    return chosen or mentions[:1]
