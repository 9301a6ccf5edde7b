"""What a person is told was forgotten."""

from pathlib import Path

from tests.pipeline.command import ingest, lines, message, stet


def test_the_messages_that_are_forgotten_are_named_and_not_their_subject_alone(tmp_path: Path) -> None:
    ingest(lines([message(n, id=f"m{n}", tenant="acme", subject="周晓雯") for n in range(3)]), tmp_path)
    two = stet("forget", "周晓雯", "--message", "m0", "--message", "m1", "--yes", data=tmp_path)
    assert two.out.decode().splitlines()[0] == "forgotten: messages m0, m1 of 周晓雯 (tenant acme)"
    rest = stet("forget", "周晓雯", "--yes", data=tmp_path)
    assert rest.out.decode().splitlines()[0] == "forgotten: 周晓雯 (tenant acme)"
