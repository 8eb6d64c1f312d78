// The objects of source K, drawn from its pictures, and a cupboard: sizes are ours. At rest all parts have the axes of the root: x to the
// right, y away from the viewer, z up.
#include <initializer_list>
#include <stdexcept>

#include <prehend/articulation/simulated/simulated_object.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

using math::kDegree;
using model::JointType;
const Eigen::Vector3d kX = Eigen::Vector3d::UnitX(), kY = Eigen::Vector3d::UnitY(),
                      kZ = Eigen::Vector3d::UnitZ();

class Builder {
 public:
  Builder(const char* name, const char* root, const Eigen::Vector3d& size) {
    object_.name = name;
    object_.parts.push_back({root, size});
    places_.push_back(Eigen::Vector3d::Zero());
  }

  struct Motion {
    JointType type;
    Eigen::Vector3d axis;
    Eigen::Vector3d anchor;  // [m] in the root's frame at rest
    double lower, upper;     // [rad] or [m]
  };
  // `place`: of the part's origin in the root's frame at rest [m]. Returns the part's number.
  int add(const char* name, const Eigen::Vector3d& size, int parent, const Eigen::Vector3d& place,
          const Motion& motion) {
    const int part = static_cast<int>(object_.parts.size());
    SimulatedJoint made;
    made.joint.name = object_.parts[static_cast<std::size_t>(parent)].name + "_" + name;
    made.joint.type = motion.type;
    made.joint.parent = model::BodyIndex(parent);
    made.joint.child = model::BodyIndex(part);
    made.joint.X_PC = math::Pose::translation(place - places_[static_cast<std::size_t>(parent)]);
    made.joint.axis_C = motion.axis.normalized();
    made.joint.axis2_C = made.joint.axis_C.unitOrthogonal();
    made.joint.p_CJ = motion.anchor - place;
    made.joint.lower = motion.lower;
    made.joint.upper = motion.upper;
    made.lower = {motion.lower};
    made.upper = {motion.upper};
    object_.parts.push_back({name, size});
    object_.joints.push_back(std::move(made));
    places_.push_back(place);
    return part;
  }
  // The part's joint takes ratio times the state of another part's joint.
  void follow(int part, int leader, double ratio) {
    SimulatedJoint& joint = object_.joints[static_cast<std::size_t>(part - 1)];
    joint.follows = leader - 1;
    joint.ratio = ratio;
  }
  void close_loop(int part_a, int part_b) { object_.loops.push_back({part_a, part_b, JointType::revolute}); }
  SimulatedObject done() const {
    object_.validate();
    return object_;
  }

 private:
  SimulatedObject object_;
  std::vector<Eigen::Vector3d> places_;
};

Builder::Motion hinge(const Eigen::Vector3d& axis, const Eigen::Vector3d& anchor, double lower_deg,
                      double upper_deg) {
  return {JointType::revolute, axis, anchor, lower_deg * kDegree, upper_deg * kDegree};
}

SimulatedObject lamp() {
  Builder b("lamp", "base", {0.20, 0.14, 0.06});
  const int post = b.add("post", {0.06, 0.06, 0.14}, 0, {0, 0, 0.12}, hinge(kZ, {0, 0, 0}, -45, 45));
  // The two-bar linkage, moved so that its end goes straight.
  const int carrier = b.add("carrier", {0.08, 0.06, 0.08}, post, {0.16, 0, 0.28},
                            {JointType::prismatic, Eigen::Vector3d(0.6, 0, 0.8), {0, 0, 0.12}, -0.10, 0.12});
  const int neck =
      b.add("neck", {0.12, 0.05, 0.06}, carrier, {0.25, 0, 0.34}, hinge(kY, {0.18, 0, 0.31}, -40, 40));
  b.add("shade", {0.10, 0.09, 0.09}, neck, {0.36, 0, 0.34}, hinge(kX, {0.31, 0, 0.34}, -35, 35));
  return b.done();
}

SimulatedObject lamp_linkage() {
  Builder b("lamp_linkage", "base", {0.20, 0.14, 0.06});
  const int post = b.add("post", {0.06, 0.06, 0.14}, 0, {0, 0, 0.12}, hinge(kZ, {0, 0, 0}, -45, 45));
  // A parallelogram: both bars turn alike, and the carrier turns back, so that it keeps its direction.
  const int bar_a =
      b.add("bar_a", {0.30, 0.02, 0.05}, post, {0.15, 0.03, 0.14}, hinge(kY, {0, 0.03, 0.14}, -50, 20));
  const int bar_b =
      b.add("bar_b", {0.30, 0.02, 0.05}, post, {0.15, -0.03, 0.20}, hinge(kY, {0, -0.03, 0.20}, -50, 20));
  b.follow(bar_b, bar_a, 1.0);
  const int carrier =
      b.add("carrier", {0.06, 0.06, 0.14}, bar_a, {0.30, 0, 0.17}, hinge(kY, {0.30, 0.03, 0.14}, -20, 50));
  b.follow(carrier, bar_a, -1.0);
  b.close_loop(bar_b, carrier);
  const int neck =
      b.add("neck", {0.10, 0.05, 0.06}, carrier, {0.38, 0, 0.22}, hinge(kY, {0.32, 0, 0.22}, -40, 40));
  b.add("shade", {0.10, 0.09, 0.09}, neck, {0.48, 0, 0.22}, hinge(kX, {0.43, 0, 0.22}, -35, 35));
  return b.done();
}

SimulatedObject arm() {
  Builder b("arm", "base", {0.16, 0.16, 0.08});
  const int shoulder = b.add("shoulder", {0.10, 0.10, 0.10}, 0, {0, 0, 0.10}, hinge(kZ, {0, 0, 0}, -60, 60));
  const int upper =
      b.add("upper_arm", {0.09, 0.07, 0.22}, shoulder, {0, 0, 0.27}, hinge(kY, {0, 0, 0.15}, -35, 50));
  const int fore =
      b.add("forearm", {0.20, 0.07, 0.08}, upper, {0.12, 0, 0.40}, hinge(kY, {0, 0, 0.40}, -60, 40));
  b.add("hand", {0.09, 0.07, 0.08}, fore, {0.28, 0, 0.40}, hinge(kY, {0.23, 0, 0.40}, -50, 50));
  return b.done();
}

SimulatedObject chair() {
  Builder b("chair", "seat", {0.45, 0.45, 0.08});
  b.add("backrest", {0.06, 0.40, 0.50}, 0, {-0.25, 0, 0.32}, hinge(kY, {-0.23, 0, 0.05}, -60, 5));
  const int post = b.add("post", {0.06, 0.06, 0.30}, 0, {0, 0, -0.25},
                         {JointType::prismatic, kZ, {0, 0, -0.2}, -0.12, 0.10});
  const int base = b.add("base", {0.40, 0.40, 0.05}, post, {0, 0, -0.42}, hinge(kZ, {0, 0, -0.42}, -90, 90));
  b.add("wheel0", {0.06, 0.04, 0.06}, base, {0.20, 0, -0.48}, hinge(kZ, {0.18, 0, -0.45}, -80, 80));
  b.add("wheel1", {0.06, 0.04, 0.06}, base, {-0.10, 0.17, -0.48}, hinge(kZ, {-0.09, 0.15, -0.45}, -80, 80));
  b.add("wheel2", {0.06, 0.04, 0.06}, base, {-0.10, -0.17, -0.48}, hinge(kZ, {-0.09, -0.15, -0.45}, -80, 80));
  return b.done();
}

// A door, a drawer and a flap, as kitchens have them; not in source K.
SimulatedObject cupboard() {
  Builder b("cupboard", "body", {0.16, 0.20, 0.50});
  b.add("door", {0.20, 0.02, 0.30}, 0, {-0.20, -0.09, 0.05}, hinge(kZ, {-0.09, -0.09, 0.05}, -10, 60));
  b.add("drawer", {0.20, 0.20, 0.12}, 0, {0.20, 0, -0.12},
        {JointType::prismatic, -kY, {0.20, 0, -0.12}, 0, 0.18});
  b.add("flap", {0.20, 0.02, 0.14}, 0, {0.20, -0.09, 0.15}, hinge(kX, {0.20, -0.09, 0.07}, -5, 55));
  return b.done();
}

}  // namespace

const std::vector<std::string>& object_names() {
  static const std::vector<std::string> names = {"lamp", "lamp_linkage", "arm", "chair", "cupboard"};
  return names;
}

SimulatedObject named_object(std::string_view name) {
  if (name == "lamp") return lamp();
  if (name == "lamp_linkage") return lamp_linkage();
  if (name == "arm") return arm();
  if (name == "chair") return chair();
  if (name == "cupboard") return cupboard();
  std::string names;
  for (const std::string& known : object_names()) names += (names.empty() ? "" : ", ") + known;
  throw std::invalid_argument("no object is called '" + std::string(name) + "'; there are: " + names);
}

}  // namespace prehend::articulation
