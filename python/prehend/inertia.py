"""What does it weigh, and where is its mass?"""

from ._core.inertia import *  # noqa: F401,F403
from ._core.inertia import plan_excitation

excite = plan_excitation  # as the command line calls it
