"""Stub of langgraph.types."""

from dataclasses import dataclass
from typing import Any


@dataclass
class Command:
    resume: Any = None
    update: Any = None
    goto: Any = ()


@dataclass
class Interrupt:
    value: Any
    id: str
