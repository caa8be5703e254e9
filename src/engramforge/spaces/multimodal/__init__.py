"""E10: pictures by their look and by their captions.

bytes -> decode (safe, small) -> features (shape, light, colour) -> row 0;  caption -> words -> row 1
"""

from engramforge.spaces.multimodal.decode import decode, media_type_of, shrink, svg_text, unreadable
from engramforge.spaces.multimodal.picture_encoder import MultimodalEncoder

__all__ = ["MultimodalEncoder", "decode", "media_type_of", "shrink", "svg_text", "unreadable"]
