"""A contact sheet: one picture of each config of a build, with its answer."""

import io

from PIL import Image, ImageDraw, ImageFont

from benchloom.loaders.directory import Build

CELL = 340
CAPTION = 44
GAP = 12


def contact_sheet(build: Build, split: str = "test", columns: int = 3, record: int = 0) -> bytes:
    """Returns a PNG with one record of each config in a grid, config and answer below it.

    Args:
        build: A build whose records have pictures.
        split: The split they are from.
        columns: Number of pictures side by side.
        record: Which record of each split.

    Raises:
        InputError: If a shard cannot be read.
    """
    configs = list(build.manifest.configs)
    rows = -(-len(configs) // columns)
    width, height = CELL + GAP, CELL + CAPTION + GAP
    sheet = Image.new("RGB", (columns * width + GAP, rows * height + GAP), "#d8dde3")
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=20)
    for place, config in enumerate(configs):
        left, top = GAP + place % columns * width, GAP + place // columns * height
        ((_, shown),) = build.records(config, split, [record])
        with Image.open(io.BytesIO(shown["image"]["bytes"])) as picture:
            small = picture.convert("RGB").resize((CELL, CELL), Image.Resampling.LANCZOS)
        pen.rectangle((left, top, left + CELL - 1, top + CELL + CAPTION - 1), fill="white")
        sheet.paste(small, (left, top))
        text = f"{config}: {shown['answer']}"
        pen.text((left + CELL / 2, top + CELL + CAPTION / 2), text, "#17202a", font, anchor="mm")
    out = io.BytesIO()
    sheet.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()
