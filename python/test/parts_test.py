"""prehend.parts: arrays in, labels and tree out."""

import json

import numpy as np
import pytest

import prehend
from prehend import geometry, inertia, parts


def bar(seed=1):
    """Points on a square bar whose two halves have different colours."""
    random = np.random.default_rng(seed)
    points = random.uniform([0, -0.01, -0.01], [0.2, 0.01, 0.01], (3000, 3))
    side = random.integers(0, 4, 3000)
    points[np.arange(3000), 1 + side % 2] = np.where(side < 2, -0.01, 0.01)
    caps = random.uniform([0, -0.01, -0.01], [0, 0.01, 0.01], (150, 3))
    points = np.concatenate([points, caps, caps + [0.2, 0, 0]])
    return points, np.where(points[:, :1] < 0.12, [[0.8, 0.1, 0.1]], [[0.5, 0.5, 0.5]])


def test_a_straight_bar_of_two_colours_is_two_parts(tmp_path):
    points, colours = bar()
    found = prehend.segment_cloud(points, colours, parts=2)
    assert found.status == "ok" and [part.label for part in found.parts] == [0, 1]
    assert (found.labels == (points[:, 0] >= 0.12)).mean() > 0.99
    assert found.volume == pytest.approx(0.2 * 0.02**2, rel=0.05)
    assert found.merges.shape == (found.leaves - 1, 3) and (np.diff(found.merges[:, 2]) >= 0).all()
    assert found.sample_volumes.sum() == pytest.approx(found.volume)
    coarse = found.labels.copy()
    found.cut(5)
    assert len(found.parts) == 5
    for label in range(5):  # finer parts lie inside coarser ones
        assert len(set(coarse[found.labels == label])) == 1
    found.write_parts(tmp_path / "parts.ply")
    shape = inertia.read_parts([tmp_path / "parts.ply"])
    assert len(shape.parts) == 5
    assert json.loads(found.hierarchy_json())["leaves"] == found.leaves


def test_a_mesh(tmp_path):
    mesh = geometry.make_box([0.1, 0.2, 0.3])
    found = parts.segment_mesh(mesh, parts=1)
    assert found.shells == 1 and found.volume == pytest.approx(6e-3, rel=1e-12)
    expected = 6e-3 / 12 * np.diag(np.square([0.1, 0.2, 0.3]))
    assert found.parts[0].second_moments == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_what_cannot_be_is_said():
    points, colours = bar()
    with pytest.raises(ValueError, match="parts is 1000"):
        parts.segment_cloud(points, parts=1000)
    with pytest.raises(ValueError, match="method is 'magic'"):
        parts.segment_cloud(points, method="magic")
    with pytest.raises(ValueError, match="7 colours"):
        parts.segment_cloud(points, colours[:7])
    assert parts.segment_cloud(points[:3]).status == "undetermined"
