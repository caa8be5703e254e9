"""E10: pictures by what they look like, and by what is said of them.

bytes -> decode (safe, small) -> features (shape, light, colour) -> row 0;  caption -> words -> row 1
"""

from engramforge.spaces.multimodal.decode import decode, media_type_of, shrink, svg_text, unreadable
from engramforge.spaces.multimodal.picture_encoder import MultimodalEncoder

__all__ = ["MultimodalEncoder", "decode", "media_type_of", "shrink", "svg_text", "unreadable"]
