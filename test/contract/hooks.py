"""Keeps the generated requests where they tell something: in loaded territories, and without contradictions.

A valid request here is more than its schema can say: a cursor is one the service gave, a window has a beginning before
its end, a radius has a point. Requests that are meant to be valid are made so; those meant to be wrong stay as they are.
"""

import os

import schemathesis

TERRITORIES = os.environ["CONTRACT_TERRITORIES"].split(",")
PHARMACIES = [pair.split("|") for pair in os.environ["CONTRACT_PHARMACIES"].split(",")]
EVERY_TERRITORY = os.environ.get("CONTRACT_EVERY_TERRITORY") == "1"


def is_meant_valid(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


def a_number(case):
    return sum(str(sorted((case.query or {}).items())).encode()) + sum(
        str(sorted((case.path_parameters or {}).items())).encode()
    )


@schemathesis.hook
def before_call(context, case, kwargs):
    if not is_meant_valid(case):
        return
    path = case.path_parameters or {}
    number = a_number(case)
    # One in five keeps what was generated: mostly a territory nobody has loaded.
    if "territory_code" in path and number % 5 != 0:
        path["territory_code"] = TERRITORIES[number % len(TERRITORIES)]
        if "external_id" in path:
            path["territory_code"], path["external_id"] = PHARMACIES[number % len(PHARMACIES)]
    query = case.query or {}
    # Only the cursor of changes can be made up; the others are a text this service gave before.
    if not case.operation.path.endswith("/changes"):
        query.pop("cursor", None)
    make_valid(query, number)


def make_valid(query, number):
    for name in ("from", "to", "as_of", "days"):
        query.pop(name, None) if number % 3 or name == "as_of" else None
    if "from" in query and "to" in query:
        query["from"], query["to"] = "2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"
    elif "from" in query:
        query["from"] = "2024-05-06T07:08:09.123456Z"
    for name in ("since", "to"):
        if name in query:
            query[name] = "2025-01-31T00:00Z" if number % 2 else "2025-01-31T00:00:00+00:00"
    if "interval" in query:
        for name in ("from", "to", "days"):
            query.pop(name, None)
    if "time_zone" in query:
        query["time_zone"] = ["Europe/Madrid", "UTC", "America/Lima"][number % 3]
        query.setdefault("interval", "week")
    make_points_whole(query)
    for name in ("q", "city", "province", "old_city", "new_city", "old_province", "new_province"):
        if name in query and not str(query[name]).strip():
            query[name] = "Soria"


def make_points_whole(query):
    points = [name[: -len("_latitude")] for name in query if name.endswith("_latitude")]
    points += [name[: -len("_longitude")] for name in query if name.endswith("_longitude")]
    for point in points:
        query.setdefault(f"{point}_latitude", 40.4)
        query.setdefault(f"{point}_longitude", -3.7)
    for name in list(query):
        if name.endswith(("_latitude", "_longitude")) or name == "radius_meters":
            # Written without an exponent, as the service asks.
            query[name] = f"{float(query[name]):.6f}"
    if points and float(query.get("radius_meters", 0)) <= 0:
        query["radius_meters"] = "5000"
    if not points:
        query.pop("radius_meters", None)


@schemathesis.check
def unavailable_only_when_not_loaded(ctx, response, case):
    """A key for all territories may be told that one is not loaded; that is the only 503, and there is no other 5xx."""
    if response.status_code < 500:
        return
    code = response.json().get("code")
    assert EVERY_TERRITORY and response.status_code == 503 and code == "territory_not_loaded", (
        f"{response.status_code} {code}"
    )


@schemathesis.check
def says_nothing_of_the_engine(ctx, response, case):
    if response.status_code >= 400:
        text = response.text.lower()
        for word in ("elastic", "lucene", "_exception", "search_after", "shard", "stack"):
            assert word not in text, f"the answer says {word}"
