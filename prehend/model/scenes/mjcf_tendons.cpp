#include <algorithm>
#include <cmath>
#include <limits>

#include <mujoco/mujoco.h>

#include <prehend/model/scenes/mjcf_tendons.h>

namespace prehend::model {
namespace {

using Eigen::Vector3d;

// As those of joints (stability/statics/joint_rows.h).
constexpr double kTautLength = 1e-4;  // [m]
constexpr double kTautAngle = 1e-3;   // [rad]

Vector3d point_at(const mjtNum* numbers, int index) {
  return {numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]};
}

// The places where a tendon bends, one after the other: the engine lists them as sites, places on geoms, and pulleys.
class TendonPath {
 public:
  TendonPath(const mjModel& model, const mjData& data, int tendon) : m_(model), d_(data), tendon_(tendon) {}

  std::vector<JointCoupling::Point> points() const {
    std::vector<int> sites;
    std::vector<double> divisors;
    const int first = m_.tendon_adr[tendon_], count = m_.tendon_num[tendon_];
    for (int k = first; k < first + count; ++k) {
      if (m_.wrap_type[k] == mjWRAP_SITE) sites.push_back(m_.wrap_objid[k]);
      if (m_.wrap_type[k] == mjWRAP_PULLEY) divisors.push_back(m_.wrap_prm[k]);
    }
    std::vector<JointCoupling::Point> found;
    std::size_t site = 0, pulley = 0;
    double divisor = 1.0;
    int body_before = -1;
    Vector3d before = Vector3d::Zero();
    const int begin = d_.ten_wrapadr[tendon_], end = begin + d_.ten_wrapnum[tendon_];
    for (int w = begin; w < end; ++w) {
      const int what = d_.wrap_obj[w];
      if (what == -2) {
        if (pulley == divisors.size()) return {};
        divisor = divisors[pulley++];
        body_before = -1;
        continue;
      }
      if (what < 0 && site == sites.size()) return {};
      const int body = what < 0 ? m_.site_bodyid[sites[site++]] : m_.geom_bodyid[what];
      const Vector3d here = point_at(d_.wrap_xpos, w), way = here - before;
      if (body_before >= 0 && body_before != body && way.norm() > 0.0) {
        const Vector3d along = way.normalized() / divisor;
        found.push_back(at(body_before, before, -along));
        found.push_back(at(body, here, along));
      }
      body_before = body;
      before = here;
    }
    return site == sites.size() ? found : std::vector<JointCoupling::Point>();
  }

 private:
  JointCoupling::Point at(int body, const Vector3d& p_W, const Vector3d& along) const {
    const Vector3d origin = point_at(d_.xpos, body);
    Eigen::Matrix3d R;
    for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = d_.xmat[9 * body + k];
    return {BodyIndex(body), R.transpose() * (p_W - origin), along};
  }

  const mjModel& m_;
  const mjData& d_;
  int tendon_;
};

// What acts along a tendon besides motors.
void set_forces(const mjModel& model, int t, bool with_limits, bool with_friction, MjcfTendonForce& tendon) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double rest =
      std::clamp(tendon.length, model.tendon_lengthspring[2 * t], model.tendon_lengthspring[2 * t + 1]);
  const double spring = -model.tendon_stiffness[t] * (tendon.length - rest);
  const double friction = with_friction ? model.tendon_frictionloss[t] : 0.0;
  // The length is known no better than that.
  const double play = model.tendon_stiffness[t] * tendon.near;
  tendon.lower = spring - friction - play;
  tendon.upper = spring + friction + play;
  if (!with_limits || !model.tendon_limited[t]) return;
  const double shortest = model.tendon_range[2 * t], longest = model.tendon_range[2 * t + 1];
  const bool is_taut = tendon.length >= longest - tendon.near,
             is_short = tendon.length <= shortest + tendon.near;
  if (is_taut) tendon.lower = -kInfinite;
  if (is_short) tendon.upper = kInfinite;
  if (!is_taut && !is_short) tendon.slack = longest - tendon.length;
}

}  // namespace

std::vector<MjcfTendonForce> mjcf_tendons(const mjModel& model, mjData& data, bool with_limits,
                                          bool with_friction) {
  std::vector<MjcfTendonForce> found;
  if (model.ntendon == 0) return found;
  mj_comPos(&model, &data);
  mj_tendon(&model, &data);
  for (int t = 0; t < model.ntendon; ++t) {
    MjcfTendonForce tendon;
    const char* name = mj_id2name(&model, mjOBJ_TENDON, t);
    tendon.name = name != nullptr && *name != '\0' ? name : "tendon_" + std::to_string(t);
    tendon.length = data.ten_length[t];
    const int first = model.tendon_adr[t], count = model.tendon_num[t];
    if (count > 0 && model.wrap_type[first] == mjWRAP_JOINT) {
      for (int k = first; k < first + count; ++k) {
        const int joint = model.wrap_objid[k];
        tendon.joints.emplace_back(joint, model.wrap_prm[k]);
        tendon.near +=
            std::abs(model.wrap_prm[k]) * (model.jnt_type[joint] == mjJNT_SLIDE ? kTautLength : kTautAngle);
      }
    } else {
      tendon.points = TendonPath(model, data, t).points();
      tendon.near = kTautLength;
    }
    set_forces(model, t, with_limits, with_friction, tendon);
    found.push_back(std::move(tendon));
  }
  return found;
}

}  // namespace prehend::model
