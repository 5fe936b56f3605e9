"""The anomalies of section 5, on the paper's own figures and on models made for it."""

import numpy as np
import pytest
from scipy.stats import fisher_exact

from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import encode
from benchloom.builders.seeds import rng
from benchloom.loaders.scores.vga_anomalies import easier_worse, fisher_p, middle_scores
from benchloom.loaders.scores.vga_sheets import UNREADABLE, Sheet

TABLE_3 = ((28, 67, 5, 0), (18, 69, 13, 0), (0, 40, 60, 0), (0, 5, 40, 55))
"""What GPT-o1 answered to each length of a shortest path, in percent."""


def sheet(
    config: str, truth: list[int], claims: list[int], facts: dict[str, np.ndarray] | None = None
) -> Sheet:
    return Sheet(config, "test", np.array(truth), {"model": np.array(claims)}, facts or {})


def of_table_3() -> Sheet:
    truth, claims = [], []
    for label, row in enumerate(TABLE_3):
        for claim, percent in enumerate(row):
            count = round(percent / 4)  # 25 records of each length
            truth += [label] * count
            claims += [claim] * count
    return sheet("shortest_path", truth, claims)


def test_the_papers_model_shows_both_anomalies() -> None:
    middle = middle_scores([of_table_3()], ["model"]).rows
    assert [row[-1] for row in middle] == ["anomaly"]
    found = {(row[3], row[4]): row[-1] for row in easier_worse([of_table_3()], ["model"]).rows}
    assert len(found) == 6
    assert found["length 1", "length 2"] == "anomaly"
    assert found["length 2", "length 3"] == "not shown"


@pytest.mark.parametrize(
    ("config", "right", "said"),
    [
        ("easy_iso", 800, "anomaly"),
        ("easy_iso", 900, "not shown"),  # people have 95.0%, but of 60 answers
        ("chordless_cycle", 880, "not shown"),  # people have 88.2%
        ("chordless_cycle", 940, "not shown"),  # better than people
        ("chordless_cycle", 740, "anomaly"),
        ("shortest_path", 990, "not shown"),  # people have 100%, but of 60 answers
        ("shortest_path", 900, "anomaly"),
        ("shortest_path", 250, "not shown"),  # chance
    ],
)
def test_a_middle_score_is_below_what_people_reach(config: str, right: int, said: str) -> None:
    classes = 2 if config == "easy_iso" else 4
    truth = [k % classes for k in range(1000)]
    claims = [label if k < right else (label + 1) % classes for k, label in enumerate(truth)]
    table = middle_scores([sheet(config, truth, claims)], ["model"])
    (row,) = table.rows
    assert row[-1] == said
    human = dict(zip(table.head, row, strict=True))["people"]
    assert human == {"easy_iso": 0.95, "chordless_cycle": 0.882, "shortest_path": 1.0}[config]


@pytest.mark.parametrize("claims", ["right", "one answer", "guesses"])
def test_who_knows_or_guesses_shows_none(claims: str) -> None:
    truth = [0, 1, 2, 3] * 50
    said = {
        "right": truth,
        "one answer": [1] * 200,
        "guesses": rng("test_vga_anomalies").integers(0, 4, 200).tolist(),
    }[claims]
    of = sheet("shortest_path", truth, said)
    assert {row[-1] for row in middle_scores([of], ["model"]).rows} == {"not shown"}
    assert "anomaly" not in {row[-1] for row in easier_worse([of], ["model"]).rows}


def test_one_answer_is_near_random_however_much_classes_differ() -> None:
    rows = easier_worse([sheet("shortest_path", [0, 1, 2, 3] * 50, [1] * 200)], ["model"]).rows
    verdicts = {(row[3], row[4]): row[-1] for row in rows}
    assert verdicts["length 1", "length 2"] == "near random, so not shown"


def test_answers_that_were_cut_off_are_no_middle_score() -> None:
    truth = [0, 1] * 100
    half = [*truth[:100], *[UNREADABLE] * 100]
    (row,) = middle_scores([sheet("easy_iso", truth, half)], ["model"]).rows
    assert (row[3], row[-1]) == (100, "not shown")
    assert not middle_scores([sheet("easy_iso", truth, [UNREADABLE] * 200)], ["model"]).rows


def star_and_cycle() -> tuple[str, str]:
    """A graph with leaves and one with none; both without a Hamiltonian cycle."""
    star = Graph.of(8, [(0, v) for v in range(1, 8)])
    joined = Graph.of(7, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 3)])
    return encode(star), encode(joined)


def test_leaves_make_a_no_simpler() -> None:
    star, joined = star_and_cycle()
    lines = np.array([star, joined] * 40 + [joined] * 80, dtype=object)
    truth = [0, 0] * 40 + [1] * 80
    claims = [1, 0] * 40 + [1] * 80  # wrong where there is a leaf, and right elsewhere
    (row,) = easier_worse([sheet("ham_cycle", truth, claims, {"graph6": lines})], ["model"]).rows
    assert row[3:6] == ("no, a leaf", "no, no leaf", 80)
    assert (float(row[6]), float(row[7]), row[-1]) == (0, 1, "anomaly")
    (row,) = easier_worse([sheet("ham_path", truth, claims, {"graph6": lines})], ["model"]).rows
    assert row[3:6] == ("no, 3 leaves", "no, fewer than 3", 80)
    assert not easier_worse([sheet("ham_cycle", truth, claims)], ["model"]).rows


def test_false_pairs_of_the_easy_task_are_simpler() -> None:
    truth = [0, 1] * 50
    easy = sheet("easy_iso", truth, [1, 1] * 50)
    hard = sheet("hard_iso", truth, truth)
    (row,) = easier_worse([easy, hard], ["model"]).rows
    assert row[1:3] == ("easy_iso and hard_iso", "test")
    assert row[-1] == "anomaly"
    assert not easier_worse([easy], ["model"]).rows


@pytest.mark.parametrize(
    "counts", [(3, 10, 8, 11), (0, 5, 5, 5), (5, 5, 0, 7), (120, 800, 190, 700)]
)
def test_fisher_agrees_with_scipy(counts: tuple[int, int, int, int]) -> None:
    right_simpler, simpler, right_harder, harder = counts
    table = [[right_harder, harder - right_harder], [right_simpler, simpler - right_simpler]]
    expected = fisher_exact(table, alternative="greater").pvalue
    assert fisher_p(*counts) == pytest.approx(expected, rel=1e-9)
