"""The worked example of docs/concepts.md comes out as its table says."""

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks
from tests.pipeline.command import ingest, stet

CONCEPTS = ROOT / "docs" / "concepts.md"


def test_the_worked_example(tmp_path: Path) -> None:
    (messages,) = blocks(CONCEPTS, "json")
    assert ingest(messages.encode(), tmp_path).json["rejected"] == 0
    rows = stet("export", "ann", data=tmp_path).rows
    told = {(row["sources"][0], row["description"]): row for row in rows if row["kind"] == "event"}
    valid = {name: row["valid"] for name, row in told.items()}
    assert valid == pytest.approx(
        {
            ("c/1", "Ann: Make the parcel 5 kg."): 1.0,
            ("c/2", "Ann: Make the parcel 8 kg, please."): 0.0,
            ("c/3", "Carrier: Because the parcel is 8 kg"): 0.0,
            ("c/3", "Carrier: the price is €88."): 0.5,
            ("c/4", "Ann: Forget the 8 kg."): 1.0,
        }
    )
    names = {row["id"]: name[0] for name, row in told.items()}
    updates = {
        (names[row["source"]], names[row["target"]], row["mode"])
        for row in rows
        if row["kind"] == "edge" and row["type"] == "updates"
    }
    assert updates == {
        ("c/2", "c/1", "replaces"),
        ("c/4", "c/2", "withdraws"),
        ("c/4", "c/3", "withdraws"),
    }
