// URDF: the tree of links. The root stands at the world's origin and is fixed (a root named `world` is the
// world itself); links on a floating joint are movable. Friction comes from the options, as URDF has none.
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <prehend/model/input_error.h>
#include <prehend/model/scenes/scene_formats.h>
#include <prehend/model/scenes/urdf_model.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

JointType joint_type_of(const UrdfJoint& joint) {
  if (joint.is_hinge()) return JointType::revolute;
  if (joint.type == "prismatic") return JointType::prismatic;
  if (joint.type == "planar") return JointType::planar;
  if (joint.type == "spherical") return JointType::spherical;
  return joint.type == "floating" ? JointType::free : JointType::rigid;
}

// A chain of URDF joints through empty links that is one joint of ours.
struct Folded {
  std::string name;
  JointType type{JointType::rigid};
  std::string parent, child;
  math::Pose X_PL;
  Eigen::Vector3d axis, axis2;                    // in the child's link frame
  Eigen::Vector3d p_LJ{Eigen::Vector3d::Zero()};  // anchor in the child's link frame
  double lower{0.0}, upper{0.0}, pitch{0.0}, reference{0.0};
  bool is_implicit{false};
  int line{0};
  double speed_limit{std::numeric_limits<double>::infinity()};
  double friction{0.0};
  bool has_motor{false};
};

class UrdfAssembler {
 public:
  UrdfAssembler(UrdfModel model, const std::string& file) : urdf_(std::move(model)), file_(file) {}

  Scene assemble() {
    scene_.format = "urdf";
    scene_.name = urdf_.name;
    scene_.notes = std::move(urdf_.notes);
    scene_.problems = std::move(urdf_.problems);
    if (urdf_.gravity) scene_.gravity_W = *urdf_.gravity;
    index_names();
    const std::string root = find_root();
    place(root);
    add_couplings();
    add_pairs();
    return std::move(scene_);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what) const { throw InputError(file_, line, what); }

  void index_names() {
    // Drake's files fix links to a `world` that they do not list.
    const auto is_world = [](const auto& it) { return it.name == "world"; };
    const auto from_world = [](const UrdfJoint& joint) { return joint.parent == "world"; };
    if (std::none_of(urdf_.links.begin(), urdf_.links.end(), is_world) &&
        std::any_of(urdf_.joints.begin(), urdf_.joints.end(), from_world)) {
      urdf_.links.emplace_back().name = "world";
    }
    for (std::size_t i = 0; i < urdf_.links.size(); ++i) {
      const auto [first, added] = link_by_name_.emplace(urdf_.links[i].name, i);
      if (!added) {
        fail(urdf_.links[i].line, "two links are named '" + urdf_.links[i].name + "' (the first on line " +
                                      std::to_string(urdf_.links[first->second].line) +
                                      "); give each its own name");
      }
    }
    std::map<std::string, int> joint_lines;
    for (std::size_t i = 0; i < urdf_.joints.size(); ++i) {
      const UrdfJoint& joint = urdf_.joints[i];
      if (!joint_lines.emplace(joint.name, joint.line).second) {
        fail(joint.line, "two joints are named '" + joint.name + "'; give each its own name");
      }
      for (const std::string& link : {joint.parent, joint.child}) {
        if (!link_by_name_.contains(link)) {
          fail(joint.line, "joint '" + joint.name + "' names the link '" + link + "', which does not exist");
        }
      }
      if (joint.parent == joint.child)
        fail(joint.line, "joint '" + joint.name + "' connects the link '" + joint.child + "' with itself");
      const auto [first, added] = incoming_.emplace(joint.child, i);
      if (!added) {
        fail(joint.line, "link '" + joint.child + "' is the child of two joints, '" +
                             urdf_.joints[first->second].name + "' and '" + joint.name +
                             "'; URDF is a tree and cannot hold loops");
      }
      outgoing_[joint.parent].push_back(i);
    }
  }

  std::string find_root() const {
    std::string root;
    for (const UrdfLink& link : urdf_.links) {
      if (incoming_.contains(link.name)) continue;
      if (!root.empty()) {
        fail(link.line,
             "links '" + root + "' and '" + link.name + "' both have no parent; connect them with a joint");
      }
      root = link.name;
    }
    if (root.empty()) fail(urdf_.links[0].line, "the joints form a cycle: no link is without a parent");
    return root;
  }

  const UrdfLink& link_named(const std::string& name) const { return urdf_.links[link_by_name_.at(name)]; }

  const UrdfJoint* only_outgoing(const std::string& link) const {
    const auto found = outgoing_.find(link);
    return found != outgoing_.end() && found->second.size() == 1 ? &urdf_.joints[found->second[0]] : nullptr;
  }

  // What the file says: a transmission, or without any the effort that its motor may exert. A joint that follows another
  // has no motor of its own.
  bool has_motor(const UrdfJoint& joint) const {
    if (!joint.mimic.empty()) return false;
    if (urdf_.driven.empty()) return joint.effort > 0.0;
    return std::find(urdf_.driven.begin(), urdf_.driven.end(), joint.name) != urdf_.driven.end();
  }

  Folded plain(const UrdfJoint& joint) const {
    return {joint.name,
            joint_type_of(joint),
            joint.parent,
            joint.child,
            joint.X_PL,
            joint.axis,
            joint.axis2,
            Eigen::Vector3d::Zero(),
            joint.lower,
            joint.upper,
            0.0,
            joint.reference,
            joint.is_implicit,
            joint.line,
            joint.speed_limit,
            joint.friction,
            has_motor(joint)};
  }

  // joint, then `next` behind the empty link between them, as one motion of the last link.
  static Folded chained(const Folded& first, const UrdfJoint& next) {
    Folded both = first;
    const math::Pose X_LM = next.X_PL.inverse();
    both.child = next.child;
    both.X_PL = first.X_PL * next.X_PL;
    both.axis = X_LM.q() * first.axis;
    both.axis2 = next.axis;
    both.p_LJ = X_LM * first.p_LJ;
    return both;
  }

  bool folds_to_screw(const UrdfJoint& first, const UrdfJoint& second, Folded& screw) const {
    const bool hinge_first = first.is_hinge() && second.type == "prismatic";
    if (!hinge_first && !(second.is_hinge() && first.type == "prismatic")) return false;
    const UrdfJoint& hinge = hinge_first ? first : second;
    const UrdfJoint& slide = hinge_first ? second : first;
    const bool slide_follows = slide.mimic == hinge.name && slide.offset == 0.0 && slide.multiplier != 0.0;
    const bool hinge_follows = hinge.mimic == slide.name && hinge.offset == 0.0 && hinge.multiplier != 0.0;
    const Folded both = chained(plain(first), second);
    if (!(slide_follows || hinge_follows) || both.axis.cross(both.axis2).norm() > 1e-9) return false;
    screw = both;
    screw.type = JointType::screw;
    screw.name = hinge.name;
    if (!hinge_first) {
      screw.axis = both.axis2;
      screw.p_LJ.setZero();
    }
    const double sign = both.axis.dot(both.axis2) < 0.0 ? -1.0 : 1.0;
    screw.pitch = sign * (slide_follows ? slide.multiplier : 1.0 / hinge.multiplier);
    screw.lower = hinge.lower;
    screw.upper = hinge.upper;
    screw.reference = hinge.reference;
    screw.speed_limit = hinge.speed_limit;
    return true;
  }

  Folded fold(const UrdfJoint& joint) {
    Folded folded = plain(joint);
    const UrdfLink& middle = link_named(joint.child);
    const UrdfJoint* next = only_outgoing(joint.child);
    if (!middle.is_empty() || next == nullptr) {
      note_mimic(joint);
      return folded;
    }
    if (folds_to_screw(joint, *next, folded)) {
      visited_.insert(joint.child);
      return folded;
    }
    if (middle.part_of.empty()) {
      note_mimic(joint);
      return folded;
    }
    visited_.insert(joint.child);
    folded = chained(folded, *next);
    for (int extra = 0; extra < 2 && link_named(folded.child).part_of == middle.part_of; ++extra) {
      next = only_outgoing(folded.child);
      if (next == nullptr) break;
      visited_.insert(folded.child);
      folded = chained(folded, *next);
    }
    folded.name = middle.part_of;
    folded.type = *middle.part_type;
    return folded;
  }

  void note_mimic(const UrdfJoint& joint) {
    if (!joint.mimic.empty()) followers_.push_back(&joint);
  }

  void add_couplings() {
    const auto find = [&](const std::string& name) {
      for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
        if (scene_.joints[j].name == name) return JointIndex(j);
      }
      return JointIndex();
    };
    for (const UrdfJoint* joint : followers_) {
      const JointIndex follower = find(joint->name), leader = find(joint->mimic);
      if (follower.is_valid() && leader.is_valid() && follower != leader) {
        scene_.couplings.push_back(
            {joint->name + "_mimic", {{follower, 1.0}, {leader, -joint->multiplier}}, {}});
        continue;
      }
      scene_.problems.push_back("joint '" + joint->name + "' mimics '" + joint->mimic +
                                "', which is no joint of its own; the coupling is ignored");
    }
  }

  BodyIndex add_body(const UrdfLink& link, const math::Pose& X_WL, bool is_root) {
    const bool is_world = is_root && link.name == "world";
    if (!is_world) scene_.bodies.emplace_back();
    Body& body = is_world ? scene_.bodies[0] : scene_.bodies.back();
    const math::Pose X_LB = math::Pose::translation(link.p_LB), X_BL = X_LB.inverse();
    body.name = link.name;
    body.line = link.line;
    body.X_WB = X_WL * X_LB;
    body.inertia = link.inertia.expressed_in(X_BL);
    body.geoms = link.geoms;
    for (Geom& geom : body.geoms) geom.X_BG = X_BL * geom.X_BG;
    return is_world ? scene_.world() : BodyIndex(scene_.bodies.size() - 1);
  }

  // Breadth first from the root; cannot recurse too deep, and meets every link once.
  void place(const std::string& root) {
    struct Placed {
      std::string link;
      BodyIndex body;
    };
    std::vector<Placed> queue{{root, add_body(link_named(root), math::Pose(), true)}};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Placed at = queue[i];
      visited_.insert(at.link);
      const auto found = outgoing_.find(at.link);
      if (found == outgoing_.end()) continue;
      const math::Pose X_PbPl = math::Pose::translation(-link_named(at.link).p_LB);
      for (const std::size_t index : found->second) {
        const Folded folded = fold(urdf_.joints[index]);
        const UrdfLink& child = link_named(folded.child);
        const math::Pose X_PC = X_PbPl * folded.X_PL * math::Pose::translation(child.p_LB);
        const math::Pose X_WL = scene_.bodies[at.body].X_WB * X_PbPl * folded.X_PL;
        const BodyIndex body = add_body(child, X_WL, false);
        queue.push_back({folded.child, body});
        scene_.bodies[body].movable = folded.type == JointType::free;
        if (folded.is_implicit) continue;
        Joint joint;
        joint.name = folded.name;
        joint.type = folded.type;
        joint.parent = at.body;
        joint.child = body;
        joint.X_PC = X_PC;
        const bool has_axis = joint.type != JointType::rigid && joint.type != JointType::free &&
                              joint.type != JointType::spherical;
        const bool has_axis2 = joint.type == JointType::universal || joint.type == JointType::planar;
        if (has_axis) joint.axis_C = folded.axis;
        if (has_axis2) joint.axis2_C = folded.axis2;
        if (joint.type != JointType::rigid && joint.type != JointType::free)
          joint.p_CJ = folded.p_LJ - child.p_LB;
        joint.lower = folded.lower + folded.reference;
        joint.upper = folded.upper + folded.reference;
        joint.pitch = folded.pitch;
        joint.reference = folded.reference;
        joint.speed_limit = folded.speed_limit;
        joint.friction = folded.friction;
        if (folded.has_motor && joint.type != JointType::rigid && joint.type != JointType::free)
          joint.motor = std::numeric_limits<double>::infinity();
        scene_.joints.push_back(joint);
      }
    }
    // One root and one parent each: what the walk did not meet hangs on itself.
    for (const UrdfLink& link : urdf_.links) {
      if (visited_.contains(link.name)) continue;
      fail(link.line, "link '" + link.name + "' is not connected to the root; its joints form a cycle");
    }
  }

  void add_pairs() {
    std::map<std::string, GeomRef> geoms;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      for (std::size_t g = 0; g < scene_.bodies[b].geoms.size(); ++g) {
        geoms.emplace(scene_.bodies[b].geoms[g].name, GeomRef{BodyIndex(b), GeomIndex(g)});
      }
    }
    const auto body = [&](const std::string& name) {
      const BodyIndex index = scene_.find_body(name);
      if (!index.is_valid()) fail(0, "a friction pair names the body '" + name + "', which does not exist");
      return index;
    };
    for (const UrdfPair& pair : urdf_.geom_pairs) {
      if (!geoms.contains(pair.a) || !geoms.contains(pair.b))
        fail(0, "a friction pair names a geom that does not exist");
      scene_.geom_pairs.push_back({geoms.at(pair.a), geoms.at(pair.b), pair.friction, pair.condim});
    }
    for (const UrdfPair& pair : urdf_.body_pairs)
      scene_.body_pairs.push_back({body(pair.a), body(pair.b), pair.friction});
    for (const UrdfPair& pair : urdf_.excluded) scene_.excluded_pairs.push_back({body(pair.a), body(pair.b)});
  }

  UrdfModel urdf_;
  const std::string& file_;
  Scene scene_;
  std::map<std::string, std::size_t> link_by_name_;
  std::set<std::string> visited_;
  std::vector<const UrdfJoint*> followers_;                   // joints that mimic another
  std::map<std::string, std::size_t> incoming_;               // child link -> joint
  std::map<std::string, std::vector<std::size_t>> outgoing_;  // parent link -> joints
};

}  // namespace

Scene read_urdf(const std::string& text, const std::string& file, const SceneOptions& options) {
  Scene scene = UrdfAssembler(parse_urdf(text, file, options), file).assemble();
  scene.notes.push_back("URDF carries no friction: taken as " + exact_number(options.friction) +
                        " where no extension says otherwise");
  return scene;
}

}  // namespace prehend::model
