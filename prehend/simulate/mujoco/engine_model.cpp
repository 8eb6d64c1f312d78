// From a scene to the engine's model: bodies as a tree along the joints, geoms, friction, pairs.
#include <algorithm>
#include <cmath>
#include <optional>

#include <mujoco/mujoco.h>

#include <prehend/model/friction.h>
#include <prehend/simulate/mujoco/engine.h>

namespace prehend::simulate {
namespace {

using model::Body;
using model::BodyIndex;
using model::Geom;
using model::GeomIndex;
using model::GeomRef;
using model::Joint;
using model::JointIndex;
using model::JointType;
using model::Scene;
using model::ShapeKind;

void set3(double* target, const Eigen::Vector3d& value) { std::copy_n(value.data(), 3, target); }
void set_quaternion(double* target, const Eigen::Quaterniond& q) {
  target[0] = q.w();
  target[1] = q.x();
  target[2] = q.y();
  target[3] = q.z();
}
// Names inside the engine are ours: a scene's names may be empty or repeat between bodies and geoms.
std::string body_name(BodyIndex body) {
  return body == BodyIndex(0) ? "world" : "b" + std::to_string(body.value());
}
std::string geom_name(GeomRef geom) {
  return "b" + std::to_string(geom.body.value()) + "g" + std::to_string(geom.geom.value());
}
std::string joint_name(JointIndex joint, int part) {
  return "j" + std::to_string(joint.value()) + "p" + std::to_string(part);
}

class Builder {
 public:
  Builder(const Scene& scene, const SimulationOptions& options) : scene_(scene), options_(options) {}
  Builder(const Builder&) = delete;
  ~Builder() {
    if (spec_) mj_deleteSpec(spec_);
  }

  EngineModel build() {
    spec_ = mj_makeSpec();
    set_options();
    add_bodies();
    add_pairs();
    note_what_is_left_out();
    struct Call {
      mjSpec* spec;
      mjModel* model;
    } call{spec_, nullptr};
    guarded([](void* c) { static_cast<Call*>(c)->model = mj_compile(static_cast<Call*>(c)->spec, nullptr); },
            &call);
    result_.model.reset(call.model);
    if (!result_.model)
      throw SimulationError("the physics engine refuses the scene: " + explained(mjs_getError(spec_)));
    index();
    return std::move(result_);
  }

 private:
  void set_options() {
    spec_->compiler.degree = 0;
    spec_->compiler.inertiafromgeom = mjINERTIAFROMGEOM_FALSE;
    spec_->compiler.usethread = 0;
    mjOption& option = spec_->option;
    option.timestep = options_.timestep;
    set3(option.gravity, scene_.gravity_W);
    option.cone = options_.exact_cone ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    option.impratio = options_.friction_to_normal_impedance;
    option.integrator = mjINT_IMPLICITFAST;
    option.disableflags |= mjDSBL_AUTORESET;  // an explosion is reported, not swept away
    option.disableflags &= ~mjDSBL_MULTICCD;  // several points per mesh pair: stacked boxes need them
  }

  void add_bodies() {
    const std::size_t count = scene_.bodies.size();
    std::vector<JointIndex> inboard(count);
    for (JointIndex j(0); j < scene_.joints.size(); ++j) {
      const Joint& joint = scene_.joints[j];
      if (joint.type == JointType::free) continue;
      if (joint.type == JointType::rigid && joint.parent == scene_.world()) continue;
      if (inboard[joint.child].is_valid()) {
        throw SimulationError("body '" + scene_.bodies[joint.child].name +
                              "' hangs on two joints; kinematic loops cannot be simulated yet");
      }
      inboard[joint.child] = j;
    }
    spec_bodies_.assign(count, nullptr);
    spec_bodies_[0] = mjs_findBody(spec_, "world");
    add_geoms(BodyIndex(0), spec_bodies_[0]);
    // Parents before children; a body still waiting after as many rounds as bodies sits in a loop of joints.
    for (std::size_t round = 0, placed = 1; placed < count; ++round) {
      if (round > count)
        throw SimulationError("the scene's joints form a loop; loops cannot be simulated yet");
      for (BodyIndex b(1); b < count; ++b) {
        if (spec_bodies_[b]) continue;
        const JointIndex j = inboard[b];
        const BodyIndex parent = j.is_valid() ? scene_.joints[j].parent : BodyIndex(0);
        if (!spec_bodies_[parent]) continue;
        add_body(b, parent, j);
        ++placed;
      }
    }
  }

  void add_body(BodyIndex b, BodyIndex parent, JointIndex j) {
    const Body& body = scene_.bodies[b];
    mjsBody* spec = spec_bodies_[b] = mjs_addBody(spec_bodies_[parent], nullptr);
    mjs_setName(spec->element, body_name(b).c_str());
    const math::Pose X_PC = j.is_valid() ? scene_.joints[j].X_PC : body.X_WB;
    set3(spec->pos, X_PC.p());
    set_quaternion(spec->quat, X_PC.q());
    const math::SpatialInertia& inertia = body.inertia;
    spec->mass = inertia.mass;
    set3(spec->ipos, inertia.com);
    const Eigen::Matrix3d& I = inertia.I_com;
    if (inertia.mass > 0.0 && !I.isZero(0.0)) {
      const double full[6] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
      std::copy_n(full, 6, spec->fullinertia);
    }
    spec->explicitinertial = 1;
    if (j.is_valid()) {
      add_joint(spec, j);
    } else if (body.movable) {
      mjs_addFreeJoint(spec);
    }
    add_geoms(b, spec);
  }

  mjsJoint* add_axis(mjsBody* body, JointIndex j, int part, mjtJoint type, const Eigen::Vector3d& axis) {
    const Joint& joint = scene_.joints[j];
    mjsJoint* spec = mjs_addJoint(body, nullptr);
    mjs_setName(spec->element, joint_name(j, part).c_str());
    spec->type = type;
    set3(spec->pos, joint.p_CJ);
    set3(spec->axis, axis);
    return spec;
  }

  void add_joint(mjsBody* body, JointIndex j) {
    const Joint& joint = scene_.joints[j];
    mjsJoint* first = nullptr;
    switch (joint.type) {
      case JointType::prismatic:
        first = add_axis(body, j, 0, mjJNT_SLIDE, joint.axis_C);
        break;
      case JointType::revolute:
        first = add_axis(body, j, 0, mjJNT_HINGE, joint.axis_C);
        break;
      case JointType::screw: {
        // The angle is the state; the slide follows it through an equality.
        first = add_axis(body, j, 0, mjJNT_HINGE, joint.axis_C);
        add_axis(body, j, 1, mjJNT_SLIDE, joint.axis_C);
        mjsEquality* equality = mjs_addEquality(spec_, nullptr);
        equality->type = mjEQ_JOINT;
        equality->objtype = mjOBJ_JOINT;
        mjs_setString(equality->name1, joint_name(j, 1).c_str());
        mjs_setString(equality->name2, joint_name(j, 0).c_str());
        std::fill_n(equality->data, mjNEQDATA, 0.0);
        equality->data[1] = joint.pitch;
        // As stiff as the engine allows: by its own default a thread yields by millimetres under a few newtons.
        equality->solref[0] = 2.0 * options_.timestep;
        equality->solref[1] = 1.0;
        equality->solimp[0] = equality->solimp[1] = 0.9999;
        break;
      }
      case JointType::cylindrical:
        first = add_axis(body, j, 0, mjJNT_HINGE, joint.axis_C);
        add_axis(body, j, 1, mjJNT_SLIDE, joint.axis_C);
        break;
      case JointType::universal:
        first = add_axis(body, j, 0, mjJNT_HINGE, joint.axis_C);
        add_axis(body, j, 1, mjJNT_HINGE, joint.axis2_C);
        break;
      case JointType::spherical:
        add_axis(body, j, 0, mjJNT_BALL, joint.axis_C);
        break;
      case JointType::planar:
        add_axis(body, j, 0, mjJNT_SLIDE, joint.axis2_C);
        add_axis(body, j, 1, mjJNT_SLIDE, joint.axis_C.cross(joint.axis2_C));
        add_axis(body, j, 2, mjJNT_HINGE, joint.axis_C);
        break;
      case JointType::rigid:
      case JointType::free:
        break;
    }
    if (!first) return;
    first->ref = joint.reference;
    const double friction = joint.friction + joint.motor;  // a motor that yields holds like dry friction
    if (friction > 0.0 && std::isfinite(friction)) first->frictionloss = friction;
    if (joint.has_limits()) {
      first->limited = mjLIMITED_TRUE;
      // The engine wants two finite numbers; a missing side is put out of reach.
      first->range[0] = std::max(joint.lower, -1e6);
      first->range[1] = std::min(joint.upper, 1e6);
    } else {
      first->limited = mjLIMITED_FALSE;
    }
  }

  void add_geoms(BodyIndex b, mjsBody* body) {
    const std::vector<Geom>& geoms = scene_.bodies[b].geoms;
    for (GeomIndex g(0); g < geoms.size(); ++g) add_geom({b, g}, geoms[g], body);
  }

  void add_geom(GeomRef ref, const Geom& geom, mjsBody* body) {
    mjsGeom* spec = mjs_addGeom(body, nullptr);
    mjs_setName(spec->element, geom_name(ref).c_str());
    set3(spec->pos, geom.X_BG.p());
    set_quaternion(spec->quat, geom.X_BG.q());
    const Eigen::Vector3d& size = geom.shape.size;
    switch (geom.shape.kind) {
      case ShapeKind::box:
        spec->type = mjGEOM_BOX;
        set3(spec->size, 0.5 * size);
        break;
      case ShapeKind::sphere:
        spec->type = mjGEOM_SPHERE;
        spec->size[0] = size[0];
        break;
      case ShapeKind::ellipsoid:
        spec->type = mjGEOM_ELLIPSOID;
        set3(spec->size, size);
        break;
      case ShapeKind::capsule:
        spec->type = mjGEOM_CAPSULE;
        set3(spec->size, {size[0], 0.5 * size[1], 0});
        break;
      case ShapeKind::cylinder:
        spec->type = mjGEOM_CYLINDER;
        set3(spec->size, {size[0], 0.5 * size[1], 0});
        break;
      case ShapeKind::plane:
        spec->type = mjGEOM_PLANE;
        set3(spec->size, {size[0], size[1], 1.0});
        break;
      case ShapeKind::mesh:
        add_mesh(ref, geom, spec);
        break;
    }
    spec->friction[0] = geom.friction;
    spec->friction[1] = spec->friction[2] = 0.0;  // rigid-body Coulomb friction knows no spin or roll
    spec->priority = geom.priority;
    spec->contype = geom.contype;
    spec->conaffinity = geom.conaffinity;
    spec->condim = geom.condim;
    spec->solref[0] = options_.contact_time_constant;
    spec->solref[1] = 1.0;
  }

  void add_mesh(GeomRef ref, const Geom& geom, mjsGeom* spec) {
    mjsMesh* mesh = mjs_addMesh(spec_, nullptr);
    mjs_setName(mesh->element, geom_name(ref).c_str());
    mesh->inertia = mjMESH_INERTIA_CONVEX;
    std::vector<float> vertices;
    std::vector<int> faces;
    vertices.reserve(3 * geom.mesh.vertices.size());
    for (const Eigen::Vector3d& v : geom.mesh.vertices) {
      for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(v[k]));
    }
    for (const Eigen::Vector3i& t : geom.mesh.triangles) faces.insert(faces.end(), t.data(), t.data() + 3);
    mjs_setFloat(mesh->uservert, vertices.data(), static_cast<int>(vertices.size()));
    mjs_setInt(mesh->userface, faces.data(), static_cast<int>(faces.size()));
    spec->type = mjGEOM_MESH;
    mjs_setString(spec->meshname, geom_name(ref).c_str());
    result_.notes.push_back("mesh geom '" + geom.name + "' of body '" + scene_.bodies[ref.body].name +
                            "' collides with its convex hull");
  }

  void add_pair(GeomRef a, GeomRef b, double friction, int condim) {
    mjsPair* pair = mjs_addPair(spec_, nullptr);
    mjs_setString(pair->geomname1, geom_name(a).c_str());
    mjs_setString(pair->geomname2, geom_name(b).c_str());
    pair->condim = condim;
    const double coefficients[5] = {friction, friction, 0, 0, 0};
    std::copy_n(coefficients, 5, pair->friction);
    pair->solref[0] = options_.contact_time_constant;
    pair->solref[1] = 1.0;
  }

  void note_what_is_left_out() {
    std::string what;
    const auto add = [&](bool is_there, const char* name) {
      if (is_there) what += (what.empty() ? "" : ", ") + std::string(name);
    };
    add(!scene_.loop_joints.empty(), "joints that close loops");
    add(!scene_.couplings.empty(), "couplings of joints and ropes");
    add(std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
                    [](const model::Body& body) { return body.carried_mass != 0.0; }),
        "weight that is carried (gravcomp)");
    if (!what.empty()) result_.notes.push_back("the physics leaves out: " + what);
  }

  bool has_geom_pair(GeomRef a, GeomRef b) const {
    return std::any_of(scene_.geom_pairs.begin(), scene_.geom_pairs.end(), [&](const model::GeomPair& pair) {
      return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
    });
  }

  void add_pairs() {
    for (const model::GeomPair& pair : scene_.geom_pairs)
      add_pair(pair.a, pair.b, pair.friction, pair.condim);
    for (const model::GeomPair& pair : model::pairs_of_smaller_friction(scene_))
      add_pair(pair.a, pair.b, pair.friction, pair.condim);
    for (const model::BodyPair& pair : scene_.body_pairs) {
      for (GeomIndex i(0); i < scene_.bodies[pair.a].geoms.size(); ++i) {
        for (GeomIndex k(0); k < scene_.bodies[pair.b].geoms.size(); ++k) {
          const GeomRef a{pair.a, i}, b{pair.b, k};
          if (has_geom_pair(a, b) || !model::may_touch(scene_, a, b)) continue;
          add_pair(a, b, model::pair_friction(scene_, a, b), 3);
        }
      }
    }
    for (const model::ExcludedPair& pair : scene_.excluded_pairs) {
      mjsExclude* exclude = mjs_addExclude(spec_);
      mjs_setString(exclude->bodyname1, body_name(pair.a).c_str());
      mjs_setString(exclude->bodyname2, body_name(pair.b).c_str());
    }
  }

  // The engine speaks of our internal names; the user knows the scene's.
  std::string explained(const char* message) const {
    std::string text = message ? message : "no reason given";
    for (BodyIndex b(1); b < scene_.bodies.size(); ++b) {
      const std::string quoted = "'" + body_name(b) + "'";
      if (text.find(quoted) != std::string::npos)
        text += " (" + quoted + " is body '" + scene_.bodies[b].name + "')";
    }
    return text;
  }

  void index() {
    const mjModel* m = result_.model.get();
    result_.bodies.assign(m->nbody, BodyIndex(0));
    result_.geoms.assign(m->ngeom, GeomRef{});
    for (BodyIndex b(0); b < scene_.bodies.size(); ++b) {
      const int id = mjs_getId(spec_bodies_[b]->element);
      result_.body_ids.push_back(id);
      result_.bodies[id] = b;
      for (GeomIndex g(0); g < scene_.bodies[b].geoms.size(); ++g) {
        result_.geoms[mj_name2id(m, mjOBJ_GEOM, geom_name({b, g}).c_str())] = {b, g};
      }
    }
    for (JointIndex j(0); j < scene_.joints.size(); ++j) {
      JointAddress address;
      for (int part = 0; part < 3; ++part) {
        const int id = mj_name2id(m, mjOBJ_JOINT, joint_name(j, part).c_str());
        if (id < 0) break;
        if (part == 0) {
          address.position = m->jnt_qposadr[id];
          address.velocity = m->jnt_dofadr[id];
        }
        address.positions += m->jnt_type[id] == mjJNT_BALL ? 4 : 1;
        address.velocities += m->jnt_type[id] == mjJNT_BALL ? 3 : 1;
      }
      result_.joints.push_back(address);
    }
  }

  const Scene& scene_;
  const SimulationOptions& options_;
  mjSpec* spec_{nullptr};
  std::vector<mjsBody*> spec_bodies_;
  EngineModel result_;
};

}  // namespace

EngineModel build_engine_model(const model::Scene& scene, const SimulationOptions& options) {
  return Builder(scene, options).build();
}

}  // namespace prehend::simulate
