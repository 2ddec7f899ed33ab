# Written from _async/pages.py by `npm run dumps`: do not edit.
"""Lists of the API: the query for a filter, and an iterator over all pages."""

from datetime import datetime
from typing import Any, Iterator, Dict, List, Mapping, NamedTuple, Optional, cast
from urllib.parse import parse_qs, urlsplit

from .._times import iso_of, microseconds_of, text_of
from ..errors import SanadError
from .calls import Caller

# How many ids are remembered at most.
_MOST_REMEMBERED = 100_000
# A row gets its time when the service begins to write it, and can be read when that is done: a little later, when it had to wait for a
# lock. So it can appear before rows that were read already, and each request in ascending order begins this much earlier than the last
# row. Lock waits of the service end after 10 s at most.
_LATENESS_US = 10_000_000
_SORTABLE = ("created_at", "verified_at", "payable_amount", "amount", "status")


class _Reached(NamedTuple):
    """The time of the first row, and of the row that is furthest in the order."""

    first: int
    last: int
    text: str


class _Seen(NamedTuple):
    """When the row was created, and the pass that read it last."""

    at: int
    in_pass: int


def query_of(filter: Mapping[str, Any]) -> Dict[str, str]:
    return {name: _text(value) for name, value in filter.items() if value is not None}


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return iso_of(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(one) for one in value)
    return str(value)


def every(caller: Caller, path: str, filter: Mapping[str, Any], by_time: bool) -> Iterator[Any]:
    """Everything that the filter finds, page after page. `by_time`: the list has filters of time.

    In the order of creation each request begins at the time of the last row, not at a page number. So a row that could be read when the
    list began, and that stays in the filter, is returned, and none is returned twice, whatever is added or changed meanwhile. In any
    other order rows are requested by page number, and a row that moves between pages is returned once; one that moves to an earlier page
    can be missed.
    """
    bound = _time_bound(filter.get("ordering")) if by_time else None
    query = query_of(filter)
    # The bound that the caller set: rows beyond it are not wanted.
    own_bound = None if bound is None else query.get(bound)
    # Whether a row can leave the filter while the list is read.
    can_leave = any(name in query for name in ("status", "reference", "search"))
    # The ids that can come again.
    returned: Dict[str, _Seen] = {}
    reached: Optional[_Reached] = None
    # The requests of one pass have the same bound, and pages that follow each other.
    current = 1
    is_first = True
    while True:
        try:
            page = (caller.call("GET", path, params=query)).body
        except SanadError as fault:
            # There are fewer rows than before: the last page no longer exists.
            if not is_first and fault.status == 404:
                return
            raise
        is_first = False
        earlier = None if reached is None else reached.last
        has_moved = False
        for row in page["results"]:
            at = microseconds_of(row["created_at"])
            known = returned.get(row["id"])
            returned[row["id"]] = _Seen(at, current)
            has_moved = has_moved or (known is not None and known.in_pass == current)
            if known is not None:
                continue
            if reached is None:
                reached = _Reached(at, at, row["created_at"])
            elif at > reached.last if bound == "created_after" else at < reached.last:
                # A row that appears late does not lead back.
                reached = _Reached(reached.first, at, row["created_at"])
            yield row
        has_advanced = (None if reached is None else reached.last) != earlier
        following: List[Optional[str]] = []
        if bound is not None and reached is not None:
            bounds = _bounds_after(bound, reached, own_bound, has_advanced, can_leave)
            following = [one for one in bounds if one != query.get(bound)]
        if bound is not None and has_moved:
            # A row of an earlier page has moved to this one: another has appeared before it.
            query.pop("page", None)
            current += 1
        elif page["next"] is None:
            return
        elif bound is not None and following:
            if following[0] is None:
                query.pop(bound, None)
            else:
                query[bound] = following[0]
            query.pop("page", None)
            current += 1
        else:
            # More rows of one bound than a page has, or another order.
            query["page"] = parse_qs(urlsplit(cast(str, page["next"])).query).get("page", ["1"])[0]
        start = None if bound is None else query.get(bound)
        if start is not None and start != own_bound and reached is not None:
            returned = _without_past(returned, reached, bound, microseconds_of(start))
        if len(returned) > _MOST_REMEMBERED:
            returned = dict(list(returned.items())[-_MOST_REMEMBERED // 2 :])


def _bounds_after(
    bound: str, reached: _Reached, own_bound: Optional[str], has_advanced: bool, can_leave: bool
) -> List[Optional[str]]:
    """The bounds with which the list can continue, the best first. Rows that leave the filter move others to an earlier page: where that
    can be, pages are not counted, but the list goes on exactly at the last row. Of the last 10 s only the first page is read again then.
    """
    if bound == "created_before":
        return [reached.text]
    start = reached.last - _LATENESS_US
    earlier = own_bound if start <= reached.first else text_of(start)
    return [*([earlier] if has_advanced else []), *([reached.text] if can_leave else [])]


def _without_past(
    returned: Dict[str, _Seen], reached: _Reached, bound: Optional[str], start: int
) -> Dict[str, _Seen]:
    """Without the ids that no later request returns: those before every later bound."""
    earliest = min(start, reached.last - _LATENESS_US)
    if bound == "created_after":
        if reached.last - _LATENESS_US <= reached.first:
            return returned
        return {id: seen for id, seen in returned.items() if seen.at >= earliest}
    return {id: seen for id, seen in returned.items() if seen.at <= reached.last}


def _time_bound(ordering: object) -> Optional[str]:
    """The filter that continues a list in the order of creation; None in another order. As in the service, names that it does not know
    are ignored.
    """
    names = _text(ordering).split(",") if ordering is not None else []
    for name in (one.strip() for one in names):
        if name.lstrip("-") in _SORTABLE:
            return {"-created_at": "created_before", "created_at": "created_after"}.get(name)
    return "created_before"
