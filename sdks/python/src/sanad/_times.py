"""Times of the API as microseconds since 1970, and back. Pure."""

from datetime import datetime, timedelta, timezone

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)


def microseconds_of(text: str) -> int:
    # Python 3.10 does not read "Z".
    at = datetime.fromisoformat(f"{text[:-1]}+00:00" if text.endswith("Z") else text)
    return (at - _EPOCH) // _MICROSECOND


def text_of(microseconds: int) -> str:
    return iso_of(_EPOCH + timedelta(microseconds=microseconds))


def iso_of(at: datetime) -> str:
    # A time without a zone is in the zone of this machine, as everywhere in Python.
    return at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
