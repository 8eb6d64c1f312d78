"""Meshes, polyhedra, hulls, rays, distances, samples, contact."""

from ._core.geometry import *  # noqa: F401,F403
