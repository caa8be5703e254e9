"""Whether a model can be reached, by the list of models that every such endpoint gives for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engramforge.errors import ModelUnavailable
from engramforge.llm.options import ModelOptions
from engramforge.llm.waiting import wait_for
from engramforge.model.language_models.reports import ModelReach
from engramforge.model.language_models.spec import ModelKind

if TYPE_CHECKING:
    import httpx2

_WAIT_S: Final = 5.0


def reached(options: ModelOptions) -> ModelReach:
    """Ask for the list once, for five seconds at most; no model is asked anything."""
    if options.lacks_key:
        return ModelReach(False, f"no key for {options.place} is set", "Set model_api_key")
    import httpx2

    from engramforge.llm.bounded import BoundedClient, TooLarge

    path = "/v1/models" if options.spec.kind is ModelKind.ANTHROPIC else "/models"
    wait_s = min(_WAIT_S, options.timeout_s)

    async def ask() -> httpx2.Response:
        async with BoundedClient(wait_s) as client:
            return await client.get(f"{options.address}{path}", headers=_headers(options))

    try:
        answer = wait_for(ask, wait_s, options.place)
    except TooLarge as error:
        return ModelReach(False, f"{options.place} cannot be asked: {error}", "Check model_base_url")
    except (httpx2.HTTPError, httpx2.InvalidURL, ModelUnavailable) as error:
        slow = isinstance(error, ModelUnavailable)
        told = f"within {wait_s:g} s" if slow else f"({type(error).__name__})"
        return ModelReach(
            False,
            f"{options.place} does not answer {told}",
            "Check the network and model_base_url, or start the server",
        )
    if answer.status_code in (401, 403):
        return ModelReach(
            False, f"{options.place} refused the key ({answer.status_code})", "Set model_api_key"
        )
    if answer.status_code != 200:
        return ModelReach(
            False, f"{options.place}{path} answered {answer.status_code}", "Check model_base_url"
        )
    return _listed(options, answer)


def _headers(options: ModelOptions) -> dict[str, str]:
    if options.api_key is None:
        return {}
    if options.spec.kind is ModelKind.ANTHROPIC:
        return {"x-api-key": options.api_key, "anthropic-version": "2023-06-01"}
    return {"Authorization": f"Bearer {options.api_key}"}


def _listed(options: ModelOptions, answer: httpx2.Response) -> ModelReach:
    """What the list says of the model; an endpoint may list aliases or pages only, so its absence is no fault."""
    try:
        said = answer.json()
        ids = {str(each["id"]) for each in said["data"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return ModelReach(True, f"{options.place} answers")
    name = options.spec.name
    if name in ids or f"models/{name}" in ids:
        return ModelReach(True, f"{options.place} answers and has {name}")
    return ModelReach(True, f"{options.place} answers; its list does not name {name}")
