"""What did the person assemble? How a body may move that touches another."""

from ._core.observation import *  # noqa: F401,F403
