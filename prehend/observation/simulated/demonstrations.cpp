#include <array>
#include <cmath>
#include <functional>
#include <map>

#include <Eigen/Geometry>

#include <prehend/geometry/primitives.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/observation/simulated/demonstrations.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using math::Pose;
using Path = std::function<Pose(double)>;  // from 0 to 1

constexpr double kRate = 30.0;  // [1/s]

Eigen::Quaterniond turn(const Vector3d& axis, double angle) { return math::exp_so3(angle * axis.normalized()); }

// Writes frames of one state after the other. Movements start and end at rest.
class Film {
 public:
  Film(Demonstration& film, math::RandomStream& random, int frames) : film_(film), random_(random), frames_(frames) {}

  // A path of the state `numbers`; a state's first frame is past its start, where the former state's last frame stood still.
  void take(const std::string& numbers, const Path& path) {
    const int state = static_cast<int>(film_.numbers.size());
    film_.numbers.push_back(numbers);
    const int count = frames_ + static_cast<int>(random_.below(static_cast<std::uint32_t>(frames_) + 1));
    for (int i = 1; i <= count; ++i) {
      // Neither end is part of the state: there the next one begins, or the former still holds.
      const double s = static_cast<double>(i) / (count + 1);
      film_.t_s.push_back(static_cast<double>(film_.t_s.size()) / kRate);
      film_.X_FM.push_back(path(s));
      film_.states.push_back(state);
    }
  }

 private:
  Demonstration& film_;
  math::RandomStream& random_;
  int frames_;
};

// A groove along z between x = 0 and w, from y = 0 down to -d.
geometry::TriangleMesh groove(double w, double d, double side, double base, double thick) {
  return solid_of_cells({-side, 0.0, w, w + side}, {-d - base, -d, 0.0}, {0.0, thick},
                        [](int i, int j, int) { return j == 0 || i != 1; });
}

// The lower right edge of the peg is its z axis; it stands at (x, y) in the groove's plane, tilted to the right by `tilt`.
Pose peg_pose(double x, double y, double z, double tilt) {
  return Pose(turn(Vector3d::UnitZ(), -tilt), Vector3d(x, y, z));
}

void take_peg(Film& film, Demonstration& demo, math::RandomStream& random) {
  const double w = random.uniform(0.025, 0.06), d = random.uniform(1.2, 2.0) * w, thick = random.uniform(0.7, 1.4) * w;
  const double length = d + random.uniform(0.4, 0.8) * w, deep = random.uniform(0.6, 1.3) * thick;
  demo.fixed = groove(w, d, random.uniform(0.9, 1.4) * w, 0.4 * w, thick);
  demo.moving = solid_of_cells({-w, 0.0}, {0.0, length}, {0.0, deep}, [](int, int, int) { return true; });
  const double z = 0.5 * (thick - deep) + random.uniform(-0.1, 0.1) * thick;
  const double first = random.uniform(0.45, 0.6), tilt = random.uniform(0.3, 0.4);
  const double start = random.uniform(0.4, 0.6) * w;
  film.take("300 300 00", [=](double s) {
    return Pose(turn(Vector3d(0.3, 0.2, -1.0), first) , Vector3d(w + start + 0.02 * (1 - s), 0.05 * (1 - s) + 0.015, z));
  });
  film.take("210 210 11", [=](double s) { return peg_pose(w + start * (1 - s), 0.0, z, first); });
  film.take("300 300 22", [=](double s) { return peg_pose(w, 0.0, z, first + (tilt - first) * s); });
  const double sunk = w * std::sin(tilt);
  film.take("210 210 11", [=](double s) {
    return peg_pose(w - s * sunk * std::sin(tilt), -s * sunk * std::cos(tilt), z, tilt);
  });
  film.take("120 120 22", [=](double s) {
    const double phi = tilt * (1 - s);
    return peg_pose(w * std::cos(phi) * std::cos(phi), -w * std::cos(phi) * std::sin(phi), z, phi);
  });
  film.take("300 300 23", [=](double s) { return peg_pose(w, 0.0, z + 0.1 * w * std::sin(3.0 * s), 0.0); });
  film.take("201 102 12", [=](double s) { return peg_pose(w, -s * d, z, 0.0); });
  film.take("111 012 23", [=](double s) { return peg_pose(w, -d, z + 0.1 * w * s, 0.0); });
}

void take_corner(Film& film, Demonstration& demo, math::RandomStream& random) {
  const double a = random.uniform(0.12, 0.2), wall = 0.02;
  demo.fixed = solid_of_cells({-wall, 0.0, a}, {-wall, 0.0, a}, {-wall, 0.0, a},
                              [](int i, int j, int k) { return i == 0 || j == 0 || k == 0; });
  const Vector3d size(random.uniform(0.03, 0.06), random.uniform(0.03, 0.06), random.uniform(0.03, 0.06));
  demo.moving = solid_of_cells({0.0, size.x()}, {0.0, size.y()}, {0.0, size.z()}, [](int, int, int) { return true; });
  const double x = random.uniform(0.03, 0.045), y = random.uniform(0.03, 0.045), yaw = 0.35;
  film.take("300 300 00", [=](double s) {
    return Pose(turn(Vector3d(0.4, -0.3, 1.0), yaw + 0.2 * (1 - s)), Vector3d(x + 0.02, y + 0.02, 0.02 + 0.05 * (1 - s)));
  });
  film.take("210 120 12", [=](double s) {
    return Pose(turn(Vector3d::UnitZ(), yaw * (1 - s)), Vector3d(x * (1 - s) + 0.015 * (1 - s), y + 0.02 * (1 - s), 0.0));
  });
  film.take("120 030 23", [=](double s) { return Pose::translation({0.0, y * (1 - s), 0.0}); });
  film.take("030 030 33", [=](double) { return Pose(); });
}

void take_roll(Film& film, Demonstration& demo, math::RandomStream& random) {
  const double a = random.uniform(0.1, 0.15);
  demo.fixed = solid_of_cells({-a, a}, {-a, a}, {-0.03, 0.0}, [](int, int, int) { return true; });
  const Vector3d size(random.uniform(0.03, 0.06), random.uniform(0.03, 0.06), random.uniform(0.03, 0.06));
  demo.moving = solid_of_cells({0.0, size.x()}, {0.0, size.y()}, {0.0, size.z()}, [](int, int, int) { return true; });
  // First about y, then about x: the corner at the origin, the edge along x, the face below are lowest in turn.
  const double up = random.uniform(0.35, 0.5), side = random.uniform(0.4, 0.6);
  const auto at = [=](double about_y, double about_x, double x, double y, double z) {
    const Eigen::Quaterniond q = turn(Vector3d::UnitY(), -about_y) * turn(Vector3d::UnitX(), about_x);
    return Pose(q, Vector3d(x, y, z));
  };
  film.take("300 300 00", [=](double s) { return at(up, side, -0.02, -0.01, 0.012 + 0.05 * (1 - s)); });
  film.take("210 300 10", [=](double s) { return at(up * (1 - s), side, -0.02 + 0.01 * s, -0.01 - 0.01 * s, 0.0); });
  film.take("210 210 11", [=](double s) { return at(0.0, side * (1 - s), -0.01, -0.02, 0.0); });
  film.take("210 120 12", [=](double s) { return at(0.0, 0.0, -0.01 + 0.03 * s, -0.02, 0.0); });
}

void take_hook(Film& film, Demonstration& demo, math::RandomStream& random) {
  const double thick = random.uniform(0.01, 0.015), high = random.uniform(0.06, 0.09), wide = 0.12;
  demo.fixed = solid_of_cells({-0.06, 0.0, thick, 0.08}, {-0.02, 0.0, high}, {0.0, wide},
                              [](int i, int j, int) { return j == 0 || i == 1; });
  const double gap = thick + random.uniform(0.02, 0.03), drop = random.uniform(0.02, 0.03), bar = 0.012;
  const double broad = random.uniform(0.03, 0.05);
  // Upside down U: its inner ceiling is y = 0, its inner left side x = 0.
  demo.moving = solid_of_cells({-bar, 0.0, gap, gap + bar}, {-drop, 0.0, bar}, {0.0, broad},
                               [](int i, int j, int) { return j == 1 || i != 1; });
  const double z = 0.5 * (wide - broad), x = 0.5 * (thick - gap);
  film.take("300 300 00", [=](double s) {
    return Pose(turn(Vector3d(0.2, 1.0, 0.1), 0.2 * (1 - s)), Vector3d(x, high + 0.012 + 0.06 * (1 - s), z));
  });
  film.take("210 120 12", [=](double s) {
    return Pose::translation({x + s * (0.0 - x), high, z + 0.01 * s});
  });
  film.take("120 030 23", [=](double s) { return Pose::translation({0.0, high, z + 0.01 + 0.02 * s}); });
}

void take_stack(Film& film, Demonstration& demo, math::RandomStream& random) {
  const Vector3d size(random.uniform(0.03, 0.06), random.uniform(0.03, 0.06), random.uniform(0.03, 0.06));
  demo.fixed = solid_of_cells({0.0, size.x()}, {0.0, size.y()}, {0.0, size.z()}, [](int, int, int) { return true; });
  demo.moving = demo.fixed;
  const double off = random.uniform(0.2, 0.35), yaw = random.uniform(0.1, 0.3);
  film.take("300 300 00", [=](double s) {
    return Pose(turn(Vector3d(0.3, 0.2, 1.0), yaw), Vector3d(off * size.x(), 0.0, size.z() + 0.015 + 0.06 * (1 - s)));
  });
  film.take("210 120 12", [=](double s) {
    const double rest = std::max(0.0, 1.0 - 1.6 * s);  // flush for the last third
    return Pose(turn(Vector3d::UnitZ(), yaw * rest), Vector3d(off * size.x() * rest, 0.0, size.z()));
  });
}

void take_jam(Film& film, Demonstration& demo, math::RandomStream& random) {
  const double w = random.uniform(0.03, 0.05), peg = w * random.uniform(0.88, 0.93), d = 1.6 * w, thick = 1.2 * w;
  demo.fixed = groove(w, d, w, 0.4 * w, thick);
  const double length = 2.4 * w, deep = 0.9 * thick;
  // Its lower left edge is the z axis.
  demo.moving = solid_of_cells({0.0, peg}, {0.0, length}, {0.0, deep}, [](int, int, int) { return true; });
  const double z = 0.5 * (thick - deep), down = random.uniform(0.8, 1.0) * w;
  film.take("300 300 00", [=](double s) {
    return Pose(turn(Vector3d(0.1, 0.1, 1.0), 0.1 * (1 - s)), Vector3d(0.5 * (w - peg), 0.015 + 0.06 * (1 - s), z));
  });
  film.take("210 120 12", [=](double s) { return Pose::translation({0.0, -0.4 * w - s * (down - 0.4 * w), z}); });
  // Turned about the left rim (0, 0), the left face on it: the lower right edge meets the right wall when
  // down sin a + peg cos a = w.
  const double jam = std::asin(w / std::hypot(down, peg)) - std::atan2(peg, down);
  const auto about_rim = [=](double a, double slide) {
    return Pose(turn(Vector3d::UnitZ(), a), turn(Vector3d::UnitZ(), a) * Vector3d(0.0, -down, 0.0) + Vector3d(0, 0, z + slide));
  };
  film.take("210 210 11", [=](double s) { return about_rim(jam * s, 0.0); });
  film.take("120 120 22", [=](double s) { return about_rim(jam, 0.004 * s); });
}

}  // namespace

const char* to_string(DemonstrationKind kind) { return enum_text(kind); }

geometry::TriangleMesh solid_of_cells(const std::vector<double>& x, const std::vector<double>& y,
                                      const std::vector<double>& z, bool (*is_solid)(int i, int j, int k)) {
  geometry::TriangleMesh mesh;
  const std::array<const std::vector<double>*, 3> planes = {&x, &y, &z};
  std::map<std::array<int, 3>, int> numbers;
  const auto vertex = [&](const std::array<int, 3>& p) {
    const auto [entry, is_new] = numbers.try_emplace(p, static_cast<int>(mesh.vertices.size()));
    if (is_new) {
      Vector3d corner;
      for (std::size_t axis = 0; axis < 3; ++axis)
        corner[static_cast<Eigen::Index>(axis)] = (*planes[axis])[static_cast<std::size_t>(p[axis])];
      mesh.vertices.push_back(corner);
    }
    return entry->second;
  };
  const auto solid = [&](const std::array<int, 3>& p) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (p[axis] < 0 || p[axis] + 1 >= static_cast<int>(planes[axis]->size())) return false;
    return is_solid(p[0], p[1], p[2]);
  };
  std::array<int, 3> cell;
  for (cell[0] = 0; cell[0] + 1 < static_cast<int>(x.size()); ++cell[0])
    for (cell[1] = 0; cell[1] + 1 < static_cast<int>(y.size()); ++cell[1])
      for (cell[2] = 0; cell[2] + 1 < static_cast<int>(z.size()); ++cell[2]) {
        if (!solid(cell)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const int side : {0, 1}) {
            std::array<int, 3> next = cell, corner = cell;
            next[axis] += side == 1 ? 1 : -1;
            if (solid(next)) continue;
            corner[axis] += side;
            const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            std::array<int, 4> quad;
            const std::array<std::array<int, 2>, 4> steps = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
            for (std::size_t n = 0; n < 4; ++n) {
              std::array<int, 3> p = corner;
              p[u] += steps[n][0];
              p[v] += steps[n][1];
              quad[n] = vertex(p);
            }
            if (side == 0) std::swap(quad[1], quad[3]);
            mesh.triangles.push_back({quad[0], quad[1], quad[2]});
            mesh.triangles.push_back({quad[0], quad[2], quad[3]});
          }
      }
  return mesh;
}

Demonstration demonstrate(DemonstrationKind kind, std::uint64_t seed, int frames) {
  math::RandomStream random(seed, static_cast<std::uint64_t>(kind));
  Demonstration demo;
  demo.kind = kind;
  Film film(demo, random, frames);
  switch (kind) {
    case DemonstrationKind::peg: take_peg(film, demo, random); break;
    case DemonstrationKind::corner: take_corner(film, demo, random); break;
    case DemonstrationKind::roll: take_roll(film, demo, random); break;
    case DemonstrationKind::hook: take_hook(film, demo, random); break;
    case DemonstrationKind::stack: take_stack(film, demo, random); break;
    case DemonstrationKind::jam: take_jam(film, demo, random); break;
  }
  return demo;
}

Recording seen(const Demonstration& demonstration, const TrackNoise& noise, std::uint64_t seed) {
  math::RandomStream random(seed, 77);
  Recording recording{"moving", "fixed", demonstration.t_s, {}, true, 0, {}};
  for (const Pose& X : demonstration.X_FM) {
    const Vector3d shift = noise.position * random.normal3();
    const Vector3d w = noise.angle * random.normal3();
    recording.X_FM.push_back(Pose((math::exp_so3(w) * X.q()).normalized(), X.p() + shift));
  }
  return recording;
}

}  // namespace prehend::observation
