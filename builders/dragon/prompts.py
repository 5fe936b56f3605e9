"""What a model is asked: EDGE, SAGE and VERGE (section 4).

The paper describes its prompts and does not print them in its sections; the words here are ours.
Every prompt tells the size of the image, the form of the answer, and has one worked example.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from benchloom.builders.dragon.item import Item
from benchloom.loaders.answers.dragon import PredictedBox

Size = tuple[int, int]
Strategy = Literal["edge", "sage", "verge"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

_EVIDENCE = """\
Evidence is everything that a careful reader has to look at in the diagram to be sure that the \
answer is right: the part that shows the answer, and labels, legend entries, axis marks, \
connectors or neighbouring parts that the reasoning passes through. Take the smallest set that \
suffices, and leave out what only decorates."""
_IDS = """\
Call what shows the answer A1, A2, ... and everything else that is needed S1, S2, ..."""
_BOXES = """\
The image is {width} pixels wide and {height} pixels high. Positions are pixels of this image: x \
grows to the right and y downward from the upper left corner, which is 0,0. A box is \
<x,y,width,height>, where x,y is its own upper left corner; it encloses its part tightly."""
_FORM = """\
Reply in this form and with nothing else:
Answer: ID/<x,y,width,height>, ID/<x,y,width,height>, ...
Explanation: one or two sentences on how these parts prove the answer."""
_EXAMPLE_TASK = """\
Example. Bar chart, 640 pixels wide and 400 high.
Question: In which year did most rain fall?
Right answer: 2012"""
_EXAMPLE_ANSWER = """\
Answer: A1/<312,58,40,266>, A2/<316,330,32,14>, S1/<18,50,34,280>
Explanation: The bar A1 reaches highest on the axis S1, and the label A2 below it reads 2012."""
_EXAMPLE_ELEMENTS = """\
Elements:
A1: the tallest bar, fourth from the left
A2: the label 2012 below that bar
S1: the axis of rainfall at the left"""
_EXAMPLE_FIRST = "Answer: A1/<300,40,60,290>, S1/<18,50,34,280>"


def ask_edge(item: Item, size: Size) -> str:
    """Returns the prompt of EDGE: all boxes in one step.

    Args:
        item: The question.
        size: Width and height of the image as it is sent, in pixels.
    """
    return _join(
        "Find the evidence for the answer to a question about the diagram in the image.",
        _EVIDENCE,
        _IDS,
        _boxes(size),
        _FORM,
        f"{_EXAMPLE_TASK}\n{_EXAMPLE_ANSWER}",
        _task(item),
    )


def ask_sage_elements(item: Item, size: Size) -> str:
    """Returns the first prompt of SAGE: which elements are evidence, without their places.

    Args:
        item: The question.
        size: Width and height of the image as it is sent, in pixels.
    """
    return _join(
        "Select the evidence for the answer to a question about the diagram in the image. Name the "
        "parts only; where they are is asked later.",
        _EVIDENCE,
        _IDS,
        f"The image is {size[0]} pixels wide and {size[1]} pixels high.",
        "Reply in this form and with nothing else, a line for each part:\n"
        "Elements:\nID: a few words that tell the part from all others",
        f"{_EXAMPLE_TASK}\n{_EXAMPLE_ELEMENTS}",
        _task(item),
    )


def ask_sage_boxes(item: Item, size: Size, elements: Sequence[tuple[str, str]]) -> str:
    """Returns the second prompt of SAGE: a box for each element that was selected.

    Args:
        item: The question.
        size: Width and height of the image as it is sent, in pixels.
        elements: Id and description of each.
    """
    listed = "\n".join(f"{name}: {words}" for name, words in elements)
    return _join(
        "Some parts of the diagram in the image were selected as evidence for the answer to a "
        "question. Find the box of each of them, under the same id.",
        _boxes(size),
        _FORM,
        f"{_EXAMPLE_TASK}\n{_EXAMPLE_ELEMENTS}\n{_EXAMPLE_ANSWER}",
        _task(item),
        f"Elements:\n{listed}",
    )


def ask_verge_again(item: Item, size: Size, boxes: Sequence[PredictedBox]) -> str:
    """Returns the second prompt of VERGE: look again at boxes, adjust them, add what is missing.

    Args:
        item: The question.
        size: Width and height of the image as it is sent, in pixels.
        boxes: Those of the first step, whose prompt is that of EDGE.
    """
    listed = ", ".join(_write(box) for box in boxes)
    return _join(
        "Here is a first attempt to find the evidence for the answer to a question about the "
        "diagram in the image. Look at the image again and improve it in three ways. Check the "
        "position of each box, and correct those that do not enclose their part tightly. Add a box "
        "for each part that is needed and missing. Where a box is too coarse, too small or beside "
        "its part, change what it covers. Keep every box of the first attempt under its id: you "
        "may move and resize boxes and add new ones, but drop none.",
        _EVIDENCE,
        _IDS,
        _boxes(size),
        _FORM,
        f"{_EXAMPLE_TASK}\nFirst attempt:\n{_EXAMPLE_FIRST}\nImproved:\n{_EXAMPLE_ANSWER}",
        _task(item),
        f"First attempt:\nAnswer: {listed or 'none'}",
    )


def _boxes(size: Size) -> str:
    width, height = size
    return _BOXES.format(width=width, height=height)


def _task(item: Item) -> str:
    """Returns the question itself, each part of it on one line."""
    lines = ["Now your task.", f"Question: {_one_line(item.question)}"]
    if item.choices:
        lines.append(f"Choices: {'; '.join(_one_line(choice) for choice in item.choices)}")
    return "\n".join([*lines, f"Right answer: {_one_line(item.answer)}"])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _write(box: PredictedBox) -> str:
    return f"{box.id}/<{','.join(f'{number:.10g}' for number in box.bbox)}>"


def _join(*parts: str) -> str:
    return "\n\n".join(parts)
