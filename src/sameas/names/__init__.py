"""Names across scripts: their alignment, transliteration and verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sameas.names.aligned import AlignedNames as AlignedNames
    from sameas.names.aligned import AlignedPair as AlignedPair
    from sameas.names.aligned import read_alignments as read_alignments
    from sameas.names.aligner import Aligner as Aligner
    from sameas.names.aligner import FittedAligner as FittedAligner
    from sameas.names.aligner import align as align
    from sameas.names.candidates import Candidates as Candidates
    from sameas.names.comparing import RankingComparison as RankingComparison
    from sameas.names.comparing import compare_rankings as compare_rankings
    from sameas.names.pairs import NamePairs as NamePairs
    from sameas.names.pairs import read_pairs as read_pairs
    from sameas.names.quality import AlignmentQuality as AlignmentQuality
    from sameas.names.quality import entropy as entropy
    from sameas.names.ranked_lists import read_candidates as read_candidates
    from sameas.names.ranked_lists import read_references as read_references
    from sameas.names.ranking import RankingScores as RankingScores
    from sameas.names.ranking import rank_scores as rank_scores
    from sameas.names.transliterator import Transliterator as Transliterator
    from sameas.names.validation import DetCurve as DetCurve
    from sameas.names.validation import det as det
    from sameas.names.verifier import Verified as Verified
    from sameas.names.verifier import Verifier as Verifier
else:
    from sameas.lazily import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "aligned": ["AlignedNames", "AlignedPair", "read_alignments"],
            "aligner": ["Aligner", "FittedAligner", "align"],
            "candidates": ["Candidates"],
            "comparing": ["RankingComparison", "compare_rankings"],
            "pairs": ["NamePairs", "read_pairs"],
            "quality": ["AlignmentQuality", "entropy"],
            "ranked_lists": ["read_candidates", "read_references"],
            "ranking": ["RankingScores", "rank_scores"],
            "transliterator": ["Transliterator"],
            "validation": ["DetCurve", "det"],
            "verifier": ["Verified", "Verifier"],
        },
    )

__all__ = [
    "AlignedNames",
    "AlignedPair",
    "Aligner",
    "AlignmentQuality",
    "Candidates",
    "DetCurve",
    "FittedAligner",
    "NamePairs",
    "RankingComparison",
    "RankingScores",
    "Transliterator",
    "Verified",
    "Verifier",
    "align",
    "compare_rankings",
    "det",
    "entropy",
    "rank_scores",
    "read_alignments",
    "read_candidates",
    "read_pairs",
    "read_references",
]
