"""Rigid-body physics of a scene."""

from ._core.simulate import *  # noqa: F401,F403
