"""Which parts of a question's retrieval take part: all of them, but where a part's worth is measured."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """What takes part. `hierarchy`: V_hier, and hops through branches, sessions and topics. `updates`: V_upd,
    the seeds that supersede or dispute other seeds. `paths`: the walk, and paths in ranking and context.

    Whatever is left out, facts that no longer hold are marked, since that is read off each event.
    """

    hierarchy: bool = True
    updates: bool = True
    paths: bool = True


WHOLE = Recipe()
