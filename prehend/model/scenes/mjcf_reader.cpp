// MJCF through the engine's own parser and compiler: defaults, classes, frames, angles, inertia from geometry
// and mesh recentring are exactly MuJoCo's. Geometry, though, is the mesh as written, not the engine's
// recentred single-precision copy: the compiled geom pose is taken back by the pose MuJoCo moved the mesh by.
#include <cmath>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include <mujoco/mujoco.h>

#include <prehend/math/number_text.h>
#include <prehend/model/house/engine_guard.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scenes/mjcf_document.h>
#include <prehend/model/scenes/mjcf_joints.h>
#include <prehend/model/scenes/mjcf_tendons.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/scene_formats.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

struct DeleteSpec {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};
struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

struct MeshSource {
  geometry::TriangleMesh mesh_G;  // in the frame the file's geom is placed by
  math::Pose X_GM;                // the engine's recentred frame in it
};

// Where the message says "line N": begin and end; both zero when it does not.
std::pair<std::size_t, std::size_t> line_reference(const std::string& message) {
  constexpr std::size_t kWord = 5, kMostDigits = 9;
  for (std::size_t at = message.find("line "); at != std::string::npos; at = message.find("line ", at + 1)) {
    std::size_t end = at + kWord;
    while (end < message.size() && end < at + kWord + kMostDigits && message[end] >= '0' &&
           message[end] <= '9')
      ++end;
    if (end > at + kWord) return {at, end};
  }
  return {0, 0};
}

[[noreturn]] void refuse(const MjcfDocument& document, const std::string& file, std::string message,
                         const std::string& whose = "MuJoCo refuses the model: ") {
  std::string where = file;
  int line = 0;
  if (const auto [begin, end] = line_reference(message); begin < end) {
    const std::int64_t printed = parse_integer(message.substr(begin + 5, end - begin - 5)).value_or(0);
    if (printed >= 1 && printed <= static_cast<std::int64_t>(document.origin.size())) {
      std::tie(where, line) = document.origin[static_cast<std::size_t>(printed - 1)];
    }
    // The engine's own line numbers are those of the pruned document.
    message.erase(begin, end - begin);
  }
  std::string flat;
  for (const char c : message) flat += c == '\n' || c == '\r' ? ' ' : c;
  while (!flat.empty() && (flat.back() == ' ' || flat.back() == ',')) flat.pop_back();
  throw InputError(where, line, whose + flat);
}

// Names a solid without extent before the engine does, which says neither its kind nor its body.
void check_sizes(const mjSpec& spec, const MjcfDocument& document, const std::string& file) {
  struct Kind {
    mjtGeom type;
    int sizes;
    const char *name, *wanted;
  };
  constexpr Kind kKinds[] = {
      {mjGEOM_SPHERE, 1, "a sphere", "its radius"},
      {mjGEOM_CAPSULE, 2, "a capsule", "its radius and half of its length"},
      {mjGEOM_CYLINDER, 2, "a cylinder", "its radius and half of its length"},
      {mjGEOM_ELLIPSOID, 3, "an ellipsoid", "its three half-axes"},
      {mjGEOM_BOX, 3, "a box", "half of its three sides"},
  };
  for (mjsElement* e = mjs_firstElement(&spec, mjOBJ_GEOM); e != nullptr; e = mjs_nextElement(&spec, e)) {
    const mjsGeom* geom = mjs_asGeom(e);
    // Sizes may come from end points, or from a mesh.
    if (geom == nullptr || std::isfinite(geom->fromto[0]) || *mjs_getString(geom->meshname) != '\0') continue;
    for (const Kind& kind : kKinds) {
      if (kind.type != geom->type) continue;
      std::string sizes;
      bool is_solid = true;
      for (int i = 0; i < kind.sizes; ++i) {
        sizes += (i > 0 ? " " : "") + math::number_text(geom->size[i]);
        is_solid = is_solid && geom->size[i] > 0.0;
      }
      if (is_solid) continue;
      mjsBody* const body = mjs_getParent(e);
      const std::string name = body != nullptr ? mjs_getString(mjs_getName(body->element)) : "";
      refuse(document, file,
             "a geom of body '" + name + "' is " + kind.name + " of size '" + sizes + "': " + kind.wanted +
                 " must be positive, in metres " + mjs_getString(geom->info),
             "");
    }
  }
}

std::unique_ptr<mjSpec, DeleteSpec> parse(const MjcfDocument& document, const std::string& file) {
  char error[1024] = "";
  std::unique_ptr<mjSpec, DeleteSpec> spec(
      mj_parseXMLString(document.xml.c_str(), nullptr, error, sizeof error));
  if (!spec) refuse(document, file, error);
  spec->compiler.usethread = 0;
  check_sizes(*spec, document, file);
  for (const MjcfMeshFile& source : document.meshes) {
    mjsMesh* mesh = mjs_asMesh(mjs_findElement(spec.get(), mjOBJ_MESH, source.name.c_str()));
    if (mesh == nullptr) refuse(document, file, "mesh '" + source.name + "' got lost");
    std::vector<float> vertices;
    for (const Eigen::Vector3d& vertex : source.mesh.vertices) {
      for (int i = 0; i < 3; ++i) vertices.push_back(static_cast<float>(vertex[i]));
    }
    std::vector<int> faces;
    for (const Eigen::Vector3i& triangle : source.mesh.triangles) {
      faces.insert(faces.end(), {triangle[0], triangle[1], triangle[2]});
    }
    mjs_setFloat(mesh->uservert, vertices.data(), static_cast<int>(vertices.size()));
    mjs_setInt(mesh->userface, faces.data(), static_cast<int>(faces.size()));
  }
  return spec;
}

Eigen::Vector3d vector_at(const mjtNum* numbers, int index) {
  return {numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]};
}

Eigen::Quaterniond quaternion_at(const mjtNum* numbers, int index) {
  const mjtNum* q = numbers + 4 * index;
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

math::Pose pose_at(const mjtNum* positions, const mjtNum* quaternions, int index) {
  return {quaternion_at(quaternions, index), vector_at(positions, index)};
}

class Converter {
 public:
  Converter(const mjModel& model, mjSpec& spec, const MjcfDocument& document, const std::string& file,
            const SceneOptions& options)
      : m_(model), spec_(spec), document_(document), file_(file), options_(options) {
    if (!document.has_keyframe) return;
    const std::size_t states = document.keyframe_states, wanted = static_cast<std::size_t>(model.nq);
    if (states != 0 && states != wanted) {  // the engine fills up, or leaves out
      throw InputError(document.keyframe_file, document.keyframe_line,
                       "qpos of the keyframe '" + options.arrangement + "' has " + std::to_string(states) +
                           " numbers; the model's joints need " + std::to_string(wanted));
    }
    keyframe_.reset(mj_makeData(&model));
    mj_resetDataKeyframe(&model, keyframe_.get(), 0);
    mj_kinematics(&model, keyframe_.get());
  }

  Scene convert() {
    scene_.format = "mjcf";
    scene_.name = document_.name;
    scene_.notes = document_.notes;
    scene_.problems = document_.problems;
    note_keyframes();
    scene_.gravity_W = vector_at(m_.opt.gravity, 0);
    if (m_.opt.disableflags & mjDSBL_GRAVITY) {
      scene_.gravity_W.setZero();
      scene_.notes.emplace_back("the model switches gravity off");
    }
    convert_bodies();
    convert_meshes();
    for (int g = 0; g < m_.ngeom; ++g) convert_geom(g);
    read_tendons();
    convert_joints();
    convert_pairs();
    if (is_off(mjDSBL_CONTACT)) switch_contacts_off();
    note_margins();
    return std::move(scene_);
  }

 private:
  bool is_off(int flag) const { return (m_.opt.disableflags & (flag | mjDSBL_CONSTRAINT)) != 0; }

  void switch_contacts_off() {
    for (Body& body : scene_.bodies) {
      for (Geom& geom : body.geoms) geom.contype = geom.conaffinity = 0;
    }
    scene_.geom_pairs.clear();
    scene_.problems.emplace_back("the model switches contacts off (<flag>): nothing touches");
  }

  void note_keyframes() {
    if (document_.keyframes.empty()) return;
    if (keyframe_) {
      scene_.notes.push_back("stands as its keyframe '" + options_.arrangement + "' has it");
    } else {
      scene_.notes.push_back(
          "stands as its bodies are written; its keyframes are read by FILE#NAME, as in #" +
          document_.keyframes.front());
    }
  }

  // The state as posed.
  double state_at(int address) const { return (keyframe_ ? keyframe_->qpos : m_.qpos0)[address]; }

  // The engine keeps geoms apart by the sum of their margins.
  void note_margins() {
    double largest = 0.0;
    for (int g = 0; g < m_.ngeom; ++g) {
      if (m_.geom_contype[g] == 0 && m_.geom_conaffinity[g] == 0) continue;
      largest = std::max(largest, m_.geom_margin[g]);
    }
    if (!(largest > 0.0)) return;
    scene_.notes.push_back("geoms have contact margins of up to " + math::number_text(1e3 * largest, 3) +
                           " mm, by which the engine keeps them apart; those no farther apart touch here");
  }

  std::string name_of(mjtObj kind, int id, const std::string& fallback) {
    const char* name = mj_id2name(&m_, kind, id);
    if (name != nullptr && *name != '\0') return name;
    std::string made = fallback + "_" + std::to_string(id);
    while (mj_name2id(&m_, kind, made.c_str()) >= 0) made += "_";
    return made;
  }

  void convert_bodies() {
    scene_.bodies.resize(static_cast<std::size_t>(m_.nbody));
    for (int b = 1; b < m_.nbody; ++b) {
      Body& body = scene_.bodies[static_cast<std::size_t>(b)];
      body.name = name_of(mjOBJ_BODY, b, "body");
      const math::Pose X_PB = pose_at(m_.body_pos, m_.body_quat, b);
      body.X_WB = scene_.bodies[static_cast<std::size_t>(m_.body_parentid[b])].X_WB * X_PB;
      if (keyframe_) body.X_WB = pose_at(keyframe_->xpos, keyframe_->xquat, b);
      const auto line = document_.body_lines.find(body.name);
      if (line != document_.body_lines.end()) body.line = line->second;
      body.inertia.mass = m_.body_mass[b];
      if (body.inertia.mass == 0.0) continue;  // the engine still places a centre of mass
      body.inertia.com = vector_at(m_.body_ipos, b);
      body.carried_mass = m_.body_gravcomp[b] * m_.body_mass[b];
      body.carried_com = body.inertia.com;
      const Eigen::Matrix3d R = quaternion_at(m_.body_iquat, b).toRotationMatrix();
      body.inertia.I_com = R * vector_at(m_.body_inertia, b).asDiagonal() * R.transpose();
      body.inertia.I_com = (0.5 * (body.inertia.I_com + body.inertia.I_com.transpose())).eval();
    }
  }

  void convert_meshes() {
    std::unordered_map<std::string, const geometry::TriangleMesh*> by_name;
    for (const MjcfMeshFile& file : document_.meshes) by_name.emplace(file.name, &file.mesh);
    for (int i = 0; i < m_.nmesh; ++i) {
      MeshSource source;
      source.X_GM = pose_at(m_.mesh_pos, m_.mesh_quat, i);
      const std::string name = name_of(mjOBJ_MESH, i, "mesh");
      const auto found = by_name.find(name);
      if (found != by_name.end()) {
        // MuJoCo subtracts the reference pose first and scales afterwards.
        const mjsMesh* mesh = mjs_asMesh(mjs_findElement(&spec_, mjOBJ_MESH, name.c_str()));
        const math::Pose X_FR(
            Eigen::Quaterniond(mesh->refquat[0], mesh->refquat[1], mesh->refquat[2], mesh->refquat[3])
                .normalized(),
            {mesh->refpos[0], mesh->refpos[1], mesh->refpos[2]});
        source.mesh_G = geometry::scaled(geometry::transformed(*found->second, X_FR.inverse()),
                                         vector_at(m_.mesh_scale, i));
      } else {
        for (int v = 0; v < m_.mesh_vertnum[i]; ++v) {
          const float* p = m_.mesh_vert + 3 * (m_.mesh_vertadr[i] + v);
          source.mesh_G.vertices.push_back(source.X_GM * Eigen::Vector3d(p[0], p[1], p[2]));
        }
        for (int f = 0; f < m_.mesh_facenum[i]; ++f) {
          const int* t = m_.mesh_face + 3 * (m_.mesh_faceadr[i] + f);
          source.mesh_G.triangles.emplace_back(t[0], t[1], t[2]);
        }
      }
      meshes_.push_back(std::move(source));
    }
  }

  // The solid between the surface and its base: a row of the data runs along x, the rows along y.
  geometry::TriangleMesh height_field(int id) const {
    const int rows = m_.hfield_nrow[id], columns = m_.hfield_ncol[id];
    const mjtNum* size = m_.hfield_size + 4 * id;  // half lengths along x and y, height, depth of the base
    const float* heights = m_.hfield_data + m_.hfield_adr[id];
    geometry::TriangleMesh mesh;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        mesh.vertices.emplace_back(size[0] * (2.0 * c / (columns - 1) - 1.0),
                                   size[1] * (2.0 * r / (rows - 1) - 1.0),
                                   size[2] * heights[r * columns + c]);
      }
    }
    std::vector<int> rim;  // anticlockwise from above
    for (int c = 0; c < columns; ++c) rim.push_back(c);
    for (int r = 1; r < rows; ++r) rim.push_back(r * columns + columns - 1);
    for (int c = columns - 2; c >= 0; --c) rim.push_back((rows - 1) * columns + c);
    for (int r = rows - 2; r > 0; --r) rim.push_back(r * columns);
    for (int r = 0; r + 1 < rows; ++r) {
      for (int c = 0; c + 1 < columns; ++c) {
        const int a = r * columns + c;
        mesh.triangles.emplace_back(a, a + 1, a + columns + 1);
        mesh.triangles.emplace_back(a, a + columns + 1, a + columns);
      }
    }
    const int base = static_cast<int>(mesh.vertices.size()), count = static_cast<int>(rim.size());
    for (const int top : rim) {
      const Eigen::Vector3d p = mesh.vertices[static_cast<std::size_t>(top)];
      mesh.vertices.emplace_back(p.x(), p.y(), -size[3]);
    }
    mesh.vertices.emplace_back(0.0, 0.0, -size[3]);
    for (int i = 0; i < count; ++i) {
      const int j = (i + 1) % count, a = rim[static_cast<std::size_t>(i)],
                b = rim[static_cast<std::size_t>(j)];
      mesh.triangles.emplace_back(a, base + i, base + j);
      mesh.triangles.emplace_back(a, base + j, b);
      mesh.triangles.emplace_back(base + count, base + j, base + i);
    }
    return mesh;
  }

  Shape shape_of(int g) {
    const Eigen::Vector3d size = vector_at(m_.geom_size, g);
    switch (m_.geom_type[g]) {
      case mjGEOM_PLANE:
        return {ShapeKind::plane, {size.x(), size.y(), 0.0}};
      case mjGEOM_SPHERE:
        return Shape::sphere(size.x());
      case mjGEOM_CAPSULE:
        return Shape::capsule(size.x(), 2.0 * size.y());
      case mjGEOM_ELLIPSOID:
        return Shape::ellipsoid(size);
      case mjGEOM_CYLINDER:
        return Shape::cylinder(size.x(), 2.0 * size.y());
      case mjGEOM_BOX:
        return Shape::box(2.0 * size);
      case mjGEOM_MESH:
      case mjGEOM_HFIELD:
        return {};
      default:
        throw InputError(file_, 0, "a geom has a type that is not supported; use a primitive or a mesh");
    }
  }

  void convert_geom(int g) {
    Body& body = scene_.bodies[static_cast<std::size_t>(m_.geom_bodyid[g])];
    refs_.push_back({BodyIndex(m_.geom_bodyid[g]), GeomIndex(body.geoms.size())});
    Geom geom;
    const char* name = mj_id2name(&m_, mjOBJ_GEOM, g);
    if (name != nullptr) geom.name = name;
    geom.shape = shape_of(g);
    geom.X_BG = pose_at(m_.geom_pos, m_.geom_quat, g);
    if (m_.geom_type[g] == mjGEOM_HFIELD) {
      geom.mesh = height_field(m_.geom_dataid[g]);
    } else if (geom.shape.kind == ShapeKind::mesh) {
      const MeshSource& source = meshes_[static_cast<std::size_t>(m_.geom_dataid[g])];
      geom.X_BG = geom.X_BG * source.X_GM.inverse();
      geom.mesh = source.mesh_G;
    } else {
      check_shape(geom.shape, file_, body.line, geom.name);
      geom.mesh = mesh_of_shape(geom.shape, options_);
    }
    triangles_ += geom.mesh.triangles.size();
    if (triangles_ > options_.max_triangles) {
      throw InputError(file_, body.line,
                       "the geoms have more than " + std::to_string(options_.max_triangles) +
                           " triangles in all; use coarser meshes");
    }
    geom.friction = m_.geom_friction[3 * g];
    geom.priority = m_.geom_priority[g];
    geom.contype = m_.geom_contype[g];
    geom.conaffinity = m_.geom_conaffinity[g];
    geom.condim = m_.geom_condim[g];
    geom.margin = std::max(0.0, m_.geom_margin[g]);
    body.geoms.push_back(std::move(geom));
  }

  void convert_joints() {
    std::vector<MjcfJoint> joints;
    for (int j = 0; j < m_.njnt; ++j) {
      MjcfJoint joint;
      joint.name = name_of(mjOBJ_JOINT, j, "joint");
      joint.body = BodyIndex(m_.jnt_bodyid[j]);
      joint.anchor = vector_at(m_.jnt_pos, j);
      joint.axis = vector_at(m_.jnt_axis, j);
      if (keyframe_) {  // joints before and behind it have turned the body
        const math::Pose& X_WB = scene_.bodies[joint.body].X_WB;
        joint.anchor = X_WB.inverse() * vector_at(keyframe_->xanchor, j);
        joint.axis = X_WB.R().transpose() * vector_at(keyframe_->xaxis, j);
      }
      switch (m_.jnt_type[j]) {
        case mjJNT_FREE:
          joint.kind = MjcfJoint::Kind::free;
          break;
        case mjJNT_BALL:
          joint.kind = MjcfJoint::Kind::ball;
          break;
        case mjJNT_SLIDE:
          joint.kind = MjcfJoint::Kind::slide;
          break;
        default:
          joint.kind = MjcfJoint::Kind::hinge;
          break;
      }
      if (joint.kind == MjcfJoint::Kind::free) {
        joint.anchor.setZero();
        scene_.bodies[joint.body].movable = true;
      }
      if (joint.kind == MjcfJoint::Kind::free || joint.kind == MjcfJoint::Kind::ball) {
        joint.axis = Eigen::Vector3d::UnitZ();
      } else {
        joint.reference = state_at(m_.jnt_qposadr[j]);
      }
      if (m_.jnt_limited[j] && !is_off(mjDSBL_LIMIT)) {
        // The engine wants both ends; a limit of 1e10 and more stands for none.
        if (m_.jnt_range[2 * j] > -1e10) joint.lower = m_.jnt_range[2 * j];
        if (m_.jnt_range[2 * j + 1] < 1e10) joint.upper = m_.jnt_range[2 * j + 1];
      }
      set_joint_forces(j, joint);
      joints.push_back(joint);
    }
    if ((m_.opt.disableflags & mjDSBL_ACTUATION) == 0) hold_by_motors(joints);
    std::vector<MjcfCoupling> couplings;
    for (int e = 0; e < m_.neq && !is_off(mjDSBL_EQUALITY); ++e) {
      if (m_.eq_type[e] != mjEQ_JOINT || !m_.eq_active0[e]) continue;
      MjcfCoupling coupling{m_.eq_obj1id[e], m_.eq_obj2id[e], {}};
      std::copy_n(m_.eq_data + e * mjNEQDATA, 5, coupling.polycoef.begin());
      couplings.push_back(coupling);
    }
    std::vector<MjcfBodyLink> links(static_cast<std::size_t>(m_.nbody));
    for (int b = 1; b < m_.nbody; ++b) {
      MjcfBodyLink& link = links[static_cast<std::size_t>(b)];
      link.parent = BodyIndex(m_.body_parentid[b]);
      link.X_PC = pose_at(m_.body_pos, m_.body_quat, b);
      if (keyframe_)
        link.X_PC =
            scene_.bodies[link.parent].X_WB.inverse() * scene_.bodies[static_cast<std::size_t>(b)].X_WB;
      const std::string& child = scene_.bodies[static_cast<std::size_t>(b)].name;
      if (m_.body_parentid[b] != 0) link.weld_name = child + "_weld";
      const int text = mj_name2id(&m_, mjOBJ_TEXT, ("prehend_rigid_joint " + child).c_str());
      if (text >= 0) link.weld_name = m_.text_data + m_.text_adr[text];
    }
    scene_.joints = fold_mjcf_joints(joints, couplings, links, scene_.problems);
    if (!is_off(mjDSBL_EQUALITY)) add_loops();
    add_couplings(joints, couplings);
  }

  void set_joint_forces(int j, MjcfJoint& joint) {
    if (joint.kind == MjcfJoint::Kind::free) {
      if (m_.jnt_stiffness[j] > 0.0)
        scene_.problems.push_back("the free joint '" + joint.name +
                                  "' has a spring, which holds nothing here");
      return;
    }
    joint.stiffness = m_.jnt_stiffness[j];
    if (!is_off(mjDSBL_FRICTIONLOSS)) joint.friction = m_.dof_frictionloss[m_.jnt_dofadr[j]];
    if (joint.kind == MjcfJoint::Kind::ball) return;
    const int q = m_.jnt_qposadr[j];
    joint.spring = -m_.jnt_stiffness[j] * (state_at(q) - m_.qpos_spring[q]);
  }

  // A joint that a motor drives holds its place; a motor on a tendon of several joints holds their sum (add_couplings).
  void hold_by_motors(std::vector<MjcfJoint>& joints) {
    const auto hold = [&](const std::string& name) {
      for (MjcfJoint& joint : joints) {
        // A motor on a ball or free joint acts along one axis of it.
        if (joint.name != name || joint.kind == MjcfJoint::Kind::free || joint.kind == MjcfJoint::Kind::ball)
          continue;
        joint.motor = std::numeric_limits<double>::infinity();
        return true;
      }
      return false;
    };
    for (const MjcfMotor& motor : document_.motors) {
      bool holds = !motor.joint.empty() && hold(motor.joint);
      for (MjcfTendonForce& tendon : tendons_) {
        if (motor.tendon.empty() || tendon.name != motor.tendon) continue;
        holds = true;
        tendon.lower = -std::numeric_limits<double>::infinity();
        if (motor.pulls_only) continue;
        tendon.upper = std::numeric_limits<double>::infinity();
        if (tendon.joints.size() == 1)
          hold(joints[static_cast<std::size_t>(tendon.joints.front().first)].name);
      }
      for (const MjcfTendon& tendon : document_.tendons) {
        if (motor.tendon.empty() || tendon.name != motor.tendon) continue;
        holds = true;
        if (tendon.joints.size() == 1)
          hold(tendon.joints.front().first);
        else
          driven_tendons_.push_back(tendon);
      }
      if (!holds) {
        scene_.problems.push_back(
            "the motor '" + motor.name +
            "' drives neither a hinge, a slide nor a tendon of joints; it holds nothing");
      }
    }
  }

  void read_tendons() {
    if (m_.ntendon == 0) return;
    std::unique_ptr<mjData, DeleteData> as_written;
    if (!keyframe_) {
      as_written.reset(mj_makeData(&m_));
      mj_kinematics(&m_, as_written.get());
    }
    tendons_ = mjcf_tendons(m_, keyframe_ ? *keyframe_ : *as_written, !is_off(mjDSBL_LIMIT),
                            !is_off(mjDSBL_FRICTIONLOSS));
  }

  // The part of a coupling that is `share` times a tendon's rate.
  void add_rate(const std::vector<MjcfJoint>& joints, const MjcfTendonForce& tendon, double share,
                JointCoupling& coupling) {
    for (const auto& [joint, ratio] : tendon.joints) {
      const std::string& name = joints[static_cast<std::size_t>(joint)].name;
      if (const JointIndex index = joint_named(name); index.is_valid()) {
        coupling.terms.push_back({index, share * ratio});
      } else {
        scene_.problems.push_back("the tendon '" + tendon.name + "' acts on '" + name +
                                  "', which is a part of another joint; that part is left out");
      }
    }
    for (JointCoupling::Point point : tendon.points) {
      point.direction_W *= share;
      coupling.points.push_back(point);
    }
  }

  void add_tendons(const std::vector<MjcfJoint>& joints) {
    constexpr double kNearlyTaut = 0.02;  // [-] of the length: such a rope was meant to be taut
    for (const MjcfTendonForce& tendon : tendons_) {
      if (tendon.slack > 0.0 && !tendon.points.empty() && tendon.slack < kNearlyTaut * tendon.length) {
        scene_.problems.push_back("the tendon '" + tendon.name + "' is slack by " +
                                  math::number_text(1e3 * tendon.slack, 3) +
                                  " mm and holds nothing as posed; let the scene settle (--settle)");
      }
      if (tendon.lower == 0.0 && tendon.upper == 0.0) continue;
      JointCoupling coupling{tendon.name, {}, {}, tendon.lower, tendon.upper};
      add_rate(joints, tendon, 1.0, coupling);
      scene_.couplings.push_back(std::move(coupling));
    }
    for (int e = 0; e < m_.neq && !is_off(mjDSBL_EQUALITY); ++e) {
      if (m_.eq_type[e] != mjEQ_TENDON || !m_.eq_active0[e]) continue;
      const mjtNum* c = m_.eq_data + e * mjNEQDATA;
      const MjcfTendonForce& first = tendons_[static_cast<std::size_t>(m_.eq_obj1id[e])];
      JointCoupling coupling{first.name + "_coupling", {}, {}};
      add_rate(joints, first, 1.0, coupling);
      if (m_.eq_obj2id[e] >= 0) {
        const int t = m_.eq_obj2id[e];
        const MjcfTendonForce& second = tendons_[static_cast<std::size_t>(t)];
        const double x = second.length - m_.tendon_length0[t];
        add_rate(joints, second, -(c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]))), coupling);
      }
      scene_.couplings.push_back(std::move(coupling));
    }
  }

  void add_loops() {
    for (const MjcfLoop& loop : document_.loops) {
      Joint joint;
      joint.name = loop.name;
      joint.type = loop.is_weld ? JointType::rigid : JointType::spherical;
      joint.parent = scene_.find_body(loop.body1);
      joint.child = scene_.find_body(loop.body2);
      Eigen::Vector3d anchor = loop.anchor;
      if (!loop.site1.empty()) {
        const int site1 = site_named(loop.site1, loop), site2 = site_named(loop.site2, loop);
        joint.parent = BodyIndex(m_.site_bodyid[site1]);
        joint.child = BodyIndex(m_.site_bodyid[site2]);
        anchor = vector_at(m_.site_pos, site1);
        if (joint.parent == joint.child) continue;
      }
      for (const auto& [body, name] :
           {std::pair(joint.parent, loop.body1), std::pair(joint.child, loop.body2)}) {
        if (!body.is_valid())
          throw InputError(
              loop.file, loop.line,
              "the equality '" + loop.name + "' names the body '" + name + "', which does not exist");
      }
      const math::Pose& X_WP = scene_.bodies[joint.parent].X_WB;
      const math::Pose& X_WC = scene_.bodies[joint.child].X_WB;
      joint.X_PC = X_WP.inverse() * X_WC;
      joint.p_CJ = joint.X_PC.inverse() * anchor;
      scene_.loop_joints.push_back(joint);
    }
  }

  int site_named(const std::string& name, const MjcfLoop& loop) const {
    const int site = mj_name2id(&m_, mjOBJ_SITE, name.c_str());
    if (site < 0)
      throw InputError(
          loop.file, loop.line,
          "the equality '" + loop.name + "' names the site '" + name + "', which does not exist");
    return site;
  }

  JointIndex joint_named(const std::string& name) const {
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      if (scene_.joints[j].name == name) return JointIndex(j);
    }
    return {};
  }

  void add_couplings(const std::vector<MjcfJoint>& joints, const std::vector<MjcfCoupling>& couplings) {
    const auto add = [&](const std::string& name, const std::vector<std::pair<std::string, double>>& terms) {
      JointCoupling coupling{name, {}, {}};
      for (const auto& [joint, ratio] : terms) {
        const JointIndex index = joint_named(joint);
        if (!index.is_valid()) return;  // the slide of a screw: the pitch has it
        coupling.terms.push_back({index, ratio});
      }
      scene_.couplings.push_back(std::move(coupling));
    };
    for (const MjcfCoupling& coupling : couplings) {
      const std::string& first = joints[static_cast<std::size_t>(coupling.joint1)].name;
      if (coupling.joint2 < 0) {
        add(first + "_coupling", {{first, 1.0}});
      } else {
        const std::size_t second = static_cast<std::size_t>(coupling.joint2);
        const int address = m_.jnt_qposadr[coupling.joint2];
        const double x = state_at(address) - m_.qpos0[address];  // zero without a keyframe
        const auto& c = coupling.polycoef;
        const double slope = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
        add(first + "_coupling", {{first, 1.0}, {joints[second].name, -slope}});
      }
    }
    for (const MjcfTendon& tendon : driven_tendons_) add(tendon.name, tendon.joints);
    add_tendons(joints);
  }

  void convert_pairs() {
    for (int p = 0; p < m_.npair; ++p) {
      // Our writer spells friction between bodies out for the engine; the text below has it in one line.
      if (name_of(mjOBJ_PAIR, p, "pair").starts_with("prehend_body_pair")) continue;
      const mjtNum* friction = m_.pair_friction + 5 * p;
      if (!(friction[0] >= 0.0))
        throw InputError(file_, 0, "a contact pair has a negative friction coefficient");
      if (friction[0] != friction[1]) {
        scene_.problems.push_back(
            "a contact pair has two sliding coefficients; the first counts in all directions");
      }
      scene_.geom_pairs.push_back({refs_.at(static_cast<std::size_t>(m_.pair_geom1[p])),
                                   refs_.at(static_cast<std::size_t>(m_.pair_geom2[p])), friction[0],
                                   m_.pair_dim[p]});
    }
    for (int e = 0; e < m_.nexclude; ++e) {
      scene_.excluded_pairs.push_back(
          {BodyIndex(m_.exclude_signature[e] >> 16), BodyIndex(m_.exclude_signature[e] & 0xffff)});
    }
    for (int t = 0; t < m_.ntext; ++t) {  // our writer's way to keep friction between bodies
      const std::string name = name_of(mjOBJ_TEXT, t, "text");
      if (!name.starts_with("prehend_body_friction")) continue;
      const std::string data = m_.text_data + m_.text_adr[t];
      // "MU LENGTH NAMES": the first name has LENGTH bytes, the rest is the second.
      std::string_view rest = data;
      const std::optional<double> mu = parse_number(take_word(rest));
      const std::optional<std::int64_t> length = parse_integer(take_word(rest));
      if (!mu || *mu < 0.0 || !length || *length < 0 || rest.empty()) continue;
      rest.remove_prefix(1);
      if (*length > static_cast<std::int64_t>(rest.size())) continue;
      const BodyIndex a = scene_.find_body(rest.substr(0, static_cast<std::size_t>(*length)));
      const BodyIndex b = scene_.find_body(rest.substr(static_cast<std::size_t>(*length)));
      if (a.is_valid() && b.is_valid()) scene_.body_pairs.push_back({a, b, *mu});
    }
  }

  const mjModel& m_;
  mjSpec& spec_;
  const MjcfDocument& document_;
  const std::string& file_;
  const SceneOptions& options_;
  std::unique_ptr<mjData, DeleteData> keyframe_;  // the state asked for; null: as written
  Scene scene_;
  std::vector<MeshSource> meshes_;
  std::vector<MjcfTendon> driven_tendons_;  // by motors, over several joints, of a document without tendons
  std::vector<MjcfTendonForce> tendons_;    // of one with tendons
  std::vector<GeomRef> refs_;
  std::size_t triangles_{0};
};

}  // namespace

// Compiles and converts; masses in the document are in units of 1/mass_unit kilograms.
static Scene compile_mjcf(const MjcfDocument& document, const std::string& file, const SceneOptions& options,
                          double mass_unit) {
  const ThrowingEngine quiet;
  try {
    const auto spec = parse(document, file);
    const std::unique_ptr<mjModel, DeleteModel> model(mj_compile(spec.get(), nullptr));
    if (!model) {
      const char* why = mjs_getError(spec.get());
      refuse(document, file, why != nullptr ? why : "it does not compile");
    }
    Scene scene = Converter(*model, *spec, document, file, options).convert();
    for (Body& body : scene.bodies) {
      body.inertia.mass /= mass_unit;
      body.carried_mass /= mass_unit;
      body.inertia.I_com /= mass_unit;
    }
    return scene;
  } catch (const EngineError& error) {
    refuse(document, file, error.what());
  }
}

Scene read_mjcf(const std::string& text, const std::string& file, const SceneOptions& options) {
  constexpr double kMassUnit =
      0x1p80;  // a power of two changes no digit; 1e-15 kg of the engine become 1e-39 kg
  double unit = 1.0;
  bool with_tendons = true;
  while (true) {
    try {
      return compile_mjcf(load_mjcf_document(text, file, options, unit, with_tendons), file, options, unit);
    } catch (const InputError& error) {
      // The engine's bound on moving masses is absolute; tiny things pass in a smaller unit. Bodies without any
      // mass fail again, with the same sentence.
      const bool is_tiny = error.message().find("mjMINVAL") != std::string::npos;
      // Tendons and sites may name what was left out.
      if (is_tiny && unit == 1.0) {
        unit = kMassUnit;
      } else if (!is_tiny && with_tendons) {
        with_tendons = false;
      } else {
        throw;
      }
    }
  }
}

}  // namespace prehend::model
