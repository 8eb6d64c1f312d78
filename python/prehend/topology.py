"""Which joints does it have, from poses and wrenches while hands move it?"""

from ._core.topology import *  # noqa: F401,F403
