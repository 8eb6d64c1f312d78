#include <cmath>
#include <cstdio>
#include <utility>

#include <mujoco/mujoco.h>

#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/model/house/engine_guard.h>
#include <prehend/simulate/mujoco/engine.h>
#include <prehend/simulate/simulation.h>

namespace prehend::simulate {
namespace {

// Steps between two looks at a request to end: 32 ms where a step takes 1 ms.
constexpr int kStepsAtOnce = 32;

Eigen::Vector3d vector3(const mjtNum* numbers) { return Eigen::Map<const Eigen::Vector3d>(numbers); }

using Data = std::unique_ptr<mjData_, DeleteData>;

Data make_data(const mjModel* model) {
  struct Call {
    const mjModel* model;
    mjData* data;
  } call{model, nullptr};
  guarded([](void* c) { static_cast<Call*>(c)->data = mj_makeData(static_cast<Call*>(c)->model); }, &call);
  if (!call.data) throw SimulationError("physics engine: out of memory");
  return Data(call.data);
}

}  // namespace

void SimulationOptions::validate() const {
  const math::OptionCheck check("SimulationOptions");
  check.above("timestep", timestep, 0.0, "s");
  check.between("timestep", timestep, 0.0, 0.1, "s");
  check.at_least("contact_time_constant", contact_time_constant, 2.0 * timestep, "s");
  check.at_least("friction_to_normal_impedance", friction_to_normal_impedance, 1.0);
}

struct Simulation::Implementation {
  model::Scene scene;
  EngineModel engine;
  Data data;
  // Readings are taken from a second state, so that looking never changes the future by a single bit: the
  // engine's own derived quantities lag one step behind, and refreshing them in place would touch the
  // solver's warm start.
  Data view;
  enum class Fresh { nothing, kinematics, dynamics } fresh{Fresh::nothing};
  std::vector<AppliedWrench> wrenches;

  const mjModel* m() const { return engine.model.get(); }

  const mjData* read(Fresh wanted) {
    if (fresh >= wanted) return view.get();
    if (!view) view = make_data(m());
    write_wrenches();
    mj_copyState(m(), data.get(), view.get(), mjSTATE_INTEGRATION);
    if (wanted == Fresh::kinematics) {
      mj_kinematics(m(), view.get());
      mj_comPos(m(), view.get());
      mj_comVel(m(), view.get());
    } else {
      std::pair<const mjModel*, mjData*> call{m(), view.get()};
      guarded(
          [](void* c) {
            auto* both = static_cast<std::pair<const mjModel*, mjData*>*>(c);
            mj_forward(both->first, both->second);
            mj_rnePostConstraint(both->first, both->second);
          },
          &call);
    }
    fresh = wanted;
    return view.get();
  }

  // Wrenches are fixed in the world; the engine wants them about each body's centre of mass, which moves.
  void write_wrenches() {
    if (wrenches.empty()) return;
    mj_kinematics(m(), data.get());  // the engine's own centres of mass are one step old
    mju_zero(data->xfrc_applied, 6 * m()->nbody);
    for (const AppliedWrench& wrench : wrenches) {
      const int id = engine.body_ids[wrench.body];
      const Eigen::Vector3d lever = wrench.p_W - vector3(data->xipos + 3 * id);
      Eigen::Map<Eigen::Vector3d>(data->xfrc_applied + 6 * id) += wrench.F_W.force;
      Eigen::Map<Eigen::Vector3d>(data->xfrc_applied + 6 * id + 3) +=
          wrench.F_W.moment + lever.cross(wrench.F_W.force);
    }
  }

  void check_finite() const {
    for (const int kind : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) {
      if (data->warning[kind].number == 0) continue;
      const int at = data->warning[kind].lastinfo;
      int body = 0;
      if (kind == mjWARN_BADQPOS) {
        for (int j = 0; j < m()->njnt && m()->jnt_qposadr[j] <= at; ++j) body = m()->jnt_bodyid[j];
      } else if (at >= 0 && at < m()->nv) {
        body = m()->dof_bodyid[at];
      }
      throw SimulationError("the simulation explodes at " + math::number_text(data->time) + " s: body '" +
                            scene.bodies[engine.bodies[body]].name +
                            "' leaves the finite world; look for deep overlaps, tiny masses beside huge "
                            "ones, or reduce the time step");
    }
    if (data->warning[mjWARN_CONTACTFULL].number > 0 || data->warning[mjWARN_CNSTRFULL].number > 0) {
      throw SimulationError("the physics engine ran out of room for contacts at " +
                            math::number_text(data->time) + " s");
    }
  }

  // First coordinate and degree of freedom of a body's free joint.
  std::pair<int, int> free_joint(model::BodyIndex body, const char* what) const {
    const int joint = m()->body_jntadr[engine.body_ids.at(body)];
    if (joint < 0 || m()->jnt_type[joint] != mjJNT_FREE) {
      throw std::invalid_argument(std::string(what) + ": body '" + scene.bodies[body].name +
                                  "' is not movable");
    }
    return {m()->jnt_qposadr[joint], m()->jnt_dofadr[joint]};
  }

  const JointAddress& one_freedom(model::JointIndex joint, const char* what) const {
    const JointAddress& address = engine.joints.at(joint);
    const bool is_screw = scene.joints[joint].type == model::JointType::screw;
    if (address.positions != 1 && !is_screw) {
      throw std::invalid_argument(std::string(what) + ": joint '" + scene.joints[joint].name +
                                  "' has not one freedom");
    }
    return address;
  }
};

Simulation::Simulation(const model::Scene& scene, const SimulationOptions& options)
    : self_(std::make_unique<Implementation>()) {
  options.validate();
  self_->scene = scene;
  self_->engine = build_engine_model(scene, options);
  self_->data = make_data(self_->m());
  model::take_engine_warnings();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const model::Scene& Simulation::scene() const { return self_->scene; }
const std::vector<std::string>& Simulation::notes() const { return self_->engine.notes; }
double Simulation::time() const { return self_->data->time; }

model::Scene Simulation::scene_now() const {
  model::Scene now = self_->scene;
  for (model::BodyIndex b(1); b < now.bodies.size(); ++b) now.bodies[b].X_WB = X_WB(b);
  return now;
}

void Simulation::step(int count) {
  Implementation& self = *self_;
  self.fresh = Implementation::Fresh::nothing;
  struct Call {
    Implementation* self;
    int left;
  } call{&self, count};
  while (call.left > 0) {
    math::check_interrupt();  // here, since nothing may be thrown through the engine
    guarded(
        [](void* c) {
          auto& [implementation, left] = *static_cast<Call*>(c);
          do {
            implementation->write_wrenches();
            mj_step(implementation->m(), implementation->data.get());
            --left;
          } while (left % kStepsAtOnce > 0 && implementation->data->warning[mjWARN_BADQACC].number == 0 &&
                   implementation->data->warning[mjWARN_BADQVEL].number == 0);
        },
        &call);
    self.check_finite();
    math::check_interrupt();
  }
}

void Simulation::run(double seconds) {
  const double end = time() + seconds;
  const double timestep = self_->m()->opt.timestep;
  const double steps = std::ceil((end - time()) / timestep - 1e-9);
  if (!(steps <= 1e9))
    throw std::invalid_argument("Simulation::run: " + math::number_text(seconds) +
                                " s is more than 1e9 steps");
  if (steps > 0) step(static_cast<int>(steps));
}

math::Pose Simulation::X_WB(model::BodyIndex body) const {
  const mjData* d = self_->read(Implementation::Fresh::kinematics);
  const int id = self_->engine.body_ids.at(body);
  const mjtNum* q = d->xquat + 4 * id;
  return {Eigen::Quaterniond(q[0], q[1], q[2], q[3]), vector3(d->xpos + 3 * id)};
}

math::Twist Simulation::velocity(model::BodyIndex body) const {
  const mjData* d = self_->read(Implementation::Fresh::kinematics);
  mjtNum V[6];
  mj_objectVelocity(self_->m(), d, mjOBJ_XBODY, self_->engine.body_ids.at(body), V, 0);
  return {vector3(V), vector3(V + 3)};
}

void Simulation::set_pose(model::BodyIndex body, const math::Pose& X_WB) {
  const int at = self_->free_joint(body, "Simulation::set_pose").first;
  const Eigen::Quaterniond& q = X_WB.q();
  const mjtNum numbers[7] = {X_WB.p().x(), X_WB.p().y(), X_WB.p().z(), q.w(), q.x(), q.y(), q.z()};
  mju_copy(self_->data->qpos + at, numbers, 7);
  self_->fresh = Implementation::Fresh::nothing;
}

void Simulation::set_velocity(model::BodyIndex body, const math::Twist& V_WB_W) {
  const int at = self_->free_joint(body, "Simulation::set_velocity").second;
  // The engine holds the linear part in the world's axes and the angular part in the body's.
  const Eigen::Vector3d w_B = X_WB(body).q().conjugate() * V_WB_W.angular;
  mju_copy(self_->data->qvel + at, V_WB_W.linear.data(), 3);
  mju_copy(self_->data->qvel + at + 3, w_B.data(), 3);
  self_->fresh = Implementation::Fresh::nothing;
}

double Simulation::joint_state(model::JointIndex joint) const {
  return self_->data->qpos[self_->one_freedom(joint, "Simulation::joint_state").position];
}

double Simulation::joint_velocity(model::JointIndex joint) const {
  return self_->data->qvel[self_->one_freedom(joint, "Simulation::joint_velocity").velocity];
}

void Simulation::set_joint_state(model::JointIndex joint, double state, double velocity) {
  const JointAddress& address = self_->one_freedom(joint, "Simulation::set_joint_state");
  self_->data->qpos[address.position] = state;
  self_->data->qvel[address.velocity] = velocity;
  if (self_->scene.joints[joint].type == model::JointType::screw) {
    const double pitch = self_->scene.joints[joint].pitch;
    self_->data->qpos[address.position + 1] = pitch * (state - self_->scene.joints[joint].reference);
    self_->data->qvel[address.velocity + 1] = pitch * velocity;
  }
  self_->fresh = Implementation::Fresh::nothing;
}

void Simulation::set_joint_force(model::JointIndex joint, double force) {
  self_->data->qfrc_applied[self_->one_freedom(joint, "Simulation::set_joint_force").velocity] = force;
  self_->fresh = Implementation::Fresh::nothing;
}

void Simulation::apply_wrench(model::BodyIndex body, const math::Wrench& F_W, const Eigen::Vector3d& p_W) {
  if (!F_W.force.allFinite() || !F_W.moment.allFinite() || !p_W.allFinite()) {
    throw std::invalid_argument("Simulation::apply_wrench: the wrench or its point is not finite");
  }
  (void)self_->engine.body_ids.at(body);
  self_->wrenches.push_back({body, F_W, p_W});
  self_->fresh = Implementation::Fresh::nothing;
}

void Simulation::clear_wrenches() {
  self_->wrenches.clear();
  mju_zero(self_->data->xfrc_applied, 6 * self_->m()->nbody);
  self_->fresh = Implementation::Fresh::nothing;
}

std::vector<SimulatedContact> Simulation::contacts() const {
  const mjData* d = self_->read(Implementation::Fresh::dynamics);
  std::vector<SimulatedContact> contacts;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    if (contact.geom[0] < 0 || contact.geom[1] < 0) continue;
    const Eigen::Matrix3d axes =
        Eigen::Map<const Eigen::Matrix3d>(contact.frame);  // columns: normal, two tangents
    mjtNum wrench[6] = {0};
    if (contact.efc_address >= 0) mj_contactForce(self_->m(), d, i, wrench);
    contacts.push_back({self_->engine.geoms[contact.geom[0]], self_->engine.geoms[contact.geom[1]],
                        vector3(contact.pos), axes.col(0), axes * vector3(wrench), contact.dist});
  }
  return contacts;
}

math::Wrench Simulation::contact_wrench(model::BodyIndex body) const {
  const Eigen::Vector3d origin = X_WB(body).p();
  math::Wrench sum;
  for (const SimulatedContact& contact : contacts()) {
    if (contact.a.body == body) sum = sum + math::Wrench::from_force(-contact.f_W, contact.p_W - origin);
    if (contact.b.body == body) sum = sum + math::Wrench::from_force(contact.f_W, contact.p_W - origin);
  }
  return sum;
}

math::Wrench Simulation::parent_wrench(model::BodyIndex body) const {
  const mjData* d = self_->read(Implementation::Fresh::dynamics);
  const int id = self_->engine.body_ids.at(body);
  const math::Wrench about_com{vector3(d->cfrc_int + 6 * id), vector3(d->cfrc_int + 6 * id + 3)};
  return about_com.at(vector3(d->xpos + 3 * id) - vector3(d->subtree_com + 3 * self_->m()->body_rootid[id]));
}

double Simulation::kinetic_energy() const {
  double energy = 0.0;
  for (model::BodyIndex b(1); b < self_->scene.bodies.size(); ++b) {
    const Eigen::Matrix3d R_BW = X_WB(b).R().transpose();
    energy += self_->scene.bodies[b].inertia.kinetic_energy(velocity(b).expressed(R_BW).vector());
  }
  return energy;
}

math::Wrench Simulation::momentum() const {
  math::Wrench sum;
  for (model::BodyIndex b(1); b < self_->scene.bodies.size(); ++b) {
    const math::Pose X = X_WB(b);
    const math::Twist V_B = velocity(b).expressed(X.R().transpose());
    const math::Vector6d h =
        self_->scene.bodies[b].inertia.spatial_matrix() * V_B.vector();  // about B's origin, in B
    sum = sum + math::Wrench::from_vector(math::wrench_adjoint(X) * h);
  }
  return sum;
}

Simulation::Snapshot Simulation::snapshot() const {
  Snapshot snapshot;
  snapshot.numbers.resize(mj_stateSize(self_->m(), mjSTATE_INTEGRATION));
  mj_getState(self_->m(), self_->data.get(), snapshot.numbers.data(), mjSTATE_INTEGRATION);
  snapshot.wrenches = self_->wrenches;
  return snapshot;
}

void Simulation::restore(const Snapshot& snapshot) {
  const auto size = static_cast<std::size_t>(mj_stateSize(self_->m(), mjSTATE_INTEGRATION));
  if (snapshot.numbers.size() != size) {
    throw std::invalid_argument("Simulation::restore: the snapshot belongs to another scene");
  }
  mj_setState(self_->m(), self_->data.get(), snapshot.numbers.data(), mjSTATE_INTEGRATION);
  self_->wrenches = snapshot.wrenches;
  for (int kind = 0; kind < mjNWARNING; ++kind) self_->data->warning[kind] = {};
  self_->fresh = Implementation::Fresh::nothing;
}

}  // namespace prehend::simulate
