"""Conflicts on the command line and over MCP: what a person and a model are told, and what they can do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.faces.conftest import Asked

