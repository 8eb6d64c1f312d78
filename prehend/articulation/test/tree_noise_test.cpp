#include <algorithm>

#include <gtest/gtest.h>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/articulation/tree/tree_noise.h>

namespace prehend::articulation {
namespace {

PartTracks seen_arm() {
  MotionOptions motion;
  motion.position_noise = 0.002;
  motion.angle_noise = 0.01;
  return part_tracks(simulate_motion(named_object("arm"), motion).log, "arm");
}

void expect_same(const TreeNoise& x, const TreeNoise& y) {
  EXPECT_EQ(x.feature.position, y.feature.position);
  EXPECT_EQ(x.feature.angle, y.feature.angle);
  EXPECT_EQ(x.is_shared, y.is_shared);
  EXPECT_EQ(x.slow, y.slow);
  ASSERT_EQ(x.groups.parts.size(), y.groups.parts.size());
  for (std::size_t k = 0; k < x.groups.parts.size(); ++k) {
    EXPECT_EQ(x.groups.parts[k].position, y.groups.parts[k].position);
    EXPECT_EQ(x.groups.parts[k].angle, y.groups.parts[k].angle);
  }
}

// Fits of one tree serve the next: nothing is fitted twice, and the noise is that of fits made anew, to the last digit.
TEST(TreeNoise, RememberedFitsGiveTheSameNoise) {
  const PartTracks tracks = seen_arm();
  const DiscoveryOptions options;
  const std::vector<int> sizes(tracks.parts.size(), 1);
  PartGraph graph = first_look(tracks, options);
  EdgeFits fits;
  const TreeNoise first = tree_noise(tracks, graph, sizes, options, fits);
  const std::size_t fitted = fits.noise.size();
  EXPECT_GE(fitted, graph.tree.size());
  expect_same(tree_noise(tracks, graph, sizes, options, fits), first);
  EXPECT_EQ(fits.noise.size(), fitted);
  // Another type of one edge is another fit; the others are known.
  graph.pairs[graph.tree.front()].type = model::JointType::spherical;
  EdgeFits none;
  expect_same(tree_noise(tracks, graph, sizes, options, fits),
              tree_noise(tracks, graph, sizes, options, none));
  EXPECT_GT(fits.noise.size(), fitted);
  EXPECT_LT(fits.noise.size(), fitted + none.noise.size());
}

// A hinge's distance to a slide is said, though the slide is fitted in few steps.
TEST(TreeNoise, HowFarOffASlideIsIsSaid) {
  MotionOptions motion;
  motion.position_noise = 0.002;
  motion.angle_noise = 0.01;
  const Discovery found = discover(simulate_motion(named_object("arm"), motion).log, "arm");
  ASSERT_EQ(found.joints.size(), 4U) << found.brief_report();
  for (const DiscoveredJoint& joint : found.joints) {
    const auto slide = std::ranges::find(joint.types, model::JointType::prismatic, &TypeScore::type);
    ASSERT_NE(slide, joint.types.end());
    EXPECT_LT(slide->score, joint.score - 100);  // of 200 frames
  }
}

}  // namespace
}  // namespace prehend::articulation
