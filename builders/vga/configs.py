"""The six tasks: their questions, labels, splits, layouts and sizes (Table 1, Figure 8)."""

from collections.abc import Mapping
from dataclasses import dataclass

NO_YES = ("no", "yes")
KAMADA_KAWAI, PLANAR, RANDOM = "kamada_kawai", "planar", "random"


@dataclass(frozen=True)
class ConfigSpec:
    """One task as a config of the dataset.

    Attributes:
        question: What is asked of every picture, with the definition and the form of the answer.
        labels: The answers, in the order of their class numbers.
        layouts: For each split the layout it is drawn in; of pairs, the layout of the left panel.
        sizes: Numbers of records on the train and the test side.
        folder: Where the original layout keeps it (Figure 8).
        pairs: Whether a picture shows two graphs, the right one in Kamada-Kawai layout.
        marks: Whether two nodes are marked.
    """

    question: str
    labels: tuple[str, ...]
    layouts: Mapping[str, str]
    sizes: Mapping[str, int]
    folder: str
    pairs: bool = False
    marks: bool = False

    def side(self, split: str) -> str:
        """Returns the side a split's graphs are from: `train`, or `test` for every other split."""
        return "train" if split == "train" else "test"


_ISOMORPHISM = (
    "The picture shows two graphs, one in its left half and one in its right half. Two graphs "
    "are isomorphic when the nodes of one can be matched one to one with the nodes of the "
    "other so that two nodes are joined by an edge in one graph exactly when their partners "
    "are joined in the other. Are the two graphs isomorphic? Answer yes or no."
)

CONFIGS: dict[str, ConfigSpec] = {
    "easy_iso": ConfigSpec(
        question=_ISOMORPHISM,
        labels=NO_YES,
        layouts={"train": PLANAR, "test": PLANAR},
        sizes={"train": 140_000, "test": 15_718},
        folder="isomorphism/easy",
        pairs=True,
    ),
    "hard_iso": ConfigSpec(
        question=_ISOMORPHISM,
        labels=NO_YES,
        layouts={"train": PLANAR, "test": PLANAR},
        sizes={"train": 127_374, "test": 14_298},
        folder="isomorphism/hard",
        pairs=True,
    ),
    "ham_path": ConfigSpec(
        question=(
            "A Hamiltonian path is a path along the edges of a graph that visits every node "
            "exactly once. Does the graph in the picture have a Hamiltonian path? Answer yes "
            "or no."
        ),
        labels=NO_YES,
        layouts={"train": KAMADA_KAWAI, "test": PLANAR, "test_kawai": KAMADA_KAWAI},
        sizes={"train": 25_000, "test": 2_480},
        folder="path/hamiltonian",
    ),
    "shortest_path": ConfigSpec(
        question=(
            "The length of a path in a graph is the number of its edges. In the picture two "
            "nodes are marked as squares. What is the length of a shortest path between them? "
            "Answer 1, 2, 3 or 4."
        ),
        labels=("1", "2", "3", "4"),
        layouts={
            "train": RANDOM,
            "test": PLANAR,
            "test_kawai": KAMADA_KAWAI,
            "test_random": RANDOM,
        },
        sizes={"train": 80_000, "test": 8_672},
        folder="path/shortest",
        marks=True,
    ),
    "ham_cycle": ConfigSpec(
        question=(
            "A Hamiltonian cycle is a cycle along the edges of a graph that visits every node "
            "exactly once and returns to its start. Does the graph in the picture have a "
            "Hamiltonian cycle? Answer yes or no."
        ),
        labels=NO_YES,
        layouts={"train": KAMADA_KAWAI, "test": PLANAR, "test_kawai": KAMADA_KAWAI},
        sizes={"train": 69_935, "test": 7_740},
        folder="cycle/hamiltonian",
    ),
    "chordless_cycle": ConfigSpec(
        question=(
            "A cycle of a graph is chordless when no edge of the graph joins two of its nodes "
            "other than the edges of the cycle itself; its length is its number of nodes. How "
            "long is the longest chordless cycle of the graph in the picture? Answer 3, 4, 5 "
            "or 6."
        ),
        labels=("3", "4", "5", "6"),
        layouts={"train": KAMADA_KAWAI, "test": PLANAR, "test_kawai": KAMADA_KAWAI},
        sizes={"train": 80_000, "test": 6_484},
        folder="cycle/cordless",  # spelt as the authors spell it
    ),
}
