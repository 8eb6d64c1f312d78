"""What a call from Python costs: small queries of the package, best of several rounds. Target: at most 5 us each.

    make bench            or  PYTHONPATH=build/release/python python bench/python_call.py
"""

import argparse
import sys
import timeit
from pathlib import Path

TARGET_US = 5.0


def cases():
    import numpy as np
    import prehend
    from prehend import Pose, geometry, math

    a, b = Pose([0.5, 0.5, 0.5, 0.5], [1, 2, 3]), Pose.translation([1, 0, 0])
    V, point = np.array([0.1, 0.2, 0.3, 1, 2, 3]), np.array([0.1, 0.2, 0.3])
    tree = geometry.TriangleTree(geometry.make_box([2, 2, 2]))
    simulation = prehend.Simulation(prehend.embedded_scene("scenes/stack.xml"))
    return {
        "X_AB * X_BC": lambda: a * b,
        "X_AB * p_B (array)": lambda: a * point,
        "X_AB * p_B (list)": lambda: a * [0.1, 0.2, 0.3],
        "X.p": lambda: a.p,
        "log_se3(X)": lambda: math.log_se3(a),
        "exp_se3(V)": lambda: math.exp_se3(V),
        "adjoint(X)": lambda: math.adjoint(a),
        "tree.contains(p)": lambda: tree.contains(point),
        "tree.signed_distance(p)": lambda: tree.signed_distance(point),
        "simulation.X_WB(name)": lambda: simulation.X_WB("crate_small"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help="build folder whose package is measured")
    options = parser.parse_args()
    if options.build:
        sys.path.insert(0, str(options.build / "python"))
    worst = 0.0
    for name, call in cases().items():
        count = 20000
        microseconds = min(timeit.repeat(call, number=count, repeat=7)) / count * 1e6
        worst = max(worst, microseconds)
        print(f"  {name:<28} {microseconds:8.3f} us")
    print(f"  slowest {worst:.2f} us, target {TARGET_US:g} us: {'met' if worst <= TARGET_US else 'MISSED'}")
    return 0 if worst <= TARGET_US else 1


if __name__ == "__main__":
    sys.exit(main())
