"""What does it weigh, and where is its mass?"""

from ._core.inertia import *  # noqa: F401,F403
