// turned_tool --meshes FILE...: which meshes are taken for turned bodies. turned_tool SCENES SEED [NOISE [KEYWORD [facets]]]: sweep over turned bodies;
// `facets` keeps them. Shapes x sides x roll x twist x triangulation x pose of the whole in space; counts right,
// undetermined and wrong answers, and prints the first of each kind per shape.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <prehend/geometry/round_shape.h>
#include <prehend/model/mesh_file.h>
#include <prehend/stability/test/turned_scenes.h>

namespace {

int look_at_meshes(int count, char** paths) {
  using namespace prehend;
  int turned = 0, round = 0, read = 0;
  for (int i = 0; i < count; ++i) {
    try {
      const model::MeshFile file = model::read_mesh_file(paths[i], {});
      ++read;
      if (geometry::recognise_round(file.mesh)) {
        ++round;
        continue;
      }
      const geometry::TurnedMesh found = geometry::recognise_turned(file.mesh);
      if (found.parts.empty()) continue;
      ++turned;
      std::printf("%s: %zu triangles, %zu parts, %zu others, %d sides\n", paths[i],
                  file.mesh.triangles.size(), found.parts.size(), found.rest.triangles.size(),
                  found.parts[0].sides);
    } catch (const std::exception&) {
    }
  }
  std::printf("%d meshes, %d balls and cans, %d turned\n", read, round, turned);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace prehend;
  using namespace prehend::stability;
  if (argc > 1 && std::string(argv[1]) == "--meshes") return look_at_meshes(argc - 2, argv + 2);
  const int scenes = argc > 1 ? std::atoi(argv[1]) : 100;
  const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atoi(argv[2]) : 1);
  const double noise = argc > 3 ? std::atof(argv[3]) : 0.0;
  const std::string only = argc > 4 ? argv[4] : "";
  const bool keep_facets = argc > 5;
  const std::vector<NamedOutline> outlines = turned_outlines();
  constexpr int kSides[] = {24, 32, 48, 64, 96, 128};
  const char* kinds[] = {"ring", "line", "point"};
  std::map<std::string, std::array<int, 4>> counts;  // right, undetermined, wrong, not recognised
  for (int i = 0; i < scenes; ++i) {
    math::RandomStream random(seed, static_cast<std::uint64_t>(i));
    const NamedOutline& shape = outlines[static_cast<std::size_t>(i) % outlines.size()];
    TurnedMeshOptions options;
    options.sides = kSides[random.below(6)];
    options.twist = random.below(2) == 0 ? 0.0 : random.uniform(-1.0, 1.0) * math::kPi / options.sides;
    options.other_diagonal = random.below(2) == 0;
    options.flat_ends = random.below(2) == 0;
    options.noise = noise;
    const geometry::TriangleMesh mesh = turned_mesh(shape.outline, options, random);
    std::vector<TurnedRest> rests = turned_rests(shape.outline, random);
    if (noise > 0.0) {  // a point's balance is as exact as the mesh
      std::erase_if(rests, [](const TurnedRest& rest) { return rest.kind == TurnedRest::Kind::point; });
    }
    if (rests.empty()) continue;
    const TurnedRest rest =
        rests[static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(rests.size())))];
    const Eigen::Quaterniond q =
        Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
    const double mu = random.below(2) == 0 ? 0.2 : 1.5, roll = random.uniform(0.0, 2.0 * math::kPi);
    if (!only.empty() && shape.name.find(only) == std::string::npos) continue;
    const TurnedScene made = turned_scene(mesh, rest, roll, mu, q, random, noise == 0.0, keep_facets);
    const bool is_recognised =
        !made.scene.notes.empty() && made.scene.notes.front().find("taken") != std::string::npos;
    const std::string fault = turned_fault(made);
    auto& count = counts[shape.name + ", " + kinds[static_cast<int>(rest.kind)]];
    const bool is_undetermined = fault.find("undetermined") == 0;
    const std::size_t which = fault.empty() ? 0 : is_undetermined ? 1 : 2;
    ++count[which];
    count[3] += !is_recognised;
    if (which > 0 && count[which] <= 2)
      std::printf("%d %s, %s: %d sides, twist %.3g, roll %.3g%s: %s\n", i, shape.name.c_str(),
                  kinds[static_cast<int>(rest.kind)], options.sides, options.twist, roll,
                  is_recognised ? "" : ", not recognised", fault.substr(0, 300).c_str());
  }
  std::array<int, 4> sum{};
  for (const auto& [name, count] : counts) {
    std::printf("%-36s right %4d undetermined %4d wrong %4d not recognised %4d\n", name.c_str(), count[0],
                count[1], count[2], count[3]);
    for (std::size_t k = 0; k < 4; ++k) sum[k] += count[k];
  }
  std::printf("%-36s right %4d undetermined %4d wrong %4d not recognised %4d\n", "all", sum[0], sum[1],
              sum[2], sum[3]);
  return 0;
}
