"""Write large tables of mentions as Parquet, reproducible from a seed.

::

    python benchmarks/mentions.py corpora --mentions 10000000 --documents 10000

writes ``corpora/key.parquet`` and ``corpora/response.parquet`` with the integer columns document,
mention and entity. Entity sizes are skewed. In the response, 5% of the mentions are missing, and
as many are spurious; 10% of the entities are split in two, 8% are merged with the next one, and 3%
of the mentions (`--noise`) are in a random entity of their document. The response's rows are
shuffled.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BLOCK = 1_000_000  # mentions generated at once


def blocks(
    mentions: int, documents: int, entities: int, seed: int = 0, noise: float = 0.03
) -> Iterator[tuple[dict[str, np.ndarray], dict[str, np.ndarray]]]:
    """Yield the key and the response in blocks: several documents, or a part of one."""
    in_document, of_document = mentions // documents, entities // documents
    for start in range(0, mentions, BLOCK):
        generator = np.random.default_rng([seed, start])
        number = np.arange(start, min(start + BLOCK, mentions))
        document, place = np.divmod(number, in_document)
        document = np.minimum(document, documents - 1)
        # The first mentions of a document each open an entity, so that every entity occurs.
        drawn = (generator.random(len(number)) ** 2 * of_document).astype(np.int64)
        entity = np.where(place < of_document, place, drawn)
        mark = (
            (document * of_document + entity) * 2654435761 % 1_000
        )  # equal for all mentions of an entity
        other = np.where(mark < 100, entity + of_document * (number % 2), entity)  # split
        other = np.where((mark >= 100) & (mark < 180), (entity + 1) % of_document, other)  # merged
        random = generator.integers(0, of_document, len(number))
        other = np.where(generator.random(len(number)) < noise, random, other)
        lost = generator.random(len(number)) < 0.05
        key = {"document": document, "mention": place, "entity": entity}
        response = {
            "document": document,
            "mention": np.where(
                lost, place + 10 * in_document, place
            ),  # a spurious mention instead
            "entity": other,
        }
        order = generator.permutation(len(number))  # shuffle the rows
        yield key, {name: column[order] for name, column in response.items()}


def write(folder: Path, mentions: int, documents: int, entities: int, noise: float = 0.03) -> None:
    """Write the two tables."""
    folder.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([(name, pa.int64()) for name in ("document", "mention", "entity")])
    names = ("key.parquet", "response.parquet")
    writers = [pq.ParquetWriter(folder / name, schema) for name in names]
    for sides in blocks(mentions, documents, entities, noise=noise):
        for writer, side in zip(writers, sides, strict=True):
            writer.write_table(pa.table(side, schema=schema))
    for writer in writers:
        writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mentions", type=int, default=10_000_000)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--entities", type=int, help="default: a fifth of the mentions")
    parser.add_argument("--noise", type=float, default=0.03)
    options = parser.parse_args()
    entities = options.entities or options.mentions // 5
    write(options.folder, options.mentions, options.documents, entities, options.noise)


if __name__ == "__main__":
    main()
