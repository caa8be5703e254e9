"""How often a changed copy of an image is nearest, or among the ten nearest, by what pictures look like alone.

    python scripts/measure_images.py captions.jsonl images.tar.gz

For several sets of views of the stored and of the asked picture: E10's image half without store, words or ranking.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from bench.copies import COPIES, copies_of
from bench.multimodal import load

from engramforge.spaces.multimodal.decode import decode
from engramforge.spaces.multimodal.features import ASKED_VIEWS, STORED_VIEWS, View, features

WHOLE: View = (0.0, 0.0, 1.0, 1.0)
VARIANTS: dict[str, tuple[tuple[View, ...], tuple[View, ...]]] = {
    "the whole alone": ((WHOLE,), (WHOLE,)),
    "stored with middles": (STORED_VIEWS[:5], (WHOLE,)),
    "stored with middles, asked with one": (STORED_VIEWS[:5], ASKED_VIEWS),
    "and with corners": (STORED_VIEWS, ASKED_VIEWS),
}


def main(paths: list[Path]) -> None:
    """Print a Markdown table: first rank / among the first ten, by kind of change and for the hardest copy."""
    images = load(paths)
    copies = [copies_of(image.content) for image in images]
    print("| views | " + " | ".join(COPIES) + " | cropped by 25 % | a corner by 20 % | ms a stored image |")
    print("|---|" + "---|" * (len(COPIES) + 3))
    for name, (stored, asked) in VARIANTS.items():
        began = time.perf_counter()
        held = np.stack([features(decode(image.content), stored) for image in images])
        cost = (time.perf_counter() - began) / len(images) * 1_000
        ranks = {
            (kind, copy): _ranks(held, [each[kind][copy] for each in copies], asked)
            for kind, names in COPIES.items()
            for copy in names
        }
        cells = [
            _cell(np.concatenate([rank for (of, _), rank in ranks.items() if of == kind])) for kind in COPIES
        ]
        hardest = [_cell(ranks["cropped", copy]) for copy in ("by_25", "corner_by_20")]
        print(f"| {name} | " + " | ".join([*cells, *hardest]) + f" | {cost:.1f} |")


def _ranks(held: np.ndarray, contents: list[bytes], views: tuple[View, ...]) -> np.ndarray:
    """How many stored images are nearer than the right one; those that show nothing are behind all."""
    asked = np.stack([features(decode(content), views) for content in contents])
    scores = asked @ held.T
    nearer = (scores > np.diagonal(scores)[:, None]).sum(1)
    return np.where(asked.any(1), nearer, len(held))


def _cell(ranks: np.ndarray) -> str:
    return f"{(ranks < 1).mean():.3f} / {(ranks < 10).mean():.3f}"


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
