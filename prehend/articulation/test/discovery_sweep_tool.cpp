// Cupboards that stand still, with doors, drawers and flaps that are opened, tracked with noise that differs between body and doors; and rigid
// pairs that are carried about. `discovery_sweep_tool [objects] [seed] [cupboards|carried]` prints how many are right, undetermined, and wrong with status ok.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;

struct Cupboard {
  model::PoseLog log;
  std::vector<JointType> types;  // of the children, in the body
};

// `ratio`: noise of the body over that of its doors. Doors are opened one after the other or together, smoothly, and may rest.
Cupboard cupboard(double ratio, math::RandomStream& random) {
  Cupboard result;
  const int doors = 2 + static_cast<int>(random.below(3)), frames = 120 + static_cast<int>(random.below(180));
  const double level = random.uniform(0.5, 2.0);
  const PoseNoise noise{0.0015 * level, 0.006 * level};
  result.log.parts = {"body"};
  std::vector<Joint> joints;
  std::vector<double> ranges, starts, lengths;
  const bool together = random.uniform(0, 1) < 0.3;
  for (int k = 0; k < doors; ++k) {
    result.log.parts.push_back("door" + std::to_string(k));
    const bool slides = random.uniform(0, 1) < 0.4;
    Joint joint;
    joint.type = slides ? JointType::prismatic : JointType::revolute;
    joint.X_FJ = math::Pose(random.rotation(), 0.6 * random.unit_vector());
    joint.X_MJ = math::Pose(random.rotation(), random.uniform(0.15, 0.5) * random.unit_vector());
    joints.push_back(joint);
    result.types.push_back(joint.type);
    ranges.push_back(slides ? random.uniform(0.15, 0.4) : random.uniform(0.5, 1.6));
    starts.push_back(together ? random.uniform(0, 0.3) : static_cast<double>(k) / doors);
    lengths.push_back(together ? random.uniform(0.4, 0.7) : 0.9 / doors);
  }
  const math::Pose X_WB(random.rotation(), random.unit_vector());
  for (int i = 0; i < frames; ++i) {
    const double t = static_cast<double>(i) / frames;
    for (int part = 0; part <= doors; ++part) {
      math::Pose X = X_WB;
      const double scale = part == 0 ? ratio : 1.0;
      if (part > 0) {
        const double s = std::clamp((t - starts[part - 1]) / lengths[part - 1], 0.0, 1.0);
        X = X_WB * joints[part - 1].forward(
                       State::Constant(1, ranges[part - 1] * 0.5 * (1 - std::cos(2 * M_PI * s * 0.75))));
      }
      X = disturbed(X, {scale * noise.position, scale * noise.angle}, random);
      result.log.rows.push_back({i / 30.0, part, X.p(), X.q(), 2 + static_cast<int>(result.log.rows.size())});
    }
  }
  return result;
}

bool is_right(const Discovery& found, const Cupboard& truth) {
  if (found.groups.size() != truth.types.size() + 1 || !found.loops.empty()) return false;
  for (const DiscoveredJoint& joint : found.joints)
    if (joint.parent != 0 || joint.joint.type != truth.types[joint.child - 1]) return false;
  return found.joints.size() == truth.types.size();
}

void cupboards(double ratio, int objects, int seed, int first = 0) {
  int right = 0, undetermined = 0, wrong = 0, right_undetermined = 0;
  for (int number = first; number < objects; ++number) {
    math::RandomStream random(seed, number);
    const Cupboard truth = cupboard(ratio, random);
    const Discovery found = discover(truth.log, "cupboard");
    const bool ok = found.status == DiscoveryStatus::ok, is = is_right(found, truth);
    right += ok && is;
    wrong += ok && !is;
    undetermined += !ok;
    right_undetermined += !ok && is;
    if (std::getenv("SHOW_WRONG") && !(ok && is)) {
      std::printf("%d, truth", number);
      for (const JointType type : truth.types) std::printf(" %s", to_string(type));
      std::printf("\n%s\n", found.brief_report().c_str());
    }
  }
  std::printf(
      "cupboards, noise of the body %.1f of its doors': right %d, undetermined %d (%d of them right), wrong "
      "%d\n",
      ratio, right, undetermined, right_undetermined, wrong);
  std::fflush(stdout);
}

void carried(double ratio, int objects, int seed) {
  int right = 0, undetermined = 0, wrong = 0, discovered = 0, parted = 0;
  std::string others;  // what wrong answers were
  for (int number = 0; number < objects; ++number) {
    math::RandomStream random(seed, number);
    model::PoseLog log;
    log.parts = {"a", "b"};
    const math::Pose X_AB(random.rotation(), random.uniform(0.1, 0.6) * random.unit_vector());
    const Eigen::Vector3d axis = random.unit_vector(), way = random.unit_vector();
    const PoseNoise noise{0.001, 0.004};
    for (int i = 0; i < 200; ++i) {
      const double s = i / 200.0;
      const math::Pose X(math::exp_so3(Eigen::Vector3d(1.5 * std::sin(6 * s) * axis)),
                         Eigen::Vector3d(0.4 * std::sin(9 * s) * way));
      const math::Pose poses[] = {X, X * X_AB};
      for (int part = 0; part < 2; ++part) {
        const double scale = part == 0 ? ratio : 1.0;
        const math::Pose seen = disturbed(poses[part], {scale * noise.position, scale * noise.angle}, random);
        log.rows.push_back({i / 30.0, part, seen.p(), seen.q(), 2 + 2 * i + part});
      }
    }
    const Selection selection = select_joint(log, "carried");
    const bool ok = selection.status == SelectionStatus::ok;
    right += ok && selection.best().type == JointType::rigid;
    if (ok && selection.best().type != JointType::rigid) {
      ++wrong;
      others += " " + std::to_string(number) + ":" + to_string(selection.best().type);
    }
    undetermined += !ok;
    const Discovery found = discover(log, "carried");
    const bool one = found.groups.size() == 1;
    discovered += one;
    parted += !one && found.status == DiscoveryStatus::ok;
  }
  std::printf(
      "rigid pairs carried about, noise %.1f to 1: joint right %d, undetermined %d, wrong %d%s; discover one "
      "group %d, two with status ok %d\n",
      ratio, right, undetermined, wrong, others.c_str(), discovered, parted);
  std::fflush(stdout);
}

void run(int objects, int seed, const std::string& what) {
  // One object alone: ONE=ratio:number.
  if (const char* one = std::getenv("ONE")) {
    const int number = std::atoi(std::string(one).substr(std::string(one).find(':') + 1).c_str());
    return cupboards(std::atof(one), number + 1, seed, number);
  }
  if (what != "carried")
    for (const double ratio : {0.0, 0.3, 1.0, 3.0}) cupboards(ratio, objects, seed);
  if (what != "cupboards")
    for (const double ratio : {0.2, 0.5, 1.0, 2.0, 5.0}) carried(ratio, objects, seed + 1000);
}

}  // namespace
}  // namespace prehend::articulation

int main(int argc, char** argv) {
  prehend::articulation::run(argc > 1 ? std::atoi(argv[1]) : 100, argc > 2 ? std::atoi(argv[2]) : 1,
                             argc > 3 ? argv[3] : "");
  return 0;
}
