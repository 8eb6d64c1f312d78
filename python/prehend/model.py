"""Scenes, bodies, joints, meshes and recordings, and their files."""

from ._core.model import *  # noqa: F401,F403
