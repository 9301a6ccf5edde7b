"""`updates` and `contradicts`: how a statement bears on earlier ones of the same attribute (DESIGN §3)."""

import re
from collections.abc import Sequence

from operators.distill.earlier_claims import GENERIC
from operators.distill.interface import Link
from operators.relate.at_hand import SERVICE
from operators.relate.contrary import denied
from operators.relate.echoes import echoed
from operators.relate.errand import names_thing, replaced, signs_of
from operators.relate.fit import fit
from operators.relate.meant import bearing, meant, whole
from operators.relate.naming import is_total
from operators.relate.parallels import supplanted
from operators.relate.put_right import put_right, unsaid
from operators.relate.runs import TAKES_BACK, History, Run, bare_state, changes, disputes, echoes, fold
from operators.relate.same_thing import Match, of_one_kind, same_entity, same_value
from operators.relate.spoken import spoken
from operators.relate.stages import passed
from operators.relate.typed import typed
from operators.relate.words import head
from state.identity import edge_id
from state.model import Act, Edge, EdgeType, Event, EventType, UpdateMode

_CONFIDENCE = {Match.LOOSE: 0.6, Match.LIKELY: 0.8, Match.EXACT: 0.95}
_DISPUTE = 0.6
_LEADS = (EdgeType.CAUSES, EdgeType.ENABLES)


def update_edges(event: Event, earlier: Sequence[Event], links: Sequence[Link]) -> list[Edge]:
    """Edges from `event` to what it replaces, withdraws or contradicts among `earlier` (oldest first).

    An update needs the same thing and the same attribute; a value that is restated, values that may coexist,
    and a statement without a facet make none. Where a customer asks a service for something, signs are
    weighed besides (`operators.relate.errand`): they find a change that no rule sees, and they overrule one
    that names neither thing nor attribute.
    """
    valued = [told for told in earlier if told.facet is not None]
    ruled = ruled_edges(event, valued, links)
    edges = _weighed(event, valued, links, ruled)
    overruled = bool(ruled) and not edges
    if edges and changes(event):
        edges += _echoes(event, earlier, edges)
    taken = {edge.target for edge in edges}
    edges += [
        _update(event, told, mode, "says that it is not so")
        for told, mode in denied(event, earlier)
        if told.id not in taken
    ]
    taken |= {edge.target for edge in edges}
    edges += [
        _update(event, told, UpdateMode.REPLACES, "has come to another stage")
        for told in passed(event, earlier)
        if told.id not in taken
    ]
    if edges:
        return edges
    if back := unsaid(event, earlier):
        return [_update(event, told, UpdateMode.WITHDRAWS, "takes back what was said last") for told in back]
    if overruled or any(link.source == event.id and link.type in _LEADS for link in links):
        return []  # a reason given for something is not what takes its place
    edges = [
        _update(event, told, UpdateMode.REPLACES, "says another in its place")
        for told in supplanted(event, earlier) or put_right(event, earlier)
    ]
    return edges + _echoes(event, earlier, edges)


def _echoes(event: Event, earlier: Sequence[Event], edges: Sequence[Edge]) -> list[Edge]:
    """What said again what `edges` replace falls with it."""
    gone = {edge.target for edge in edges if edge.mode is UpdateMode.REPLACES}
    replaced = [told for told in earlier if told.id in gone] if gone else []
    reason = "takes the place of what this says again"
    return [_update(event, told, UpdateMode.REPLACES, reason) for told in echoed(event, replaced, earlier)]


def _weighed(event: Event, earlier: Sequence[Event], links: Sequence[Link], ruled: list[Edge]) -> list[Edge]:
    """The edges between values of one attribute, once signs of an errand are weighed."""
    signs = signs_of(event, links)
    if signs is None or any(edge.mode is UpdateMode.WITHDRAWS for edge in ruled):
        return ruled
    updates = [edge for edge in ruled if edge.type is EdgeType.UPDATES]
    given_up = replaced(event, earlier, signs, updates)
    if given_up and not updates and not _recounts(event, signs):
        return [*ruled, *(_update(event, told, UpdateMode.REPLACES, ERRAND) for told in given_up)]
    if given_up or certain(event):
        return ruled
    return [edge for edge in ruled if edge.type is not EdgeType.UPDATES]


def _recounts(event: Event, signs: Sequence[str]) -> bool:
    """Whether the event merely tells what is so, which stands side by side. A turn that asks something tells
    what is asked for, and one of a few words ("the 12th") tells nothing by itself."""
    return event.act is Act.STATE and event.type is EventType.ACTION and _ASKS.isdisjoint(signs)


_ASKS = frozenset(("request", "question", "short"))


ERRAND = "the same errand, with another value"
"""The reason of an update that signs alone tell."""
_KINDS = GENERIC | {"with", "quantity", "number of people"}


def certain(event: Event) -> bool:
    """Whether the event's facet tells enough that no signs overrule what the rules see: a thing and an
    attribute that is more than a kind of value; a thing that is known by its number; or a stated change in
    words that name either."""
    if event.facet is None:
        return False
    entity = event.facet.entity.strip()
    known = entity != "" and event.facet.attribute not in _KINDS
    numbered = any(char.isdigit() for char in entity)
    return known or ((numbered or changes(event)) and names_thing(event))


def ruled_edges(event: Event, earlier: Sequence[Event], links: Sequence[Link]) -> list[Edge]:
    """The edges between values of one attribute that rules tell, without weighing any signs."""
    if event.facet is None:
        return []
    explained = any(link.target == event.id and link.type in _LEADS for link in links)
    explained = explained or _follows_change(event, earlier)
    explained = explained or (is_total(event.facet.attribute) and event.role in SERVICE)
    explained = explained or _answers_change(event, earlier)
    history = meant(event, earlier, explained)
    if event.act is Act.RESTORE and not event.facet.attribute.strip():
        called_off = [told for told in history if whole(told) and told.act in TAKES_BACK]
        return [_update(event, t, UpdateMode.WITHDRAWS, "lets it stand again") for t in called_off]
    if event.act in TAKES_BACK:
        return _withdrawals(event, history)
    if event.many or event.act is Act.ADD or not event.facet.value.strip():
        return []
    return _replacements(event, history, explained)


def _follows_change(event: Event, earlier: Sequence[Event]) -> bool:
    """Whether `event`'s message has just changed the thing in another respect: what it then says of the thing
    is as new ("the order is now three boxes, the price is €192")."""
    for told in earlier:
        if told.sources[-1] != event.sources[-1] or told.act is not Act.CHANGE:
            continue
        if event.facet is None or told.facet is None or told.facet.attribute == event.facet.attribute:
            continue
        if told.facet.entity.strip() and same_entity(told.facet.entity, event.facet.entity) > Match.LOOSE:
            return True
    return False


def _answers_change(event: Event, earlier: Sequence[Event]) -> bool:
    """Whether a service says what it comes to, once the other party has just changed something: that is then
    as new ("just two, please" "The total is €160")."""
    if event.role not in SERVICE or event.act is not Act.STATE or event.facet is None:
        return False
    if "total" not in spoken(event).casefold() or not earlier:
        return False
    before = next((t for t in reversed(earlier) if t.sources[-1] != event.sources[-1]), None)
    if before is None or before.role in SERVICE or before.conversation != event.conversation:
        return False
    said = [t for t in earlier if t.sources[-1] == before.sources[-1]]
    return any(told.act in (Act.CHANGE, Act.REMOVE, Act.WITHDRAW) for told in said)


def _withdrawals(event: Event, history: Sequence[Event]) -> list[Edge]:
    """A withdrawal takes the run that it names, else the one that stands; of a whole thing, all of it."""
    told = [t for t in history if t.sources[-1] != event.sources[-1]]
    before = [t for t in told if t.act not in TAKES_BACK]
    if whole(event):
        taken = before
    else:
        after = fold([*told, event])
        runs = [run for message, run in after.taken if message == event.sources[-1]]
        taken = [stated for run in runs for stated in run.events]
        if event.facet is not None and event.facet.value.strip():
            # In a list the values stand side by side: the one that is named goes.
            taken = [t for t in before if same_value(event, t)] or taken
    reason = "takes it back as a whole" if whole(event) else "takes it back"
    return [_update(event, t, UpdateMode.WITHDRAWS, reason) for t in taken]


def _replacements(event: Event, history: Sequence[Event], explained: bool) -> list[Edge]:
    """A new value replaces the standing run, or disputes it where another party says it without a change."""
    before = fold([told for told in history if _may_precede(event, told)])
    if echoes(before, event):
        return []
    changed = explained or changes(event)
    edges: list[Edge] = []
    for run in _against(event, before):
        if run.says(event):
            continue
        told = [t for t in run.events if not apart(event, t) and _comparable(event, t)]
        if not changed and event.role in SERVICE and all(t.role in SERVICE for t in run.events):
            continue  # the service reads out another item
        if event.act is Act.ADOPT and not _adopts_from(event, run):
            continue
        if not changed and disputes(event, run) and not _orders(event, run):
            edges.extend(_dispute(event, t) for t in told if bearing(event, t) > Match.LOOSE)
        else:
            edges.extend(_update(event, t, UpdateMode.REPLACES, _why(event, run)) for t in told)
    return edges


def _against(event: Event, before: History) -> list[Run]:
    """The runs that a value of `event` tells against.

    What a thing is does not exclude what else it is, unless another party says so of it straight away.
    """
    if not bare_state(event):
        return before.standing_for(event)
    last = before.levels[-1][-1:] if before.levels else []
    found = before.said_away(event) + [run for run in last if disputes(event, run)]
    if not _coded(event):
        return found
    return found + [r for level in before.levels for r in level if r not in found and _coded(r.events[-1])]


_CODE = re.compile(r"(?=.*\d\d)[A-Za-z]{0,4}[ -]?\d[\w/-]*")


def _coded(event: Event) -> bool:
    """Whether a state is a number or a code ("the plate is LK 4471"), of which a thing has one."""
    return event.facet is not None and _CODE.fullmatch(event.facet.value) is not None


def _may_precede(event: Event, told: Event) -> bool:
    """Two plain statements of one message stand side by side; a change may follow what it changes."""
    return told.sources[-1] != event.sources[-1] or event.act is Act.CHANGE or told.act in TAKES_BACK


def _orders(event: Event, run: Run) -> bool:
    """Whether a customer asks a service to do otherwise with a thing than it said it would: that is a change
    ("please send order 12 to Ghent"), not another account of what is so."""
    asks = event.type is EventType.PLAN and event.role not in SERVICE
    read_out = all(told.role in SERVICE for told in run.events)
    return asks and read_out and all(fit(event, told).grade >= Match.LIKELY for told in run.events)


def _adopts_from(event: Event, run: Run) -> bool:
    """Whether an accepted proposal tells against `run`: a customer said or took its value, and both values
    are typed, or two of a sort that the attribute names ("a family membership", "an individual one").

    What a service reads out, and a name that may only spell another out ("Phoenix", "Sky Harbor Airport"),
    are left standing.
    """
    if event.facet is None:
        return False
    if typed(event.facet.value, event.stated_at) is None and not any(_one_sort(event, t) for t in run.events):
        return False
    return any(told.role not in SERVICE for told in run.events)


def _one_sort(event: Event, told: Event) -> bool:
    if event.facet is None or told.facet is None or not event.facet.attribute.strip():
        return False
    sort = head(event.facet.attribute)
    return head(event.facet.value) == sort == head(told.facet.value)


def _comparable(event: Event, told: Event) -> bool:
    """Whether the two values are of one kind. A stated change may give a thing another kind of value ("make
    it free"), a plain statement or an adopted proposal may not."""
    return event.act in (Act.CHANGE, Act.RESTORE) or of_one_kind(event, told)


def apart(event: Event, told: Event) -> bool:
    """Whether the two are about disjoint periods ("in 2019 in Rome", "in 2021 in Bern"): both then hold.

    A time that is itself the value is no period, nor is one that includes the moment of saying ("today").
    """
    if changes(event) or event.occurs is None or told.occurs is None:
        return False
    ours, theirs = event.occurs, told.occurs
    if ours.start is None or ours.end is None or theirs.start is None or theirs.end is None:
        return False
    if ours.start <= event.stated_at < ours.end or _is_value(event) or _is_value(told):
        return False
    return ours.end <= theirs.start or theirs.end <= ours.start


def _is_value(event: Event) -> bool:
    return event.facet is not None and event.occurs is not None and event.occurs.words in event.facet.value


def _why(event: Event, run: Run) -> str:
    if event.act is Act.RESTORE:
        return "goes back to an earlier value"
    if event.act is Act.ADOPT:
        return "adopts another value"
    if run.spoken_by(event.speaker):
        return "the same speaker gives another value"
    return "gives another value"


def _update(event: Event, told: Event, mode: UpdateMode, reason: str) -> Edge:
    return Edge(
        id=edge_id(EdgeType.UPDATES, event.id, told.id),
        type=EdgeType.UPDATES,
        mode=mode,
        source=event.id,
        target=told.id,
        confidence=_CONFIDENCE[max(Match.LOOSE, bearing(event, told, explained=True))],
        reason=reason,
        owner=event.id,
    )


def _dispute(event: Event, told: Event) -> Edge:
    first, second = sorted((event.id, told.id))
    return Edge(
        id=edge_id(EdgeType.CONTRADICTS, event.id, told.id),
        type=EdgeType.CONTRADICTS,
        mode=None,
        source=first,
        target=second,
        confidence=_DISPUTE,
        reason="two speakers give one attribute different values",
        owner=event.id,
    )
