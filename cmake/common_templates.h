// Templates that most files instantiate; the build's precompiled headers hold them (PrehendPrecompile.cmake). No file includes this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>

namespace prehend::precompiled {

inline void boxes(Eigen::AlignedBox3d& box, const Eigen::Vector3d& p) {
  box.extend(p);
  box.extend(box);
  box.setEmpty();
}

inline void rotations(Eigen::Vector3d& a, const Eigen::Vector3d& b, double& s, Eigen::Matrix3d& R,
                      const Eigen::Matrix3d& S, Eigen::Quaterniond& q, const Eigen::Quaterniond& r) {
  a = S * b;
  a = S.transpose() * b;
  a = S * b + a;
  R = S * S;
  R = S.transpose() * S;
  R = S * S.transpose();
  R = S.transpose();
  R.setIdentity();
  R = r.toRotationMatrix();
  a = r * b;
  a = r.inverse() * b;
  q = r * r;
  q = r.conjugate();
  q = r.normalized();
  q = Eigen::Quaterniond(S);
  q = Eigen::AngleAxisd(s, b);
}

inline void vectors(Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double& s) {
  a = b + c;
  a = b - c;
  a = -b;
  a = s * b;
  a = b / s;
  a += b;
  a -= b;
  a += s * b;
  a = b + s * c;
  a = b.cross(c);
  a = b.normalized();
  a = (b - c).normalized();
  a = b.cwiseMin(c);
  a = b.cwiseMax(c);
  a = Eigen::Vector3d::Zero();
  a = Eigen::Vector3d::UnitZ();
  s = b.dot(c);
  s = b.norm();
  s = b.squaredNorm();
  s = (b - c).norm();
  s = (b - c).squaredNorm();
  s = (b - c).dot(a);
  s = b.allFinite() ? b.maxCoeff() : b.cwiseAbs().maxCoeff();
}

inline void containers(std::vector<Eigen::Vector3d>& points, std::vector<double>& numbers,
                       std::vector<int>& counts, std::vector<std::string>& names, std::string& text) {
  points.push_back(points.front());
  points.resize(3);
  numbers.push_back(1.0);
  numbers.resize(3);
  numbers.assign(3, 0.0);
  counts.push_back(1);
  counts.resize(3);
  counts.assign(3, 0);
  names.push_back(text);
  names.emplace_back("x");
  text = "a" + text + "b" + std::to_string(counts.size());
}

}  // namespace prehend::precompiled
