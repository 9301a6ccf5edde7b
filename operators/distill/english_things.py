"""What an English noun phrase names, as an entity."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from operators.distill import english_words as words
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_phrases import AUXILIARIES, Phrase
from operators.distill.english_verbs import lemma

SPLIT_MARKS = frozenset((",", ";", ":", ".", "!", "?", "-", "–", "—", "(", ")", "/"))


VAGUE_HEADS = frozenset(
    "time moment way case fact lot bit course thing things something anything nothing one ones order favor "
    "favour mind hand touch advance addition general particular total least first last future past end "
    "beginning day now all slot slots opening".split()
)


def entity_of(about: Phrase | None) -> str:
    """A noun phrase as an entity: its owner is part of it ("my" is resolved by whoever knows the speaker)."""
    if about is None:
        return ""
    first, _, rest = about.text.partition(" ")
    if about.owner in words.POSSESSIVES:
        renewed = rest and about.head in words.KIND_NOUNS and first.casefold() in words.NEWNESS
        return f"{about.owner} {rest if renewed else about.text}"  # "your new total" is your total
    if first.casefold() in _ANOTHER:  # "other therapists" are therapists
        return rest if rest.casefold() not in _ANY_KIND else ""
    return about.text if about.text.casefold() not in _ANY_KIND else ""


_ANOTHER = frozenset("other another different more new else further additional some any".split())
_ANY_KIND = frozenset(
    "alternatives alternative options option choices choice something anything else something-else".split()
) | {"something else", "anything else", "something different"}
"""Words for what is looked for that do not say what it is."""


def names(token: Token) -> bool:
    return token.value is not None and token.value.kind in OPEN_KINDS


def nominal(about: Phrase | None, subject: bool = False) -> bool:
    """Whether the phrase names a thing: no pronoun, no bare gerund ("paying €70,000"). As the `subject` of a
    clause a bare word that is a verb elsewhere is a noun ("rent is 2k")."""
    if about is None or about.head in words.PRONOUNS:
        return False
    if deed(about, subject) or (_bare(about) and about.head in _OPENNESS):
        return False
    return about.head not in VAGUE_HEADS


def deed(about: Phrase, subject: bool = False) -> bool:
    """Whether the phrase is a verb by itself ("leaving on Friday"), and names nothing."""
    base = lemma(about.head)
    done = about.head in words.GOINGS or (about.start == 0 and base != "")
    return _bare(about) and done and not (subject and base == about.head)


def _bare(about: Phrase) -> bool:
    return not about.determined and not about.owner and not about.modifiers


_OPENNESS = words.FEELINGS | frozenset("available free open possible due off away".split())


def opens(token: Token) -> bool:
    if token.text == "A" or (len(token.text) == 1 and token.text.isupper() and token.text != "I"):
        return True
    return token.value is None and token.low.isalpha() and token.low not in AUXILIARIES and not (
        token.low in words.PREPOSITIONS or token.low in words.CONJUNCTIONS or token.low in words.PRONOUNS
        or token.low in words.ADVERBS or token.low in words.POSSESSIVES or token.low in words.DETERMINERS
        or token.low in words.WH_WORDS
    )  # fmt: skip
