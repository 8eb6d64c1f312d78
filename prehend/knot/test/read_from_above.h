// A second reader of codes, to check the first.
#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Core>

#include <prehend/knot/p_data.h>

namespace prehend::knot {

// The code of a line seen from above, straight from the definition: every pair of edges, no sorting structure.
inline PData read_from_above(const std::vector<Eigen::Vector3d>& line) {
  struct Passage {
    double at;  // edge number and place on it
    int crossing;
    bool over;
    int sign;
  };
  std::vector<Passage> passages;
  int crossings = 0;
  const auto cross = [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    return a.x() * b.y() - a.y() * b.x();
  };
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    for (std::size_t j = i + 2; j + 1 < line.size(); ++j) {
      const Eigen::Vector3d u = line[i + 1] - line[i], v = line[j + 1] - line[j], w = line[j] - line[i];
      const double area = cross(u, v);
      if (area == 0) continue;
      const double s = cross(w, v) / area, t = cross(w, u) / area;
      if (s < 0 || s > 1 || t < 0 || t > 1) continue;
      const bool first_over = line[i].z() + s * u.z() > line[j].z() + t * v.z();
      const int sign = (area > 0) == first_over ? 1 : -1;
      passages.push_back({static_cast<double>(i) + s, crossings, first_over, sign});
      passages.push_back({static_cast<double>(j) + t, crossings, !first_over, sign});
      ++crossings;
    }
  }
  std::sort(passages.begin(), passages.end(), [](const Passage& a, const Passage& b) { return a.at < b.at; });
  PData data;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    for (std::size_t j = 0; j < passages.size(); ++j) {
      if (i != j && passages[i].crossing == passages[j].crossing)
        data.sigma.push_back(static_cast<int>(j) + 1);
    }
    data.attr.push_back(attribute_of(passages[i].over, passages[i].sign));
  }
  return data;
}

}  // namespace prehend::knot
