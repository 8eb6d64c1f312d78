"""prehend.map: order, errors that name their input, and a real Ray with two local workers."""

import os
import threading

import pytest

import prehend

INPUTS = list(range(20))


def volume_of_box(size):
    if size == 13:
        raise prehend.InputError("boxes.csv", 13, "thirteen is no size")
    return os.getpid(), prehend.mass_properties(prehend.geometry.make_box([size + 1.0] * 3)).volume


def test_threads_keep_the_order():
    both_wait = threading.Barrier(2, timeout=30)  # passes only when two calls run at the same time

    def call(x):
        if x < 2:
            both_wait.wait()
        return x * x

    assert prehend.map(call, INPUTS, threads=2) == [x * x for x in INPUTS]
    assert prehend.map(call, iter(())) == []


def test_physics_gives_the_same_numbers_in_any_number_of_threads():
    def end_of(push):
        simulation = prehend.Simulation(prehend.embedded_scene("scenes/stack.xml"))
        simulation.apply_wrench("crate_small", prehend.math.Wrench(force=[push, 0, 0]), [0.05, 0, 0.39])
        simulation.step(150)
        return simulation.X_WB("crate_small").matrix().tolist()

    pushes = [0.5 * k for k in range(8)]
    alone = [end_of(push) for push in pushes]
    assert prehend.map(end_of, pushes, threads=4) == alone and alone[0] != alone[-1]


def test_threads_say_which_input_failed():
    with pytest.raises(prehend.InputError) as caught:
        prehend.map(volume_of_box, INPUTS, threads=3)
    assert caught.value.input_index == 13 and "input 13 failed" in caught.value.__notes__[0]


def test_bad_usage_is_named():
    with pytest.raises(ValueError, match="backend is 'fork'"):
        prehend.map(len, [], backend="fork")
    with pytest.raises(ValueError, match="threads is 0"):
        prehend.map(len, [], threads=0)


def test_ray_missing_is_said():
    try:
        import ray  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match=r"pip install prehend\[ray\]"):
            prehend.map(len, ["a"], backend="ray")
    else:
        pytest.skip("Ray is installed here")


def test_map_starts_and_stops_a_local_ray_by_itself():
    ray = pytest.importorskip("ray", reason="Ray is not installed here; pip install ray to run this test")
    assert prehend.map(lambda x: x + 1, INPUTS, threads=2, backend="ray") == [x + 1 for x in INPUTS]
    assert not ray.is_initialized()


@pytest.fixture(scope="module")
def two_workers():
    ray = pytest.importorskip("ray", reason="Ray is not installed here; pip install ray to run this test")
    folder = os.path.dirname(os.path.dirname(prehend.__file__))
    here = os.path.dirname(__file__)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": f"{folder}:{here}"}})
    yield
    ray.shutdown()


def test_ray_gives_the_same_answers_in_order(two_workers):
    sizes = [x for x in INPUTS if x != 13]
    answers = prehend.map(volume_of_box, sizes, backend="ray")
    assert [v for _, v in answers] == [v for _, v in prehend.map(volume_of_box, sizes)]
    assert os.getpid() not in {pid for pid, _ in answers}, "nothing ran on a worker"


def test_ray_says_which_input_failed(two_workers):
    with pytest.raises(prehend.InputError) as caught:
        prehend.map(volume_of_box, INPUTS, backend="ray")
    assert caught.value.input_index == 13 and caught.value.line == 13
    assert str(caught.value) == "boxes.csv:13: error: thirteen is no size"
