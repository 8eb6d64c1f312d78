"""Ropes, their codes, names, moves, drawings and plans."""

from ._core.knot import *  # noqa: F401,F403
