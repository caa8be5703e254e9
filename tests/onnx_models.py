"""Small ONNX models with a real tokenizer, built here: dense, SPLADE, ColBERT, and text and pictures like CLIP.

They are real graphs that fastembed loads from a folder, with weights that make sense: words of one concept share a
vector, so that "car" is near to "automobile" without a letter in common, and a red picture is near to the word "red".
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ("[PAD]", "[unused0]", "[unused1]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PUNCTUATION = tuple("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
CONCEPTS = (
    ("car", "automobile", "vehicle"),
    ("doctor", "physician"),
    ("happy", "glad", "joyful"),
    ("house", "home", "dwelling"),
    ("boat", "ship", "vessel"),
    ("dog", "hound"),
    ("bread", "loaf"),
    ("sleep", "slumber"),
    ("red", "crimson"),
    ("green", "emerald"),
    ("blue", "azure"),
    ("money", "cash"),
)
FILLERS = ("the", "a", "an", "is", "was", "in", "of", "and", "to", "i", "my", "who", "what", "where", "about")
WORDS = tuple(word for concept in CONCEPTS for word in concept)
VOCABULARY = (*SPECIAL, *PUNCTUATION, *WORDS, *FILLERS)
_COLOURS = {"red": 0, "crimson": 0, "green": 1, "emerald": 1, "blue": 2, "azure": 2}


def write_tokenizer(folder: Path, longest: int = 64, *, joins: bool = False) -> None:
    """tokenizer.json and what fastembed reads beside it. `joins`: whether it puts something between two texts."""
    folder.mkdir(parents=True, exist_ok=True)
    ids = {token: place for place, token in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1" if joins else "$A $B:1",
        special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])],
    )
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.save(str(folder / "tokenizer.json"))
    said = {"model_max_length": longest, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(said))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": ids["[PAD]"]}))
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "mask_token": "[MASK]"}
    (folder / "special_tokens_map.json").write_text(json.dumps(names))


def word_vectors(size: int, seed: int = 7) -> np.ndarray:
    """float32, shape (vocabulary, size): unit vectors by concept, fillers small, special tokens zero."""
    random = np.random.default_rng(seed)
    table = np.zeros((len(VOCABULARY), size), np.float32)
    for concept in CONCEPTS:
        vector = random.normal(size=size)
        for word in concept:
            own = vector + 0.15 * random.normal(size=size)
            table[VOCABULARY.index(word)] = own / np.linalg.norm(own)
    for filler in FILLERS:
        own = random.normal(size=size)
        table[VOCABULARY.index(filler)] = 0.05 * own / np.linalg.norm(own)
    return table


def build_dense(folder: Path, size: int = 48, *, pooled: bool = False, seed: int = 7) -> Path:
    """A model of one vector for a text: the mean of its words'; `pooled`: the graph takes the mean itself."""
    write_tokenizer(folder)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    shape: list[int | str] = ["batch", "words", size]
    output = "last_hidden_state"
    if pooled:
        nodes.append(
            helper.make_node("ReduceMean", ["last_hidden_state", "axes"], ["sentence_embedding"], keepdims=0)
        )
        output, shape = "sentence_embedding", ["batch", size]
    _save(folder / "model.onnx", nodes, word_vectors(size, seed), output, shape, axes=[1])
    return folder


def build_colbert(folder: Path, size: int = 32) -> Path:
    """A vector for each token."""
    write_tokenizer(folder)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["contextual"])]
    _save(folder / "model.onnx", nodes, word_vectors(size), "contextual", ["batch", "words", size])
    return folder


def build_splade(folder: Path) -> Path:
    """Logits over the vocabulary: each word activates itself and, less, the others of its concept."""
    write_tokenizer(folder)
    table = np.full((len(VOCABULARY), len(VOCABULARY)), -1.0, np.float32)
    for concept in CONCEPTS:
        for word in concept:
            for other in concept:
                place = VOCABULARY.index(word), VOCABULARY.index(other)
                table[place] = 6.0 if word == other else 2.5
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["logits"])]
    _save(folder / "model.onnx", nodes, table, "logits", ["batch", "words", len(VOCABULARY)])
    return folder


def build_clip(folder: Path, size: int = 24, *, vision_size: int | None = None) -> Path:
    """Folders text and vision: words of colours and pictures of that colour get one vector."""
    colours = np.eye(3, size, dtype=np.float32)
    text = folder / "text"
    write_tokenizer(text)
    table = 0.05 * word_vectors(size)
    for word, place in _COLOURS.items():
        table[VOCABULARY.index(word)] = colours[place]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("ReduceSum", ["each", "axes"], ["text_embeds"], keepdims=0),
    ]
    _save(text / "model.onnx", nodes, table, "text_embeds", ["batch", size], axes=[1])
    vision = folder / "vision"
    vision.mkdir(parents=True)
    wide = np.eye(3, vision_size or size, dtype=np.float32)
    nodes = [
        helper.make_node("ReduceMean", ["pixel_values", "axes"], ["mean"], keepdims=0),
        helper.make_node("MatMul", ["mean", "table"], ["image_embeds"]),
    ]
    pixels = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["batch", 3, 8, 8])
    shape = ["batch", vision_size or size]
    _save(vision / "model.onnx", nodes, wide, "image_embeds", shape, axes=[2, 3], inputs=[pixels])
    prepared = {
        "image_processor_type": "CLIPImageProcessor",
        "do_resize": True,
        "size": {"shortest_edge": 8},
        "do_center_crop": True,
        "crop_size": {"height": 8, "width": 8},
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [0.0, 0.0, 0.0],
        "image_std": [1.0, 1.0, 1.0],
    }
    (vision / "preprocessor_config.json").write_text(json.dumps(prepared))
    return folder


def build_entailment(folder: Path, *, says: bool = True) -> Path:
    """A judge of pairs: green speaks for a contradiction, blue for an entailment, all else for neither."""
    write_tokenizer(folder)
    table = np.zeros((len(VOCABULARY), 3), np.float32)
    table[:, 1] = 0.1
    table[VOCABULARY.index("green"), 0] = 8.0
    table[VOCABULARY.index("blue"), 2] = 8.0
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("ReduceSum", ["each", "axes"], ["logits"], keepdims=0),
    ]
    _save(folder / "model.onnx", nodes, table, "logits", ["batch", 3], axes=[1])
    labels = {"0": "CONTRADICTION", "1": "neutral", "2": "entailment"}
    (folder / "config.json").write_text(json.dumps({"id2label": labels} if says else {}))
    return folder


def build_cross_encoder(folder: Path, classes: int = 1, *, joins: bool = True, endless: bool = False) -> Path:
    """A reader of pairs: its logit, that of the last class, is how many words of the vocabulary both texts have.

    `endless`: it counts for hours.
    """
    write_tokenizer(folder, joins=joins)
    table = np.diag([0.0] * len(SPECIAL) + [1.0] * (len(VOCABULARY) - len(SPECIAL)))
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Einsum", ["words"], ["both"], equation="bwv->bv"),
        helper.make_node("Einsum", ["second", "words"], ["text"], equation="bw,bwv->bv"),
        helper.make_node("Sub", ["both", "text"], ["question"]),
        helper.make_node("Einsum", ["question", "text", "last"], ["counted"], equation="bv,bv,c->bc"),
        helper.make_node("Loop", ["turns", "", "counted"], ["logits"], body=_turn()),
    ]
    last = np.array([0.0] * (classes - 1) + [1.0], np.float32)
    turns = np.array(1 << 40 if endless else 1, np.int64)
    given = {"last": last, "turns": turns}
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "words"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    _save(folder / "model.onnx", nodes, table, "logits", ["batch", classes], inputs=inputs, given=given)
    return folder


def _turn() -> onnx.GraphProto:
    """The body of a loop that changes nothing."""
    scalars = (("turn", TensorProto.INT64), ("goes_on", TensorProto.BOOL))
    kept, same = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("kept", "same"))
    taken = [*(helper.make_tensor_value_info(name, kind, []) for name, kind in scalars), kept]
    given = [helper.make_tensor_value_info("still", TensorProto.BOOL, []), same]
    pairs = (("goes_on", "still"), ("kept", "same"))
    nodes = [helper.make_node("Identity", [one], [other]) for one, other in pairs]
    return helper.make_graph(nodes, "turn", taken, given)


def _save(
    path: Path,
    nodes: list[onnx.NodeProto],
    table: np.ndarray,
    output: str,
    shape: list[int | str],
    axes: list[int] | None = None,
    inputs: list[onnx.ValueInfoProto] | None = None,
    given: dict[str, np.ndarray] | None = None,
) -> None:
    texts = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "words"])
        for name in ("input_ids", "attention_mask")
    ]
    constants = [numpy_helper.from_array(table.astype(np.float32), "table")]
    constants += [numpy_helper.from_array(value, name) for name, value in (given or {}).items()]
    if axes is not None:
        constants.append(numpy_helper.from_array(np.array(axes, np.int64), "axes"))
    graph = helper.make_graph(
        nodes,
        "model",
        inputs or texts,
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        constants,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(made)
    onnx.save(made, str(path))
