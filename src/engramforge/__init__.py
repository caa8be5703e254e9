"""engramforge: a persistent memory for LLM agents."""

__version__ = "0.1.0"
