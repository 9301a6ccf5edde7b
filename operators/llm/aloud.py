"""Takes out what a model thinks aloud before it answers (`<think>…</think>`)."""

import re

_OPENING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_WHOLE = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
# Some templates write the opening tag themselves, so that only the closing one is in the reply.
_UP_TO_CLOSING = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.IGNORECASE | re.DOTALL)
_LEADING = re.compile(r"\A(?:\s*<(think|thinking|reasoning)>.*?</\1>)+", re.IGNORECASE | re.DOTALL)
_TO_FIRST_CLOSING = re.compile(r"\A.*?</(?:think|thinking|reasoning)>", re.IGNORECASE | re.DOTALL)
_ANSWERS = ("{", "```")
_LONGEST_OPENING = len("<reasoning>")


def without_thinking(text: str) -> str:
    """What is said for others to read. Thoughts that were cut off take all that follows with them."""
    return _UP_TO_CLOSING.sub("", _WHOLE.sub("", text)).strip()


def answers_begun(text: str) -> list[str]:
    """What of the text begins as an answer in JSON once thoughts before it are left out, in either way of
    writing them. What looks like a thought further on is left in: it may be what someone said."""
    rests = [_LEADING.sub("", text).strip()]
    if not rests[0].startswith(_ANSWERS):
        rests.append(_TO_FIRST_CLOSING.sub("", text).strip())
    return [rest for rest in rests if rest.startswith(_ANSWERS)]


class Aloud:
    """The same for a text that comes in pieces: thoughts at its beginning are held back."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = ""
        """What ends the thought under way, if one is."""
        self._begun = False

    def take(self, piece: str) -> str:
        """What can be given of what came so far and was not given yet."""
        if self._begun:
            return piece
        self._held += piece
        while self._is_thought():
            pass
        said = self._held.lstrip()
        if self._thinking or not said or _may_open(said):
            return ""
        self._begun, self._held = True, ""
        return said

    def rest(self) -> str:
        """What was held back to the end of the text and is no thought."""
        rest = "" if self._begun or self._thinking else self._held.lstrip()
        self._begun, self._held = True, ""
        return rest

    def _is_thought(self) -> bool:
        """Drops what is known to be thought of what is held; whether a thought began or ended with it."""
        if not self._thinking:
            opening = _OPENING.match(self._held)
            if opening is None:
                return False
            self._thinking, self._held = f"</{opening[1]}>", self._held[opening.end() :]
            return True
        end = re.search(self._thinking, self._held, re.IGNORECASE)
        if end is None:
            self._held = self._held[1 - len(self._thinking) :]
            return False
        self._held, self._thinking = self._held[end.end() :], ""
        return True


def _may_open(said: str) -> bool:
    """Whether the text may turn out to begin with a thought."""
    return said[0] == "<" and len(said) < _LONGEST_OPENING and ">" not in said
