// Force-torque recordings of a sensor S that carries an object O, in the world W.
//
// CSV
// `t,sx,sy,sz,sqw,sqx,sqy,sqz[,vx,vy,vz,wx,wy,wz][,ax,ay,az,alx,aly,alz],fx,fy,fz,tx,ty,tz[,ox,oy,oz,oqw,oqx,oqy,oqz]`.
// Each group in brackets is complete or absent. Velocity and acceleration are those of the sensor's origin
// (ordinary, not spatial, acceleration), angular ones of the sensor, all in the world's axes. The wrench is
// the force the sensor exerts on the object and its moment about the sensor's origin; its axes are not stated
// by the file (the world's by the design, the sensor's when the user says so), so the numbers are kept as
// written. Gravity is no part of the log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>

namespace prehend::model {

// One entry per row in every vector, or none where the file has no such columns.
struct WrenchLog {
  std::vector<double> t;                 // [s], increasing
  std::vector<math::Pose> X_WS;          // sensor in the world
  std::vector<Eigen::Vector3d> v_WS_W;   // [m/s]
  std::vector<Eigen::Vector3d> w_WS_W;   // [rad/s]
  std::vector<Eigen::Vector3d> a_WS_W;   // [m/s^2]
  std::vector<Eigen::Vector3d> al_WS_W;  // [rad/s^2]
  std::vector<Eigen::Vector3d> f_S;      // [N] force of the sensor on the object, axes as written
  std::vector<Eigen::Vector3d> tau_S;    // [N m] its moment about the sensor's origin, axes as written
  std::vector<math::Pose> X_WO;          // object in the world
  std::vector<std::string> columns;      // as in the file
  std::vector<std::string> notes;        // ignored columns

  std::size_t rows() const { return t.size(); }
  double duration() const { return t.empty() ? 0.0 : t.back() - t.front(); }  // [s]
  bool has_twist() const { return !v_WS_W.empty(); }
  bool has_acceleration() const { return !a_WS_W.empty(); }
  bool has_object() const { return !X_WO.empty(); }
};

WrenchLog read_wrench_log(const std::string& path);
WrenchLog parse_wrench_log(std::string_view bytes, const std::string& name);

// Writes what read_wrench_log reads back bit by bit. Throws std::invalid_argument when the vectors' sizes do
// not fit.
void write_wrench_log(const std::string& path, const WrenchLog& log);

}  // namespace prehend::model
