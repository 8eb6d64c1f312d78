// Real assemblies and arrangements: verdicts as published with the data, every answer proven.
#include <filesystem>

#include <gtest/gtest.h>
#include <tests/places.h>

#include <prehend/geometry/sampling.h>
#include <prehend/math/random.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {
namespace {

void expect_proven(const model::Scene& scene, const ContactSystemOptions& options, Stability expected,
                   const std::string& name) {
  const LimitAnalysis analysis(build_contact_system(scene, options));
  const ContactSystem& system = analysis.system();
  ASSERT_EQ(analysis.stability(), expected) << name;
  if (expected == Stability::unstable) {
    const Certificate falls = check_falling(system, analysis.falling());
    EXPECT_TRUE(falls.valid) << name << falls.brief_report();
    return;
  }
  const Certificate rests = check_resting_forces(system, analysis.resting_forces());
  EXPECT_TRUE(rests.valid) << name << rests.brief_report();
  math::RandomStream random(4);
  std::vector<Load> loads;
  for (int i = 0; i < 16; ++i) {
    const NodeIndex node(static_cast<int>(random.below(static_cast<std::uint32_t>(system.bodies.size()))));
    const auto mesh = scene.mesh_W({system.bodies[node].body, model::GeomIndex(0)});
    const auto sample = geometry::sample_surface(mesh, 1, random).front();
    loads.push_back({{node, system.force_wrench(-sample.normal, sample.point)}});
  }
  const std::vector<PushAnswer> answers = analysis.ask(loads);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Certificate proven = check_answer(system, loads[i], answers[i]);
    EXPECT_TRUE(proven.valid) << name << " push " << i << ": " << proven.brief_report() << answers[i].note;
  }
}

TEST(PublishedScenes, Assemblies) {
  const std::string folder = prehend::test::shared_data() + "/assemblies/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared data at " << folder;
  const struct {
    const char* name;
    double friction;
    Stability verdict;
    double tolerance{1e-4};
  } cases[] = {
      {"A", 0.84, Stability::stable},
      {"A", 0.5, Stability::unstable},
      {"H", 0.84, Stability::stable},
      {"bridge", 0.9, Stability::stable},
      {"concave-long", 0.84, Stability::stable},
      {"concave-short", 0.84, Stability::stable},
      {"cubes", 0.84, Stability::stable},
      {"shelf-stable", 0.9, Stability::stable},
      {"type-a", 0.84, Stability::stable},
      {"type-b", 0.84, Stability::stable},
      {"shelf", 0.84, Stability::unstable},
      {"shelf", 1.0, Stability::stable},
      {"shelf-s1", 0.84, Stability::unstable},
      {"shelf-s1", 1.0, Stability::stable},
      {"curve-3-blocks", 0.84, Stability::stable, 1e-2},
  };
  for (const auto& test : cases) {
    const model::Scene scene = model::read_scene(folder + test.name + ".json", {.friction = test.friction});
    ContactSystemOptions options;
    options.contact.gap_tolerance = test.tolerance;
    expect_proven(scene, options, test.verdict, test.name);
  }
}

TEST(PublishedScenes, Arrangements) {
  const std::string file = prehend::test::shared_data() + "/transport/arrangements.yaml";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no shared data at " << file;
  for (const char* name : {"box_arch", "pink_bottle", "foam_die1", "foam_die2", "simulation_box",
                           "simulation_box_h0", "simulation_box_with_fixture", "wedge", "blue_cups",
                           "flat_box", "white_cardboard_box_bottle", "brown_cardboard_box_bottle"}) {
    expect_proven(model::read_scene(file + "#" + name), {}, Stability::stable, name);
  }
}

}  // namespace
}  // namespace prehend::stability
