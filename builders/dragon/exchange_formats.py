"""The formats in which evidence is exchanged, by name."""

from benchloom.builders.dragon import exchange_coco, exchange_label_studio, exchange_voc
from benchloom.builders.dragon.exchange import Export, Import

FORMATS: dict[str, tuple[Export, Import]] = {
    "label-studio": (exchange_label_studio.write, exchange_label_studio.read),
    "coco": (exchange_coco.write, exchange_coco.read),
    "voc": (exchange_voc.write, exchange_voc.read),
}
