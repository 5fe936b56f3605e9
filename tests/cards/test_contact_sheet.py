import io
from pathlib import Path

from PIL import Image

from benchloom.cards.contact_sheet import CAPTION, CELL, GAP, contact_sheet
from benchloom.loaders.directory import Build


def test_a_sheet_shows_each_config_once(vga_build: Path) -> None:
    sheet = Image.open(io.BytesIO(contact_sheet(Build(vga_build)))).convert("RGB")
    assert sheet.size == (3 * (CELL + GAP) + GAP, 2 * (CELL + CAPTION + GAP) + GAP)
    cells = []
    for place in range(6):
        left = GAP + place % 3 * (CELL + GAP)
        top = GAP + place // 3 * (CELL + CAPTION + GAP)
        cells.append(sheet.crop((left, top, left + CELL, top + CELL)).tobytes())
        assert sheet.getpixel((left + 1, top + 1)) == (255, 255, 255)
    assert len(set(cells)) == 6
