"""How do its parts move? Parts and joints from tracked poses."""

from ._core.articulation import *  # noqa: F401,F403
