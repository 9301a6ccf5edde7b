"""What a Chinese clause claims: (entity, attribute, value) in the text's words.

A clause is a topic and a value, joined by 是, by a verb that says where or by whom, or by nothing at all
("日志保留30天"). A comma list goes on with the topic of its first member, so the topic is handed from clause
to clause.
"""

import re

from operators.distill.chinese_acts import Deed
from operators.distill.chinese_attributes import names_attribute, split_topic
from operators.distill.chinese_changes import deed_says
from operators.distill.chinese_goods import wanting
from operators.distill.chinese_moods import PARTICLES
from operators.distill.chinese_pairs import beside, happened, juxtaposed
from operators.distill.chinese_people import by_whom, liking, taking, working
from operators.distill.chinese_predicates import ONCE, OTHERWISE, STATE_NAMES, THING_STATES, predicate_of
from operators.distill.chinese_things import naming, placing, using
from operators.distill.chinese_topics import DENIED, Said, claim_of, implied_by_form
from operators.distill.chinese_values import VALUE, attribute_of
from operators.distill.clause import Claim
from state.model import Act


def claims_of(body: str, deed: Deed, topic: str, asserted: bool) -> Said:
    """What `body` (a clause without its connective) claims, with `topic` for a clause that names none.

    `asserted`: the clause states something, so a predicate without a value in the open counts too.
    """
    text = body.rstrip(PARTICLES + "!！。.~～ ")
    if text.endswith("不") and len(text) < len(body):
        text += "了"
    if deed.unchanged:
        about = deed.left.rstrip("的")
        if not about or split_topic(about)[1]:
            return Said(topic=topic)
        return Said((Claim(about, "", ""),), topic=about)
    if deed.act is not Act.STATE:
        return deed_says(text, deed, topic)
    said = _headed(text, topic) or _stating(text, topic)
    if said is not None:
        return said
    return _predicating(text, topic) if asserted else Said(topic=topic)


def offered(body: str, topic: str) -> Said:
    """The value that an offer puts forward: "周三晚上7点还有空位"."""
    found = VALUE.search(body)
    if found is None:
        return Said(topic=topic)
    return Said((Claim(topic, attribute_of(found), found.group()),), topic=topic)


def _stating(text: str, topic: str) -> Said | None:
    """The first reading that a clause without a change allows."""
    text = re.sub(r"^今年(?=\d+岁)", "", text)
    if _ADVERBIAL.match(text):
        given = VALUE.search(text)
        return Said((Claim(topic, attribute_of(given), given.group()),) if given else (), topic=topic)
    for reader in _READERS:
        said = reader(text, topic)
        if said is not None:
            return said
    return None


_ADVERBIAL = re.compile(r"^(?:按照?|根据|依照|关于|至于|对于|除了|随着|经过|通过|为了).{1,40}$")


_COLON = re.compile(r"^(?P<left>[^:：]{1,30})[:：]\s*(?P<value>.+)$")


def _headed(text: str, topic: str) -> Said | None:
    """ "收货人：李明" names an attribute; "“银杏”小组：周会用大会议室" announces what it is about."""
    found = _COLON.match(text)
    if found is None or (found["value"][0].isdigit() and found["left"][-1].isdigit()):
        return None
    left, value = found["left"].strip(), found["value"]
    if not split_topic(left)[1]:
        said = _stating(value, left)
        if said is not None and said.claims:
            return said
    return claim_of(left, value, topic)


def _predicating(text: str, topic: str) -> Said:
    found = predicate_of(text)
    if found is None:
        return Said(topic=topic)
    entity = found.subject or topic
    negated = DENIED.match(found.value) is not None
    attribute = found.attribute or implied_by_form(found.value)
    if (names_attribute(entity) and entity != topic) or (
        not attribute and (found.subject or len(found.value) > 10)
    ):
        return Said(topic=topic, negated=negated)
    follows = "" if attribute == OTHERWISE and entity in ("你", "您", "我") else entity
    return Said(
        (
            Claim(
                entity,
                attribute,
                found.value,
                many=attribute == found.attribute and attribute not in STATE_NAMES and attribute not in ONCE,
            ),
        ),
        negated=negated,
        topic=follows,
        loose=True,
        thing=attribute in THING_STATES,
    )


_READERS = (wanting, working, by_whom, liking, happened, naming, using, placing, taking, beside, juxtaposed)
