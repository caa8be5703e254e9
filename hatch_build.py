"""Put the static model's two files into the wheel, from the package wordllama of the build environment."""

from importlib.metadata import distribution
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "engramforge/spaces/words/l2_supercat"
FILES = (
    "weights/l2_supercat_256.safetensors",
    "tokenizers/l2_supercat_tokenizer_config.json",
)


class StaticModelHook(BuildHookInterface[Any]):
    """Adds the files to a wheel; an editable install reads them from the package itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before a wheel is built."""
        if version == "editable":
            return
        package = distribution("wordllama")
        licences = [file for file in package.files or () if file.name.startswith("LICENSE")]
        found = {f"{FOLDER}/{name}": package.locate_file(f"wordllama/{name}") for name in FILES}
        found |= {f"{FOLDER}/{file.name}": package.locate_file(file) for file in licences}
        build_data["force_include"].update({str(source): target for target, source in found.items()})
