"""Prehend: physical understanding for robots that handle things.

The rooms of the library are modules (`prehend.math`, `prehend.geometry`, `prehend.model`, `prehend.simulate`,
`prehend.inertia`, `prehend.parts`, `prehend.articulation`, `prehend.topology`, `prehend.stability`, `prehend.placement`, `prehend.observation`, `prehend.knot`, `prehend.assist`) with the names of the C++ library; what is used
most stands here as well. SI units
throughout; poses read X_AB, "B in A".

>>> import prehend
>>> scene = prehend.embedded_scene("scenes/stack.xml")
>>> prehend.settle(scene).status
'settled'
"""

from . import articulation, assist, geometry, inertia, knot, math, model, observation, parts, placement, simulate, stability, topology
from ._core import version as __version__
from ._errors import InputError, SimulationError
from ._map import map
from ._progress import show_progress
from .geometry import TriangleMesh, check_mesh, mass_properties, repair_mesh
from .articulation import discover, fit_joint, select_joint
from .inertia import MotionFilter, excite, identify, plan_excitation, streaming_estimator
from .knot import name_rope
from .math import Pose, SpatialInertia
from .model import (PoseLog, RopeLog, Scene, WrenchLog, embedded_file, find_scene_contacts, inspect_file, read_mesh, read_scene, read_scene_text,
                    write_mesh, write_mjcf, write_urdf)
from .parts import segment_cloud, segment_file, segment_mesh
from .simulate import Simulation, settle
from .placement import add_object, place
from .observation import execute, watch
from .stability import disassemble, forces, mend, robustness, robustness_map, transport


def embedded_scene(name: str) -> Scene:
    """One of the scenes that come with the library; `prehend.model.embedded_files()` lists them.

    >>> import prehend
    >>> len(prehend.embedded_scene("scenes/stack.xml").bodies)
    4
    """
    return read_scene_text(embedded_file(name), "mjcf", name)


__all__ = [
    "InputError", "add_object", "Pose", "Scene", "Simulation", "SimulationError", "SpatialInertia", "TriangleMesh", "__version__",
    "articulation", "assist", "check_mesh", "disassemble", "embedded_file", "embedded_scene", "find_scene_contacts", "forces", "geometry",
    "MotionFilter", "PoseLog", "RopeLog", "WrenchLog", "discover", "excite", "execute", "fit_joint", "name_rope", "plan_excitation", "select_joint", "streaming_estimator", "watch",
    "identify", "inertia", "inspect_file", "knot", "map", "mass_properties", "math", "mend", "model", "observation", "parts", "place", "placement", "read_mesh", "read_scene", "read_scene_text",
    "repair_mesh", "robustness", "robustness_map", "segment_cloud", "segment_file", "segment_mesh", "settle", "show_progress", "simulate", "stability", "topology", "transport", "write_mesh",
    "write_mjcf", "write_urdf",
]
