"""Poses, rotations, twists and wrenches, inertia, seeded random numbers, small solvers."""

from ._core.math import *  # noqa: F401,F403
