// How often mend finds the true contacts, by family of scenes and noise. Usage: mend_sweep_tool [scenes per family] [seed] [family] [given]
// `given`: the noise is told; otherwise it is found. With a family and one scene the differences are printed.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "mend_scenes.h"
#include <prehend/geometry/proximity.h>
#include <prehend/math/angles.h>
#include <prehend/stability/contact_forces.h>

using namespace prehend;
using namespace prehend::stability;
using namespace prehend::stability::mend_scenes;

namespace {

struct Count {
  int scenes{0}, right{0}, extra{0}, missing{0}, not_ok{0}, overlapping{0}, falling{0}, bodies{0};
  double time_ms{0.0}, worst_ms{0.0};
};

bool stands(const model::Scene& scene) {
  ContactForcesOptions options;
  options.check_prestress = false;
  return contact_forces(scene, options).status == ContactForcesStatus::stable;
}

double apart(const model::Scene& scene, int a, int b) {
  double least = 1e9;
  for (const model::Geom& i : scene.bodies[a].geoms) {
    for (const model::Geom& k : scene.bodies[b].geoms) {
      least =
          std::min(least, geometry::proximity(geometry::ProximityShape(i.mesh), scene.bodies[a].X_WB * i.X_BG,
                                              geometry::ProximityShape(k.mesh), scene.bodies[b].X_WB * k.X_BG)
                              .distance);
    }
  }
  return least;
}

void print_difference(const model::Scene& truth, const std::set<std::pair<int, int>>& wanted,
                      const std::set<std::pair<int, int>>& got, std::uint64_t seed) {
  std::printf("    seed %lu:", static_cast<unsigned long>(seed));
  for (const auto& [a, b] : wanted) {
    if (!got.contains({a, b}))
      std::printf(" -%s/%s", truth.bodies[a].name.c_str(), truth.bodies[b].name.c_str());
  }
  for (const auto& [a, b] : got) {
    if (!wanted.contains({a, b}))

      std::printf(" +%s/%s (%.2f mm apart)", truth.bodies[a].name.c_str(), truth.bodies[b].name.c_str(),
                  1e3 * apart(truth, a, b));
  }
  std::printf("\n");
}

void sweep(Family family, const PoseNoise& noise, int count, std::uint64_t seed, bool given, bool tell) {
  Count total;
  for (std::uint64_t k = 0; total.scenes < count; ++k) {
    const model::Scene truth = Maker(family, seed + k).scene;
    if (truth.bodies.size() > 23 || !stands(truth)) continue;
    ++total.scenes;
    MendOptions options;
    if (given) options.noise = noise;
    const model::Scene seen = disturbed(truth, noise, seed + k);
    const std::clock_t start = std::clock();
    const MendResult result = mend(seen, options);
    const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;  // of this process
    total.time_ms += ms;
    total.worst_ms = std::max(total.worst_ms, ms);
    total.bodies += static_cast<int>(truth.bodies.size()) - 2;
    const auto wanted = contact_graph(truth), got = contact_graph(result.scene);
    total.right += wanted == got;
    bool extra = false, missing = false;
    for (const auto& pair : got) extra = extra || !wanted.contains(pair);
    for (const auto& pair : wanted) missing = missing || !got.contains(pair);
    total.extra += extra;
    total.missing += missing;
    total.not_ok += result.status != MendStatus::ok;
    total.overlapping += result.deepest_after > 1e-6;
    total.falling += !stands(result.scene);
    if (tell && wanted != got) print_difference(truth, wanted, got, seed + k);
    if (tell && result.status != MendStatus::ok) std::printf("    %s\n", result.brief_report().c_str());
  }
  const double n = total.scenes;
  std::printf(
      "%-8s %4.1f mm %4.1f deg  right %5.1f %%  extra %3d missing %3d  not ok %3d overlapping %3d falling "
      "%3d  "
      "%4.1f bodies %6.1f ms (worst %6.1f)\n",
      name_of(family), 1e3 * noise.position, math::degrees(noise.angle), 100.0 * total.right / n, total.extra,
      total.missing, total.not_ok, total.overlapping, total.falling, total.bodies / n, total.time_ms / n,
      total.worst_ms);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 40;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string only = argc > 3 ? argv[3] : "all";
  const bool given = argc > 4 && std::string(argv[4]) == "given", tell = argc > 5;
  for (const PoseNoise& noise : {PoseNoise{3e-4, 0.2 * math::kDegree}, PoseNoise{1e-3, 0.5 * math::kDegree},
                                 PoseNoise{3e-3, 1.0 * math::kDegree}}) {
    for (const Family family : kFamilies) {
      if (only == "all" || only == name_of(family)) sweep(family, noise, count, seed, given, tell);
    }
  }
}
