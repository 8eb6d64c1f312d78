#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <prehend/geometry/house/cloud_solid.h>
#include <prehend/geometry/house/small_hull.h>
#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/sampling.h>
#include <prehend/math/random.h>
#include <prehend/parts/segmentation.h>

namespace prehend::parts {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using geometry::TriangleMesh;

TriangleMesh moved(const TriangleMesh& mesh, const Vector3d& p) {
  return geometry::transformed(mesh, math::Pose::translation(p));
}

TriangleMesh inverted(TriangleMesh mesh) {
  for (Eigen::Vector3i& t : mesh.triangles) std::swap(t[0], t[1]);
  return mesh;
}

// Second moments about the centroid from an inertia at unit density.
Matrix3d second_moments(const geometry::MassProperties& mass) {
  return 0.5 * mass.inertia_unit_density.trace() * Matrix3d::Identity() - mass.inertia_unit_density;
}

bool says(const Segmentation& result, const std::string& text) {
  return std::any_of(result.problems.begin(), result.problems.end(),
                     [&](const std::string& problem) { return problem.find(text) != std::string::npos; });
}

struct Cloud {
  std::vector<Vector3d> points, colours;
};

Cloud sampled(const std::vector<std::pair<TriangleMesh, Vector3d>>& parts, int count, std::uint64_t seed) {
  Cloud cloud;
  double area = 0.0;
  for (const auto& [mesh, colour] : parts) area += geometry::mass_properties(mesh).area;
  math::RandomStream random(seed);
  for (const auto& [mesh, colour] : parts) {
    const int share = static_cast<int>(count * geometry::mass_properties(mesh).area / area);
    for (const auto& sample : geometry::sample_surface(mesh, share, random)) {
      cloud.points.push_back(sample.point);
      cloud.colours.push_back(colour);
    }
  }
  return cloud;
}

const Vector3d kRed(0.8, 0.1, 0.1), kGrey(0.5, 0.5, 0.5);

// A handle and a shaft in line, end to end.
Cloud driver(std::uint64_t seed, int count = 2000) {
  const Cloud all = sampled({{geometry::make_cylinder(0.015, 0.1, 48), kRed},
                             {moved(geometry::make_cylinder(0.004, 0.12, 48), {0, 0, 0.11}), kGrey}},
                            count, seed);
  Cloud seen;  // without the faces where the two touch
  for (std::size_t i = 0; i < all.points.size(); ++i) {
    if (std::abs(all.points[i].z() - 0.05) < 1e-9 && all.points[i].head<2>().norm() < 0.004) continue;
    seen.points.push_back(all.points[i]);
    seen.colours.push_back(all.colours[i]);
  }
  return seen;
}

TEST(SegmentMesh, ShellsAreThePartsWithExactMoments) {
  const TriangleMesh box = geometry::make_box({0.2, 0.03, 0.01});
  const TriangleMesh ball = moved(geometry::make_icosphere(0.04, 3), {0.3, 0.1, 0.2});
  const Segmentation result = segment_mesh(geometry::merged(box, ball));
  ASSERT_EQ(result.status, SegmentStatus::ok);
  ASSERT_EQ(result.parts.size(), 2u);
  EXPECT_TRUE(result.problems.empty()) << result.problems.front();
  for (const auto& [mesh, part] : {std::pair{ball, result.parts[0]}, std::pair{box, result.parts[1]}}) {
    const geometry::MassProperties mass = geometry::mass_properties(mesh);
    EXPECT_NEAR(part.volume, mass.volume, 1e-12 * mass.volume);
    EXPECT_LT((part.centroid - mass.centroid).norm(), 1e-12);
    EXPECT_LT((part.second_moments - second_moments(mass)).norm(), 1e-10 * second_moments(mass).norm());
    EXPECT_EQ(part.points, static_cast<int>(mesh.triangles.size()));
  }
}

TEST(SegmentMesh, AnyNumberOfPartsIsACutOfOneTree) {
  const Segmentation whole = segment_mesh(geometry::merged(
      geometry::make_icosphere(0.05, 3), moved(geometry::make_cylinder(0.02, 0.2, 60), {0, 0, 0.15})));
  ASSERT_EQ(whole.status, SegmentStatus::ok);
  ASSERT_GT(whole.tree.leaves, 10);
  std::vector<int> coarser;
  for (int count = 1; count <= whole.tree.leaves; ++count) {
    Segmentation cut = whole;
    cut.cut(count);
    ASSERT_EQ(static_cast<int>(cut.parts.size()), count);
    double volume = 0.0;
    for (const SegmentedPart& part : cut.parts) {
      EXPECT_GT(part.volume, 0.0);
      EXPECT_GT(part.points, 0);
      volume += part.volume;
    }
    EXPECT_NEAR(volume, whole.volume, 1e-12 * whole.volume);
    if (!coarser.empty()) {  // finer parts lie inside coarser ones
      std::map<int, int> inside;
      for (std::size_t i = 0; i < cut.labels.size(); ++i)
        EXPECT_EQ(inside.try_emplace(cut.labels[i], coarser[i]).first->second, coarser[i]);
    }
    coarser = cut.labels;
  }
  for (std::size_t k = 1; k < whole.tree.merges.size(); ++k)
    EXPECT_GE(whole.tree.merges[k].cost, whole.tree.merges[k - 1].cost);
  Segmentation wrong = whole;
  EXPECT_THROW(wrong.cut(0), std::invalid_argument);
  EXPECT_THROW(wrong.cut(whole.tree.leaves + 1), std::invalid_argument);
}

TEST(SegmentMesh, ShellsAreToldApart) {
  const TriangleMesh outer = geometry::make_icosphere(0.1, 3), inner = geometry::make_icosphere(0.05, 3);
  const double outer_volume = geometry::mass_properties(outer).volume,
               inner_volume = geometry::mass_properties(inner).volume;
  // A cavity belongs to the part around it.
  Segmentation result = segment_mesh(geometry::merged(outer, inverted(inner)));
  EXPECT_EQ(result.shells, 1);
  EXPECT_NEAR(result.volume, outer_volume - inner_volume, 1e-12);
  EXPECT_TRUE(says(result, "cavity"));
  // An inverted shell in the open is turned.
  result = segment_mesh(geometry::merged(outer, moved(inverted(inner), {0.5, 0, 0})));
  EXPECT_EQ(result.shells, 2);
  EXPECT_NEAR(result.volume, outer_volume + inner_volume, 1e-12);
  EXPECT_TRUE(says(result, "inside out"));
  // A shell inside another without a cavity for it counts twice, and is said.
  result = segment_mesh(geometry::merged(outer, inner));
  EXPECT_EQ(result.shells, 2);
  EXPECT_TRUE(says(result, "counts in both"));
  // Overlapping.
  result = segment_mesh(geometry::merged(outer, moved(outer, {0.1, 0.003, 0.001})));
  EXPECT_EQ(result.shells, 2);
  EXPECT_TRUE(says(result, "overlaps"));
  // A hole: the volume is no longer exact, and that is said.
  TriangleMesh open = geometry::make_box({0.1, 0.1, 0.1});
  open.triangles.pop_back();
  result = segment_mesh(open);
  ASSERT_EQ(result.status, SegmentStatus::ok);
  EXPECT_TRUE(says(result, "open"));
  EXPECT_NEAR(result.volume, 1e-3, 2e-4);
  // A sheet encloses nothing.
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}};
  EXPECT_EQ(segment_mesh(sheet).status, SegmentStatus::undetermined);
}

// A box with a ball in it, and a smaller ball in that, each facing outwards or inwards.
TriangleMesh onion(bool box_inwards, bool ball_inwards, bool core_inwards) {
  const auto layer = [](const TriangleMesh& mesh, bool inwards) { return inwards ? inverted(mesh) : mesh; };
  return geometry::merged(layer(geometry::make_box({0.2, 0.2, 0.2}), box_inwards),
                          geometry::merged(layer(geometry::make_icosphere(0.08, 3), ball_inwards),
                                           layer(geometry::make_icosphere(0.04, 3), core_inwards)));
}

TEST(SegmentMesh, NestedShellsInEveryOrder) {
  const double box = 8e-3, ball = geometry::mass_properties(geometry::make_icosphere(0.08, 3)).volume,
               core = ball / 8.0;
  // A part in a cavity, as drawn and with every triangle the wrong way round.
  for (const bool is_inverted : {false, true}) {
    const Segmentation result = segment_mesh(onion(is_inverted, !is_inverted, is_inverted));
    EXPECT_EQ(result.shells, 2);
    EXPECT_NEAR(result.volume, box - ball + core, 1e-12);
    EXPECT_TRUE(says(result, "cavity"));
    EXPECT_EQ(says(result, "inside out"), is_inverted);
    EXPECT_FALSE(says(result, "counts in both"));
  }
  // A hollow ball in a block that has no cavity for it.
  const Segmentation hollow = segment_mesh(onion(false, false, true));
  EXPECT_EQ(hollow.shells, 2);
  EXPECT_NEAR(hollow.volume, box + ball - core, 1e-12);
  EXPECT_TRUE(says(hollow, "counts in both") && says(hollow, "cavity") && !says(hollow, "inside out"));
}

TEST(SegmentMesh, OverlapsAreNeverSilent) {
  // The same box twice, farther apart than vertices that are one; a row of more than a hundred.
  const TriangleMesh box = geometry::make_box({0.1, 0.1, 0.1});
  const Segmentation twice = segment_mesh(geometry::merged(box, moved(box, {2e-5, 2e-5, 2e-5})));
  EXPECT_EQ(twice.shells, 2);
  EXPECT_TRUE(says(twice, "overlaps piece"));
  TriangleMesh row;
  for (int k = 0; k < 120; ++k)
    row = geometry::merged(row, moved(geometry::make_box({0.012, 0.012, 0.012}), {0.01 * k, 0, 0}));
  const Segmentation many = segment_mesh(row);
  EXPECT_EQ(many.shells, 120);
  EXPECT_TRUE(says(many, "piece 1 overlaps piece 0") && says(many, "more pairs of pieces overlap"));
}

TEST(SegmentMesh, ASurfaceThatCrossesItselfCountsOnce) {
  // A closed tube in the shape of an eight: where it passes through itself its triangles enclose the same place twice.
  constexpr int kAlong = 96, kAround = 12;
  constexpr double kRadius = 0.02;
  TriangleMesh eight;
  const auto at = [](int i) {
    const double t = 2.0 * std::numbers::pi * i / kAlong;
    return Vector3d(0.1 * std::sin(t), 0.05 * std::sin(2.0 * t), 0.0);
  };
  for (int i = 0; i < kAlong; ++i) {
    const Vector3d along = (at(i + 1) - at(i - 1)).normalized(), across = Vector3d::UnitZ().cross(along);
    for (int j = 0; j < kAround; ++j) {
      const double u = 2.0 * std::numbers::pi * j / kAround;
      eight.vertices.push_back(at(i) + kRadius * (std::cos(u) * across + std::sin(u) * Vector3d::UnitZ()));
      const int a = i * kAround + j, b = i * kAround + (j + 1) % kAround, step = (i + 1) % kAlong * kAround,
                c = step + j, d = step + (j + 1) % kAround;
      eight.triangles.push_back({a, b, c});
      eight.triangles.push_back({b, d, c});
    }
  }
  const Segmentation result = segment_mesh(eight);
  ASSERT_EQ(result.status, SegmentStatus::ok);
  EXPECT_TRUE(says(result, "crosses itself"));
  // The integral counts the crossing twice; the solid is what points inside say.
  const double doubled = std::abs(geometry::mass_properties(eight).volume);
  EXPECT_LT(result.volume, 0.97 * doubled);
  EXPECT_GT(result.volume, 0.90 * doubled);
}

TEST(SegmentMesh, TrianglesTurnedAmongTheirNeighbours) {
  TriangleMesh ball = geometry::make_icosphere(0.05, 2);
  const double volume = geometry::mass_properties(ball).volume;
  for (std::size_t t = 0; t < ball.triangles.size(); t += 7)
    std::swap(ball.triangles[t][0], ball.triangles[t][1]);
  const Segmentation result = segment_mesh(ball);
  EXPECT_NEAR(result.volume, volume, 1e-12);
  EXPECT_TRUE(says(result, "triangles were turned"));
}

TEST(SegmentMesh, RepeatedTrianglesCountOnce) {
  const TriangleMesh box = geometry::make_box({0.1, 0.2, 0.3});
  const Segmentation result = segment_mesh(geometry::merged(box, box));
  ASSERT_EQ(result.status, SegmentStatus::ok);
  EXPECT_EQ(result.shells, 1);
  EXPECT_NEAR(result.volume, 6e-3, 1e-15);
  EXPECT_TRUE(says(result, "12 triangles are there more than once"));
  EXPECT_EQ(std::count(result.labels.begin(), result.labels.end(), -1), 0);
  // Faces of two solids that touch have the same corners and opposite sides: no repeats.
  const Segmentation touching = segment_mesh(geometry::merged(box, moved(box, {0.1, 0, 0})));
  EXPECT_EQ(touching.shells, 2);
  EXPECT_NEAR(touching.volume, 12e-3, 1e-15);
  EXPECT_TRUE(touching.problems.empty());
}

TEST(SegmentMesh, PiecesOfOneShellAddUpToItsMoments) {
  // Thin, turned, divided into seven: the samples of all are the shell's.
  const TriangleMesh plate =
      geometry::transformed(geometry::make_cylinder(0.1, 0.001, 200),
                            math::Pose(Eigen::Quaterniond(0.3, 0.8, -0.2, 0.4).normalized(), {2, 1, 0}));
  SegmentOptions options;
  options.parts = 7;
  const Segmentation result = segment_mesh(plate, {}, options);
  ASSERT_EQ(result.status, SegmentStatus::ok);
  const geometry::MassProperties mass = geometry::mass_properties(plate);
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const SegmentedPart& part : result.parts) {
    const Vector3d r = part.centroid - mass.centroid;
    volume += part.volume;
    first += part.volume * part.centroid;
    second += part.second_moments + part.volume * r * r.transpose();
  }
  EXPECT_NEAR(volume, mass.volume, 1e-12 * mass.volume);
  EXPECT_LT((first / volume - mass.centroid).norm(), 1e-12);
  EXPECT_LT((second - second_moments(mass)).norm(), 1e-9 * second_moments(mass).norm());
}

TEST(SegmentMesh, TheSourcesMethodsGiveNoPartWithoutTriangles) {
  const TriangleMesh box = geometry::make_box({0.1, 0.2, 0.3});  // 12 triangles, 50 or 60 clusters
  for (const SegmentMethod method : {SegmentMethod::htc, SegmentMethod::htc_cold}) {
    SegmentOptions options;
    options.method = method;
    options.parts = 6;
    const Segmentation result = segment_mesh(box, {}, options);
    ASSERT_EQ(result.parts.size(), 6u);
    for (const SegmentedPart& part : result.parts) {
      EXPECT_GT(part.points, 0);
      EXPECT_GT(part.volume, 0.0);
    }
    EXPECT_LE(result.tree.leaves, 12);
  }
}

TEST(SegmentMesh, TheOrderOfTheTrianglesDoesNotMatter) {
  // Divided below its shells.
  const TriangleMesh mesh = geometry::merged(geometry::make_cylinder(0.03, 0.12, 40),
                                             moved(geometry::make_icosphere(0.05, 3), {0.2, 0.03, 0.01}));
  SegmentOptions five;
  five.parts = 5;
  const Segmentation first = segment_mesh(mesh, {}, five);
  TriangleMesh shuffled = mesh;
  math::RandomStream random(2);
  std::vector<int> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Eigen::Vector3i& t = mesh.triangles[order[i]];
    shuffled.triangles[i] = {t[1], t[2], t[0]};
  }
  const Segmentation other = segment_mesh(shuffled, {}, five);
  std::set<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) pairs.emplace(first.labels[order[i]], other.labels[i]);
  EXPECT_EQ(pairs.size(), 5u);
  EXPECT_NEAR(other.volume, first.volume, 1e-12);
}

TEST(SegmentMesh, ScrapsAreJoined) {
  TriangleMesh mesh = geometry::merged(geometry::make_icosphere(0.1, 3),
                                       moved(geometry::make_icosphere(0.05, 3), {0.3, 0, 0}));
  for (int i = 0; i < 5; ++i)
    mesh = geometry::merged(mesh, moved(geometry::make_icosphere(1e-4, 1), {0.11, 0.01 * i, 0}));
  const Segmentation result = segment_mesh(mesh);
  EXPECT_EQ(result.parts.size(), 2u);
  EXPECT_TRUE(says(result, "5 scraps"));
  EXPECT_EQ(std::count(result.labels.begin(), result.labels.end(), -1), 0);
}

TEST(SegmentCloud, PartsOfADriver) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Cloud cloud = driver(seed);
    SegmentOptions options;
    options.parts = 2;
    const Segmentation result = segment_cloud(cloud.points, cloud.colours, options);
    ASSERT_EQ(result.status, SegmentStatus::ok) << result.reason;
    int wrong = 0;
    for (std::size_t i = 0; i < cloud.points.size(); ++i)
      wrong += (result.labels[i] == 0) != (cloud.colours[i] == kRed);
    EXPECT_LT(wrong, 20);
    const double handle = std::numbers::pi * 0.015 * 0.015 * 0.1,
                 shaft = std::numbers::pi * 0.004 * 0.004 * 0.12;
    EXPECT_NEAR(result.parts[0].volume, handle, 0.05 * handle);
    EXPECT_NEAR(result.parts[1].volume, shaft, 0.10 * shaft);
    EXPECT_FALSE(result.coplanar);
  }
}

TEST(SegmentCloud, AThinSheetKeepsItsVolume) {
  const Cloud cloud = sampled({{geometry::make_box({0.3, 0.03, 0.001}), kGrey}}, 2000, 7);
  const Segmentation result = segment_cloud(cloud.points, cloud.colours);
  ASSERT_EQ(result.status, SegmentStatus::ok);
  EXPECT_NEAR(result.volume, 9e-6, 0.2 * 9e-6);
}

TEST(SegmentCloud, VolumesCountWhatBendsBeyondTheFacets) {
  // Facets between the points cut 1.5 % off the ball and 10 to 12 % off the rod and the sheet.
  for (const std::uint64_t seed : {21, 22, 23}) {
    for (const TriangleMesh& mesh :
         {geometry::make_icosphere(0.05, 5), geometry::make_cylinder(0.003, 0.15, 90),
          geometry::make_box({0.08, 0.05, 0.03}), geometry::make_box({0.3, 0.03, 0.001})}) {
      const Cloud cloud = sampled({{mesh, kGrey}}, 800, seed);
      const Segmentation result = segment_cloud(cloud.points, cloud.colours);
      const double volume = geometry::mass_properties(mesh).volume;
      const double flat = geometry::cloud_solid(cloud.points).volume;
      EXPECT_NEAR(result.volume, volume, 0.05 * volume) << flat / volume;
      EXPECT_LT(std::abs(result.volume - volume), 0.6 * std::abs(flat - volume));
      // Samples stand for it, and none has lost all its volume.
      double sum = 0.0;
      for (const VolumeSample& sample : result.samples) {
        EXPECT_GT(sample.volume, 0.0);
        sum += sample.volume;
      }
      EXPECT_NEAR(sum, result.volume, 1e-12);
    }
  }
}

TEST(SegmentCloud, TheOrderThePlaceAndTheScaleDoNotMatter) {
  const Cloud cloud = driver(5);
  SegmentOptions options;
  options.parts = 4;
  const Segmentation first = segment_cloud(cloud.points, cloud.colours, options);
  // Reversed, every third point twice.
  std::vector<Vector3d> points(cloud.points.rbegin(), cloud.points.rend()),
      colours(cloud.colours.rbegin(), cloud.colours.rend());
  for (std::size_t i = 0; i < cloud.points.size(); i += 3)
    points.push_back(cloud.points[i]), colours.push_back(cloud.colours[i]);
  const Segmentation shuffled = segment_cloud(points, colours, options);
  for (std::size_t i = 0; i < cloud.points.size(); ++i)
    EXPECT_EQ(first.labels[i], shuffled.labels[cloud.points.size() - 1 - i]);
  EXPECT_EQ(first.volume, shuffled.volume);
  // Turned, moved 2 km away and a thousand times larger.
  const math::Pose X(Eigen::Quaterniond(0.2, 0.5, -0.3, 0.7).normalized(), {2000.0, -1500.0, 300.0});
  for (const double scale : {1.0, 1000.0}) {
    std::vector<Vector3d> turned;
    for (const Vector3d& p : cloud.points) turned.push_back(scale * (X * p));
    SegmentOptions two;
    two.parts = 2;
    const Segmentation before = segment_cloud(cloud.points, cloud.colours, two);
    const Segmentation after = segment_cloud(turned, cloud.colours, two);
    int different = 0;
    for (std::size_t i = 0; i < cloud.points.size(); ++i) different += before.labels[i] != after.labels[i];
    EXPECT_LT(different, 5);
    EXPECT_NEAR(after.volume, std::pow(scale, 3) * before.volume, 1e-4 * std::pow(scale, 3) * before.volume);
  }
}

TEST(SegmentCloud, TurnedAndScaledPlaneFacesGiveTheSameParts) {
  // Points on plane faces of the hull: which slivers lie between them is chance and must not matter.
  const Cloud cloud = sampled({{geometry::make_box({0.2, 0.03, 0.02}), kGrey},
                               {moved(geometry::make_box({0.03, 0.1, 0.02}), {0.1, 0.0, 0.0}), kGrey}},
                              1500, 8);
  const Segmentation first = segment_cloud(cloud.points);
  for (const double scale : {1.0, 3.0, 1000.0}) {
    const math::Pose X(Eigen::Quaterniond(0.2, 0.5 * scale, -0.3, 0.7).normalized(), {20.0, -15.0, 3.0});
    std::vector<Vector3d> turned;
    for (const Vector3d& p : cloud.points) turned.push_back(scale * (X * p));
    const Segmentation other = segment_cloud(turned);
    EXPECT_EQ(first.labels, other.labels);
    EXPECT_NEAR(other.volume, std::pow(scale, 3) * first.volume, 1e-7 * std::pow(scale, 3) * first.volume);
  }
}

TEST(SegmentCloud, TurnedRoundSolidsGiveTheSameParts) {
  // Hulls of many corners, and no border that is better than others.
  const Cloud round = sampled({{geometry::make_cylinder(0.03, 0.12, 64), kGrey}}, 2000, 26);
  SegmentOptions seven;
  seven.parts = 7;
  const Segmentation first = segment_cloud(round.points, {}, seven);
  math::RandomStream random(3);
  for (int k = 0; k < 3; ++k) {
    const Eigen::Quaterniond turn = random.rotation();
    std::vector<Vector3d> turned;
    for (const Vector3d& p : round.points) turned.push_back(turn * p);
    const Segmentation other = segment_cloud(turned, {}, seven);
    std::set<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < turned.size(); ++i) pairs.emplace(first.labels[i], other.labels[i]);
    EXPECT_EQ(pairs.size(), 7u);
  }
}

TEST(SegmentCloud, WhatIsWrongWithColoursAndThePlaneIsSaid) {
  Cloud cloud = driver(2, 600);
  std::vector<Vector3d> bright = cloud.colours;
  for (Vector3d& c : bright) c *= 2.0;  // up to 1.6: neither scale
  EXPECT_TRUE(says(segment_cloud(cloud.points, bright), "go from 0 to 1.6, out of range"));
  EXPECT_FALSE(says(segment_cloud(cloud.points), "only"));
  EXPECT_TRUE(says(segment_cloud(driver(2, 300).points), "different points: volumes can be off"));
  SegmentOptions options;
  options.support = Eigen::Vector4d(0, 0, 1, -1.0);
  EXPECT_TRUE(says(segment_cloud(cloud.points, {}, options), "below the lowest point"));
}

TEST(SegmentCloud, StraysAreNamed) {
  Cloud cloud = driver(9);
  for (const Vector3d& p : {Vector3d(0.2, 0, 0), Vector3d(0, -0.3, 0.1)}) {
    cloud.points.push_back(p);
    cloud.colours.push_back(kGrey);
  }
  const Segmentation result = segment_cloud(cloud.points, cloud.colours);
  ASSERT_EQ(result.status, SegmentStatus::ok);
  EXPECT_EQ(std::count(result.labels.begin(), result.labels.end(), -1), 2);
  EXPECT_EQ(result.labels.back(), -1);
  EXPECT_TRUE(says(result, "2 stray points"));
}

TEST(SegmentCloud, NothingSolidIsNoAnswer) {
  const auto status = [](const std::vector<Vector3d>& points) { return segment_cloud(points).status; };
  EXPECT_EQ(status({}), SegmentStatus::undetermined);
  EXPECT_EQ(status({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), SegmentStatus::undetermined);
  EXPECT_EQ(status(std::vector<Vector3d>(100, Vector3d(1, 2, 3))), SegmentStatus::undetermined);
  std::vector<Vector3d> line, sheet;
  for (int i = 0; i < 100; ++i) line.emplace_back(0.01 * i, 0.02 * i, 0.0);
  for (int i = 0; i < 100; ++i) sheet.emplace_back(0.01 * (i % 10), 0.01 * (i / 10), 0.5);
  EXPECT_EQ(status(line), SegmentStatus::undetermined);
  EXPECT_EQ(status(sheet), SegmentStatus::undetermined);
  EXPECT_THROW(segment_cloud({{0, 0, std::nan("")}}), std::invalid_argument);
  SegmentOptions options;
  options.parts = 100000;
  EXPECT_THROW(segment_cloud(driver(1).points, {}, options), std::invalid_argument);
  options.parts = 0;
  EXPECT_THROW(segment_cloud(driver(1).points, {}, options), std::invalid_argument);
}

TEST(SegmentCloud, AHandfulOfPointsKeepsEveryNumberOfParts) {
  // Points of a coarse grid, nearly in one plane: doubled, in line, flat.
  int answered = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    math::RandomStream random(seed);
    std::vector<Vector3d> points;
    const int count = 4 + static_cast<int>(random.below(40));
    const auto grid = [&random] { return 0.02 * (static_cast<double>(random.below(13)) - 6.0); };
    for (int k = 0; k < count; ++k)
      points.emplace_back(grid(), grid(), (seed % 2 == 0 ? 1e-3 : 1.0) * grid());
    Segmentation any = segment_cloud(points);
    if (any.status != SegmentStatus::ok) {
      EXPECT_FALSE(any.reason.empty());
      EXPECT_THROW(any.cut(1), std::invalid_argument);
      continue;
    }
    ++answered;
    SegmentOptions options;
    options.parts = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(any.tree.leaves)));
    const Segmentation result = segment_cloud(points, {}, options);
    ASSERT_EQ(result.status, SegmentStatus::ok) << seed;
    EXPECT_EQ(std::ssize(result.parts), *options.parts) << seed;
    for (const SegmentedPart& part : result.parts) EXPECT_TRUE(part.volume > 0.0 && part.points > 0) << seed;
  }
  EXPECT_GT(answered, 30);
}

TEST(SegmentCloud, SeenFromAbove) {
  // A box on a table: top and the upper part of the walls.
  const Cloud whole = sampled({{moved(geometry::make_box({0.2, 0.1, 0.06}), {0, 0, 0.03}), kGrey}}, 4000, 3);
  std::vector<Vector3d> seen;
  for (const Vector3d& p : whole.points)
    if (p.z() > 0.059) seen.push_back(p);
  const Segmentation open = segment_cloud(seen);
  SegmentOptions options;
  options.support = Eigen::Vector4d(0, 0, 2.0, 0);
  const Segmentation closed = segment_cloud(seen, {}, options);
  ASSERT_EQ(closed.status, SegmentStatus::ok);
  EXPECT_NEAR(closed.volume, 1.2e-3, 0.1 * 1.2e-3);
  EXPECT_TRUE(says(closed, "support plane"));
  EXPECT_EQ(open.status, SegmentStatus::ok);
  EXPECT_TRUE(says(open, "one side"));
  // The top alone, all in one plane.
  std::erase_if(seen, [](const Vector3d& p) { return p.z() < 0.06 - 1e-12; });
  EXPECT_EQ(segment_cloud(seen).status, SegmentStatus::undetermined);
  const Segmentation top = segment_cloud(seen, {}, options);
  ASSERT_EQ(top.status, SegmentStatus::ok);
  EXPECT_NEAR(top.volume, 1.2e-3, 0.1 * 1.2e-3);
}

TEST(SegmentCloud, ASmoothSurfaceSeenFromOneSideIsClosedByHulls) {
  const Cloud ball = sampled({{geometry::make_icosphere(0.1, 4), kGrey}}, 1500, 6);
  std::vector<Vector3d> seen;
  for (const Vector3d& p : ball.points)
    if (p.z() > 0.0) seen.push_back(p);
  SegmentOptions options;
  options.parts = 1;
  const Segmentation result = segment_cloud(seen, {}, options);
  ASSERT_EQ(result.status, SegmentStatus::ok) << result.reason;
  EXPECT_TRUE(says(result, "one side"));
  const double half = 2.0 / 3.0 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(result.volume, half, 0.05 * half);
  options.parts = 20;
  for (const SegmentedPart& part : segment_cloud(seen, {}, options).parts) EXPECT_GT(part.volume, 0.0);
}

TEST(SegmentCloud, WhatWasSeenFromOneSideIsDividedAlongItsGaps) {
  // A bow saw from the side: frame and blade, upper faces only. The open space between them is not material that joins them.
  math::RandomStream random(9);
  const auto plate = [&random](double x0, double x1, double y0, double y1, double z, int count) {
    std::vector<Vector3d> points;
    for (int k = 0; k < count; ++k)
      points.emplace_back(random.uniform(x0, x1), random.uniform(y0, y1), z + 1e-4 * random.normal());
    return points;
  };
  std::vector<Vector3d> points;
  std::vector<int> truth;
  const auto add = [&](const std::vector<Vector3d>& part, int label) {
    points.insert(points.end(), part.begin(), part.end());
    truth.insert(truth.end(), part.size(), label);
  };
  add(plate(0.0, 0.25, 0.08, 0.092, 0.012, 300), 0);
  add(plate(0.238, 0.25, 0.006, 0.08, 0.012, 90), -1);  // joins them: of either part
  add(plate(0.0, 0.25, -0.006, 0.006, 0.006, 300), 1);
  SegmentOptions two;
  two.parts = 2;
  const Segmentation result = segment_cloud(points, {}, two);
  ASSERT_EQ(result.status, SegmentStatus::ok);
  EXPECT_TRUE(says(result, "seen"));
  int same = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) same += truth[i] >= 0 && result.labels[i] == truth[i];
  EXPECT_GT(std::max(same, 600 - same), 0.95 * 600);
}

TEST(SegmentCloud, TheSourcesMethodKeepsAWholeTreeToo) {
  const Cloud cloud = driver(4, 800);
  for (const SegmentMethod method : {SegmentMethod::htc, SegmentMethod::htc_cold}) {
    SegmentOptions options;
    options.method = method;
    options.parts = 2;
    const Segmentation result = segment_cloud(cloud.points, cloud.colours, options);
    ASSERT_EQ(result.status, SegmentStatus::ok);
    EXPECT_EQ(result.tree.merges.size() + 1, static_cast<std::size_t>(result.tree.leaves));
    int wrong = 0;
    for (std::size_t i = 0; i < cloud.points.size(); ++i)
      wrong += (result.labels[i] == 0) != (cloud.colours[i] == kRed);
    EXPECT_LT(wrong, 80) << to_string(method);
  }
}

TEST(CloudSolid, VolumesOfClosedShapes) {
  for (const std::uint64_t seed : {11, 12}) {
    for (const TriangleMesh& mesh : {geometry::make_icosphere(0.1, 4), geometry::make_box({0.1, 0.2, 0.05}),
                                     geometry::make_cylinder(0.01, 0.3, 60)}) {
      const Cloud cloud = sampled({{mesh, kGrey}}, 2000, seed);
      const geometry::CloudSolid solid = geometry::cloud_solid(cloud.points);
      ASSERT_EQ(solid.status, geometry::CloudSolidStatus::ok);
      const double volume = geometry::mass_properties(mesh).volume;
      EXPECT_NEAR(solid.volume, volume, 0.05 * volume);
      // The surface it returns bounds the same volume.
      EXPECT_NEAR(geometry::mass_properties({cloud.points, solid.surface}).volume, solid.volume,
                  1e-6 * volume);  // points were moved by 1e-9 of the extent
    }
  }
}

TEST(SmallHull, PlaneFacesUpToRounding) {
  // Points on two faces of an edge far from the origin lie in two planes but for rounding; against the library's other hull, where its mesh
  // is closed. Without the check of the hull's topology six of these 3000 are wrong by 5 to 50 %.
  math::RandomStream random(6);
  int compared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const math::Pose X(random.rotation(), {2e4, -1e4, 3e4});
    std::vector<Vector3d> points;
    for (int i = 0; i < 30; ++i) {
      Vector3d p(random.uniform(), random.uniform(), random.uniform());
      p[i % 2 ? 2 : 1] = 0.0;
      points.push_back(X * Vector3d(30.0 * p.x(), 20.0 * p.y(), 20.0 * p.z()));
    }
    const geometry::HullResult other = geometry::convex_hull(points);
    ASSERT_EQ(other.status, geometry::HullStatus::ok);
    const double expected = geometry::mass_properties(other.mesh).volume;
    if (!(expected > 0.0)) continue;
    ++compared;
    ASSERT_NEAR(geometry::small_hull(points).volume, expected, 1e-6 * expected) << trial;
  }
  EXPECT_GT(compared, 2900);
}

TEST(SmallHull, PiecesOfAPlateFarAway) {
  // Points on both faces of a thin plate that was turned and moved by 2 km: in two planes but for rounding. Without the look at points left
  // outside, 57 of these 1500 hulls are wrong.
  math::RandomStream random(9);
  int wrong = 0, compared = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const math::Pose X(random.rotation(), {2000.0, -1500.0, 300.0});
    std::vector<Vector3d> points;
    for (int i = 0; i < 60; ++i)
      points.push_back(X * Vector3d(0.03 * random.uniform(), 0.02 * random.uniform(), i % 2 ? 0.001 : 0.0));
    const geometry::HullResult other = geometry::convex_hull(points);
    const double expected = geometry::mass_properties(other.mesh).volume;
    if (other.status != geometry::HullStatus::ok || !(expected > 0.0)) continue;
    ++compared;
    wrong += std::abs(geometry::small_hull(points).volume - expected) > 1e-5 * expected;
  }
  EXPECT_GT(compared, 1000);
  EXPECT_EQ(wrong, 0);
}

TEST(SmallHull, VolumeAndCorners) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 8; ++i) points.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  for (const double x : {0.5, 0.25}) points.emplace_back(x, x, 0.0);  // on a face
  points.emplace_back(0.5, 0.5, 0.5);
  geometry::SmallHull hull = geometry::small_hull(points);
  EXPECT_NEAR(hull.volume, 1.0, 1e-14);
  EXPECT_EQ(hull.corners, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(geometry::small_hull(std::vector<Vector3d>(points.begin(), points.begin() + 4)).volume, 0.0);
}

}  // namespace
}  // namespace prehend::parts
