"""Precedence: updates before what they update, replies before the requests that they answer.

Both lift a memory just above another whatever their sums are, because what is asked for is not what is like the
question: an older statement often has more of its words, and a request has nearly all of them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.similarity.cosine_scale import AS_THEY_ARE, CosineScale

Floats = NDArray[np.float32]

UPDATE_HITS: Final = 10
UPDATE_SESSIONS: Final = 5
UPDATE_FLOOR: Final = 2.0
UPDATE_FLOOR_OF_EVENTS: Final = 5.0
UPDATE_MARGIN: Final = 0.73
UPDATE_COSINE: Final = 4.7
UPDATE_COVER: Final = 2.6
UPDATE_GAP: Final = 0.7
"""How far below an older memory an update of it may stand, in log-odds: a memory that tells what is new about the same
matter answers about as well."""
UPDATE_GAP_OF_OWN: Final = 4.0
UPDATE_GAP_OF_STATE: Final = 9.0
"""The same where the one who asks said both, since what one tells of oneself changes more often than what others say;
and where they ask for how things stand now."""
MARGIN_MOST: Final = 4.0
REPLY_HITS: Final = 10
REPLY_PLACES: Final = 8
REPLY_GAP: Final = 2.0
"""Among how many of the best hits a request is looked for, how many places after it a reply may stand, and how far
below it in log-odds."""
_STEP: Final = 1e-3


def update_gains(
    total: Floats,
    session: NDArray[np.int64],
    moment: NDArray[np.int64],
    vectors: NDArray[np.int8],
    soft: Floats,
    weights: Floats,
    is_event: bool = False,
    is_state: bool = False,
    project: NDArray[np.int64] | None = None,
    is_said: NDArray[np.bool_] | None = None,
    is_own: NDArray[np.bool_] | None = None,
    scale: CosineScale = AS_THEY_ARE,
) -> Floats:
    """The gains that lift a newer memory just above an older one about the same matter; log-odds, shape (n,).

    Of the first sessions' best hits, a newer one counts as an update of an older one above it when the two resemble
    each other, cover the same asked words and stand out together from the other hits.

    Parameters
    ----------
    total : float32, shape (n,): log-odds.
    session, moment : int64, shape (n,): key of the session, and valid time.
    vectors : int8, shape (n, dim).
    soft, weights : float32 (q, n) and (q,): cover of the query words.
    is_event : whether the question is about something that happened: a pair then has to be more similar.
    is_state : whether it asks for how things stand: what the one who asks said last then counts for more.
    project : int64, shape (n,): updates stay within a project; None puts all into one.
    is_said : bool, shape (n,): which memories can update or be updated; None for all. A piece of a file cannot: its
        time is that of the whole file, and the parts of a text belong side by side.
    is_own : bool, shape (n,): what the one who asks said; None for all.
    scale : of the cosines of `vectors`.
    """
    floor = UPDATE_FLOOR_OF_EVENTS if is_event else UPDATE_FLOOR
    gains = np.zeros(len(total), np.float32)
    best = np.lexsort((np.arange(len(total)), -total))
    if is_said is not None:
        best = best[is_said[best]]
    best = best[:UPDATE_HITS]
    heads = best[np.sort(distinct(session[best]).first)[:UPDATE_SESSIONS]]
    if len(heads) < 2:
        return gains
    kin = _kinship(total[heads].astype(np.float64), vectors[heads], soft[:, heads], weights, scale)
    if project is not None:
        kin = np.where(project[heads][:, None] == project[heads][None, :], kin, -np.inf)
    moments = moment[heads]
    level = total[heads].astype(np.float64)
    own = np.ones(len(heads), np.bool_) if is_own is None else is_own[heads]
    of_own = UPDATE_GAP_OF_STATE if is_state else UPDATE_GAP_OF_OWN
    gaps = np.where(own[:, None] & own[None, :], of_own, UPDATE_GAP)
    kin = np.where(level[:, None] - level[None, :] <= gaps, kin, -np.inf)
    for newer in range(1, len(heads)):
        updated = (moments[:newer] < moments[newer]) & (kin[:newer, newer] >= floor)
        if updated.any():
            level[newer] = max(level[newer], float(level[:newer][updated].max()) + _STEP)
    gains[heads] = (level - total[heads]).astype(np.float32)
    return gains


def _kinship(
    total: NDArray[np.float64], vectors: NDArray[np.int8], soft: Floats, weights: Floats, scale: CosineScale
) -> NDArray[np.float64]:
    """How much hit j (column), lower in the list than i (row), looks like an update of i; shape (h, h)."""
    count = len(total)
    shared = np.einsum("q,qij->ij", weights, np.minimum(soft[:, :, None], soft[:, None, :]))
    rows = vectors.astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    margins = np.full((count, count), MARGIN_MOST)
    levels = total.tolist()
    for i in range(count):
        for j in range(count):
            others = [level for place, level in enumerate(levels) if place not in (i, j)]
            if others:
                margins[i, j] = min(MARGIN_MOST, levels[j] - max(others))
    kin: NDArray[np.float64] = (
        UPDATE_MARGIN * margins + UPDATE_COSINE * scale.of(rows @ rows.T) + UPDATE_COVER * shared
    )
    return kin


def reply_gains(
    total: Floats,
    session: NDArray[np.int64],
    place: NDArray[np.int64],
    cover: Floats,
    is_request: NDArray[np.bool_],
    is_reply: NDArray[np.bool_],
) -> Floats:
    """The gains that lift a reply just above the request before it; log-odds, shape (n,).

    A model's reply counts as the answer if it says as much of the question as the request that it follows.

    Parameters
    ----------
    total : float32, shape (n,): log-odds.
    session, place : int64, shape (n,): key of the session, and how many of its memories stand before.
    cover : float32, shape (n,): share of the question's words that each says.
    is_request, is_reply : bool, shape (n,): turns in which somebody asks a model, and a model's own.

    >>> total, place = np.array([10.0, 9.0], np.float32), np.array([0, 1])
    >>> asks = np.array([True, False])
    >>> reply_gains(total, np.zeros(2, int), place, np.array([0.7, 0.8], np.float32), asks, ~asks).round(2)
    array([0., 1.], dtype=float32)
    """
    level = total.astype(np.float64)
    best = np.lexsort((np.arange(len(total)), -total))[:REPLY_HITS]
    for row in best[is_request[best]].tolist():
        after = place - place[row]
        replies = is_reply & (session == session[row]) & (after > 0) & (after <= REPLY_PLACES)
        replies &= (cover >= cover[row]) & (level < level[row]) & (level[row] - level <= REPLY_GAP)
        if replies.any():
            reply = int(np.argmax(np.where(replies, level, -np.inf)))
            level[reply] = level[row] + _STEP
    return (level - total).astype(np.float32)
