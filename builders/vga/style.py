"""How a drawing looks."""

import re
from dataclasses import asdict, dataclass
from typing import Any

Colour = tuple[int, int, int]

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_CONTRAST = 64  # two colours closer than this in every channel cannot be told apart safely


@dataclass(frozen=True)
class Style:
    """The look of a drawing; the defaults are NetworkX's own look at 100 dots per inch.

    All lengths are in pixels. Nodes are filled with one colour; marked nodes are squares, the
    others discs (VGA paper, section 3.2 and figure 2). There is no text, so no font.

    Attributes:
        width: Width of the canvas.
        height: Height of the canvas.
        radius: Radius of a disc, outline included (node size 300 and an outline of 1 point).
        half_side: Half the side of a marked node's square, outline included.
        line_width: Width of an edge (1 point).
        background: Colour of the ground, as `#rrggbb`.
        line: Colour of the edges, as `#rrggbb`.
        node: Colour of the nodes, as `#rrggbb`.

    Raises:
        ValueError: If a length or a colour cannot be used.
    """

    width: int = 700
    height: int = 700
    radius: float = 12.72
    half_side: float = 12.72
    line_width: float = 1.39
    background: str = "#ffffff"
    line: str = "#000000"
    node: str = "#1f78b4"

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            size = getattr(self, name)
            if isinstance(size, bool) or not isinstance(size, int) or not 16 <= size <= 16384:
                raise ValueError(
                    f"a style's {name} is a whole number of pixels, 16 to 16384, not {size!r}"
                )
        for name, least, most in (
            ("radius", 5, 200),
            ("half_side", 5, 200),
            ("line_width", 0.5, 50),
        ):
            length = getattr(self, name)
            if isinstance(length, bool) or not isinstance(length, int | float):
                raise ValueError(f"a style's {name} is a number of pixels, not {length!r}")
            if not least <= length <= most:  # also refuses NaN
                raise ValueError(f"a style's {name} is {least} to {most} pixels, not {length}")
        if self.line_width > min(self.radius, self.half_side):
            raise ValueError("a style's line_width is at most the nodes' radius and half_side")
        names = ("background", "line", "node")
        for name in names:
            colour = getattr(self, name)
            if not isinstance(colour, str) or not _HEX.fullmatch(colour):
                raise ValueError(f"a style's {name} is a colour like #1f78b4, not {colour!r}")
        for one, other in (names[:2], names[1:], names[::2]):
            pairs = zip(rgb_of(getattr(self, one)), rgb_of(getattr(self, other)), strict=True)
            if max(abs(a - b) for a, b in pairs) < _CONTRAST:
                raise ValueError(f"a style's {one} and {other} are too alike to be told apart")
        if self._is_one_ramp():
            raise ValueError("a style's node looks like a shade of its line; take another hue")

    def _is_one_ramp(self) -> bool:
        """Whether the three colours lie nearly on one line, so that a shade of two is the third."""
        ground, line, node = rgb_of(self.background), rgb_of(self.line), rgb_of(self.node)
        a = [one - other for one, other in zip(line, ground, strict=True)]
        b = [one - other for one, other in zip(node, ground, strict=True)]
        aa, bb = sum(one * one for one in a), sum(one * one for one in b)
        ab = sum(one * other for one, other in zip(a, b, strict=True))
        return 100 * (aa * bb - ab * ab) < aa * bb  # an angle below 6 degrees

    @property
    def square_radius(self) -> float:
        """Half the diagonal of a marked node's square: no ink of it lies farther out."""
        return float(self.half_side * 2**0.5)

    def to_json(self) -> dict[str, Any]:
        """Returns the style as a flat dict that JSON can hold, for the manifest."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Style":
        """Returns the style of such a dict; what it leaves out has its default.

        Raises:
            ValueError: If a name is unknown or a value cannot be used.
        """
        unknown = sorted(set(values) - set(cls.__dataclass_fields__))
        if unknown:
            known = ", ".join(cls.__dataclass_fields__)
            raise ValueError(f"a style has no {unknown[0]!r}; it has {known}")
        return cls(**values)


def rgb_of(colour: str) -> Colour:
    """Returns red, green and blue, 0..255 each, of a colour written `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
