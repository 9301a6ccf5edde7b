"""What a question raises about a subject that is not there. Apart, since who tells of it needs no more."""


class UnknownSubject(LookupError):
    """Nothing was ever said by or about the subject in its tenant."""
