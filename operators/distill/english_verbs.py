"""Base forms of frequent English verbs."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from functools import lru_cache

from operators.distill import english_words as words

_LIKELY_VERBS = (
    words.CHANGE_VERBS
    | words.WITHDRAW_VERBS
    | words.REMOVE_VERBS
    | words.REVIVE_VERBS
    | words.ADD_VERBS
    | words.KEEP_VERBS
    | words.WANT_VERBS
    | words.SEEK_VERBS
    | words.LIKE_VERBS
)
IRREGULAR = dict(
    pair.split(":")
    for pair in (
        "made:make took:take taken:take went:go gone:go got:get gotten:get bought:buy found:find "
        "left:leave kept:keep brought:bring chose:choose chosen:choose sent:send gave:give given:give "
        "paid:pay met:meet ate:eat eaten:eat began:begin flew:fly saw:see wrote:write told:tell did:do "
        "done:do had:have has:have came:come let:let drew:withdraw withdrew:withdraw withdrawn:withdraw "
        "undone:undo thought:think said:say moving:move making:make"
    ).split()
)
"""Past forms and participles that no ending tells, to their base forms."""


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """The base form of a frequent verb, or the empty text if `word` is not seen to be one."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word in _LIKELY_VERBS:
        return word
    for ending, repair in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ied", "y"),
        ("ed", ""),
        ("d", ""),
        ("ing", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) > 1:
            stem = word[: len(word) - len(ending)] + repair
            doubled = stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem
            for form in (stem, stem + "e", doubled):
                if form in _LIKELY_VERBS:
                    return form
    return ""
