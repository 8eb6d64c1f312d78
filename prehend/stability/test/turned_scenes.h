// Turned bodies with a known surface, their meshes as files have them, and scenes in which they stand, lie and balance with known limits.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/geometry/polygon2.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {

// A meridian of straight lines and arcs, outwards from the axis below and back to it above, or around a ring. Material on the left.
class TurnedOutline {
 public:
  using Point = Eigen::Vector2d;
  explicit TurnedOutline(const Point& start, bool is_closed = false) : is_closed_(is_closed) {
    pieces_.push_back({start, Point::Zero(), 0.0, 0.0, Point::Zero()});
  }
  TurnedOutline& line(double r, double z) {
    pieces_.push_back({{r, z}, Point::Zero(), 0.0, 0.0, Point::Zero()});
    return *this;
  }
  // Of an ellipse with the semi-axes given, from one angle to the other; begins where the last piece ends, or with a line to there.
  TurnedOutline& arc(const Point& centre, const Point& radii, double from_deg, double to_deg) {
    pieces_.push_back(
        {Point::Zero(), centre, from_deg * math::kDegree, (to_deg - from_deg) * math::kDegree, radii});
    return *this;
  }
  bool is_closed() const { return is_closed_; }
  // Arcs are divided as a circle of so many sides is.
  std::vector<Point> points(int sides) const {
    std::vector<Point> all;
    const auto add = [&](Point p) {
      p.x() = std::max(p.x(), 0.0);
      if (p.x() < 1e-12) p.x() = 0.0;
      if (all.empty() || (all.back() - p).norm() > 1e-9) all.push_back(p);
    };
    for (const Piece& piece : pieces_) {
      if (piece.turn == 0.0) {
        add(piece.end);
        continue;
      }
      const int count =
          std::max(1, static_cast<int>(std::lround(sides * std::abs(piece.turn) / (2.0 * math::kPi))));
      for (int i = 0; i <= count; ++i) {
        const double angle = piece.from + piece.turn * i / count;
        add(piece.centre + Point(piece.radii.x() * std::cos(angle), piece.radii.y() * std::sin(angle)));
      }
    }
    if (is_closed_ && (all.back() - all.front()).norm() < 1e-9) all.pop_back();
    return all;
  }

 private:
  struct Piece {
    Point end, centre;
    double from, turn;
    Point radii;
  };
  std::vector<Piece> pieces_;
  bool is_closed_;
};

struct TurnedMeshOptions {
  int sides{32};
  double twist{0.0};           // [rad] of every ring against the one before
  bool other_diagonal{false};  // of the quads
  bool flat_ends{true};        // ends are polygons where they are flat; else fans about the axis
  double noise{0.0};           // [-] of the size
};

inline geometry::TriangleMesh turned_mesh(const TurnedOutline& outline, const TurnedMeshOptions& options,
                                          math::RandomStream& random) {
  const std::vector<Eigen::Vector2d> meridian = outline.points(options.sides);
  geometry::TriangleMesh mesh;
  std::vector<int> first;  // of each ring; poles have one vertex
  const int n = options.sides;
  double size = 0.0;
  for (std::size_t k = 0; k < meridian.size(); ++k) {
    const Eigen::Vector2d& p = meridian[k];
    size = std::max({size, 2.0 * p.x(), (p - meridian.front()).norm()});
    first.push_back(static_cast<int>(mesh.vertices.size()));
    const auto is_flat_pole = [&](std::size_t beside) {
      return p.x() == 0.0 && options.flat_ends && std::abs(meridian[beside].y() - p.y()) < 1e-12;
    };
    if (k == 0 && is_flat_pole(1)) continue;
    if (k + 1 == meridian.size() && is_flat_pole(k - 1)) continue;
    for (int i = 0; i < (p.x() == 0.0 ? 1 : n); ++i) {
      const double angle = 2.0 * math::kPi * i / n + options.twist * static_cast<double>(k);
      mesh.vertices.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
    }
  }
  first.push_back(static_cast<int>(mesh.vertices.size()));
  const auto count = [&](std::size_t k) { return first[k + 1] - first[k]; };
  const std::size_t bands = outline.is_closed() ? meridian.size() : meridian.size() - 1;
  for (std::size_t k = 0; k < bands; ++k) {
    const std::size_t next = (k + 1) % meridian.size();
    const int a = first[k], b = first[next];
    for (int i = 0; i < n; ++i) {
      // Around the closed chain the twist adds up: start where the angles are nearest.
      const int shift = next == 0 ? static_cast<int>(std::lround(options.twist * static_cast<double>(k) /
                                                                 (2.0 * math::kPi / n))) %
                                            n +
                                        n
                                  : 0;
      const int j = (i + 1) % n, bi = b + (i + shift) % n, bj = b + (j + shift) % n;
      if (count(k) == 0) {
        if (i > 0 && j > 0) mesh.triangles.emplace_back(b, b + j, b + i);
      } else if (count(next) == 0) {
        if (i > 0 && j > 0) mesh.triangles.emplace_back(a, a + i, a + j);
      } else if (count(k) == 1) {
        mesh.triangles.emplace_back(a, bj, bi);
      } else if (count(next) == 1) {
        mesh.triangles.emplace_back(a + i, a + j, b);
      } else if (options.other_diagonal) {
        mesh.triangles.emplace_back(a + i, a + j, bi);
        mesh.triangles.emplace_back(a + j, bj, bi);
      } else {
        mesh.triangles.emplace_back(a + i, a + j, bj);
        mesh.triangles.emplace_back(a + i, bj, bi);
      }
    }
  }
  for (Eigen::Vector3d& p : mesh.vertices)
    p += options.noise * size *
         Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  return mesh;
}

// As MJCF has it.
inline std::string asset(const char* name, const geometry::TriangleMesh& mesh) {
  std::string text = std::string("<mesh name=\"") + name + "\" inertia=\"exact\" vertex=\"";
  char number[120];
  for (const Eigen::Vector3d& p : mesh.vertices) {
    std::snprintf(number, sizeof number, "%.9g %.9g %.9g ", p.x(), p.y(), p.z());
    text += number;
  }
  text += "\" face=\"";
  for (const Eigen::Vector3i& t : mesh.triangles) {
    std::snprintf(number, sizeof number, "%d %d %d ", t[0], t[1], t[2]);
    text += number;
  }
  return text + "\"/>";
}

struct NamedOutline {
  std::string name;
  TurnedOutline outline;
};

// About 0.1 to 0.3 m large.
inline std::vector<NamedOutline> turned_outlines() {
  using P = Eigen::Vector2d;
  const auto start = [](double z) { return TurnedOutline(P(0.0, z)); };
  std::vector<NamedOutline> all;
  all.push_back(
      {"chamfered can",
       start(-0.1).line(0.045, -0.1).line(0.05, -0.095).line(0.05, 0.095).line(0.045, 0.1).line(0, 0.1)});
  all.push_back({"can with rounded rims", start(-0.06)
                                              .line(0.035, -0.06)
                                              .arc({0.035, -0.052}, {0.008, 0.008}, -90, 0)
                                              .arc({0.035, 0.052}, {0.008, 0.008}, 0, 90)
                                              .line(0, 0.06)});
  all.push_back({"beaded can", start(-0.05)
                                   .line(0.033, -0.05)
                                   .line(0.033, -0.047)
                                   .line(0.031, -0.045)
                                   .line(0.031, 0.045)
                                   .line(0.033, 0.047)
                                   .line(0.033, 0.05)
                                   .line(0.028, 0.05)
                                   .line(0.027, 0.046)
                                   .line(0, 0.046)});
  all.push_back({"cone", start(0).line(0.06, 0).line(0, 0.15)});
  all.push_back({"frustum", start(0).line(0.06, 0).line(0.035, 0.12).line(0, 0.12)});
  all.push_back(
      {"rounded disc", start(-0.01).line(0.07, -0.01).arc({0.07, 0.0}, {0.01, 0.01}, -90, 90).line(0, 0.01)});
  all.push_back({"torus", TurnedOutline(P(0.11, 0.0), true).arc({0.08, 0.0}, {0.03, 0.03}, 0, 360)});
  all.push_back(
      {"flat ring", TurnedOutline(P(0.06, -0.01), true).line(0.06, 0.01).line(0.04, 0.01).line(0.04, -0.01)});
  all.push_back({"bowl", start(0.0015)
                             .line(0.028, 0.0015)
                             .line(0.028, 0.0)
                             .line(0.032, 0.0)
                             .line(0.034, 0.006)
                             .arc({0.0, 0.08}, {0.0814, 0.0814}, -65.3, -5)
                             .arc({0.07869, 0.0731}, {0.0024, 0.0024}, 0, 180)
                             .arc({0.0, 0.08}, {0.0766, 0.0766}, -5.17, -90)});
  all.push_back(
      {"mug", start(0).line(0.04, 0).line(0.04, 0.1).line(0.037, 0.1).line(0.037, 0.004).line(0, 0.004)});
  all.push_back({"paper cup", start(0.005)
                                  .line(0.026, 0.005)
                                  .line(0.026, 0)
                                  .line(0.027, 0)
                                  .line(0.04, 0.1)
                                  .line(0.039, 0.1)
                                  .line(0.0263, 0.006)
                                  .line(0, 0.006)});
  all.push_back({"bottle", start(0)
                               .line(0.03, 0)
                               .arc({0.03, 0.005}, {0.005, 0.005}, -90, 0)
                               .line(0.035, 0.13)
                               .arc({0.015, 0.13}, {0.02, 0.03}, 0, 80)
                               .line(0.014, 0.2)
                               .line(0.0, 0.2)});
  all.push_back(
      {"capsule", start(-0.08).arc({0, -0.05}, {0.03, 0.03}, -90, 0).arc({0, 0.05}, {0.03, 0.03}, 0, 90)});
  all.push_back({"prolate ellipsoid", start(-0.09).arc({0, 0}, {0.05, 0.09}, -90, 90)});
  all.push_back({"oblate ellipsoid", start(-0.03).arc({0, 0}, {0.08, 0.03}, -90, 90)});
  all.push_back(
      {"egg", start(-0.022).arc({0, 0}, {0.022, 0.022}, -90, 0).arc({0, 0}, {0.022, 0.035}, 0, 90)});
  all.push_back({"wine glass", start(0)
                                   .line(0.035, 0)
                                   .line(0.035, 0.002)
                                   .line(0.004, 0.008)
                                   .line(0.004, 0.08)
                                   .arc({0.0, 0.115}, {0.038, 0.036}, -80, 30)
                                   .line(0.0320, 0.1328)
                                   .arc({0.0, 0.115}, {0.036, 0.034}, 30, -90)});
  all.push_back({"rolling pin", start(-0.2)
                                    .arc({0.0, -0.19}, {0.012, 0.01}, -90, 0)
                                    .line(0.012, -0.13)
                                    .line(0.03, -0.13)
                                    .line(0.03, 0.13)
                                    .line(0.012, 0.13)
                                    .arc({0.0, 0.19}, {0.012, 0.01}, 0, 90)});
  all.push_back({"funnel", TurnedOutline(P(0.008, 0.0), true)
                               .line(0.01, 0.0)
                               .line(0.012, 0.05)
                               .line(0.06, 0.11)
                               .line(0.058, 0.11)
                               .line(0.01, 0.05)});
  all.push_back({"plate", start(0.003)
                              .line(0.06, 0.003)
                              .line(0.061, 0.0)
                              .line(0.065, 0.0)
                              .line(0.07, 0.004)
                              .line(0.12, 0.02)
                              .arc({0.1195, 0.0215}, {0.0015, 0.0015}, -60, 120)
                              .line(0.07, 0.008)
                              .line(0.06, 0.006)
                              .line(0.0, 0.006)});
  return all;
}

// How a turned body touches the floor: with a ring or disc of that radius, with the line (or two points) between two points, or in a point.
struct TurnedRest {
  enum class Kind { ring, line, point } kind{Kind::ring};
  Eigen::Vector2d down{0.0, -1.0};  // in the meridian
  Eigen::Vector2d p, q;             // [m] the contact in the meridian
};

inline std::vector<TurnedRest> turned_rests(const TurnedOutline& outline, math::RandomStream& random) {
  using P = Eigen::Vector2d;
  std::vector<P> fine = outline.points(8000);
  const std::size_t half = fine.size();
  for (std::size_t i = 0; i < half; ++i) fine.emplace_back(-fine[i].x(), fine[i].y());
  const std::vector<int> hull = geometry::convex_hull(fine, 0.0);
  double size = 0.0;
  for (const P& p : fine) size = std::max(size, (p - fine.front()).norm());
  std::vector<TurnedRest> rests;
  std::vector<TurnedRest> smooth;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const P &p = fine[static_cast<std::size_t>(hull[i])],
            &q = fine[static_cast<std::size_t>(hull[(i + 1) % hull.size()])];
    const double length = (q - p).norm();
    if (length < 1e-12) continue;
    const P n = P(q.y() - p.y(), p.x() - q.x()) / length;
    if (std::abs(n.x()) < 1e-9) {  // flat below or above
      if (length > 0.01 * size)
        rests.push_back({TurnedRest::Kind::ring, P(0.0, n.y() < 0 ? -1.0 : 1.0), p.x() > q.x() ? p : q,
                         p.x() > q.x() ? p : q});
      continue;
    }
    if (n.x() <= 0.0) continue;
    if (length > 0.02 * size && p.x() >= 0.0 && q.x() >= 0.0) {
      if (std::abs(q.y() - p.y()) > 0.1 * length) rests.push_back({TurnedRest::Kind::line, n, p, q});
    } else if (length < 2e-3 * size && p.x() > 0.0 && n.x() > 0.1) {
      smooth.push_back({TurnedRest::Kind::point, n, 0.5 * (p + q), 0.5 * (p + q)});
    }
  }
  for (int i = 0; i < 2 && !smooth.empty(); ++i)
    rests.push_back(
        smooth[static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(smooth.size())))]);
  return rests;
}

// One body of mass 1 on a floor, its centre of mass on the axis, everything turned by q_WF; what pushes it may bear.
struct TurnedScene {
  model::Scene scene;
  struct Wanted {
    Push push;
    double limit;  // [N]
  };
  std::vector<Wanted> wanted;
};

inline TurnedScene turned_scene(const geometry::TriangleMesh& mesh, const TurnedRest& rest, double roll,
                                double mu, const Eigen::Quaterniond& q_WF, math::RandomStream& random,
                                bool is_exact = true, bool keep_facets = false) {
  using Eigen::Quaterniond;
  using Eigen::Vector3d;
  constexpr double g = 9.81;
  // Floor frame F: z up, floor at 0. In the meridian the body's r axis is x_F before the tilt.
  const double tilt = std::atan2(rest.down.x(), -rest.down.y());  // 0: the axis is upright
  const Quaterniond q_FM(Eigen::AngleAxisd(tilt, Vector3d::UnitY()));
  const auto lifted = [](const Eigen::Vector2d& p) { return Vector3d(p.x(), 0.0, p.y()); };
  double height = -(q_FM * lifted(rest.p)).z();
  double com = 0.0;
  if (rest.kind == TurnedRest::Kind::ring) {
    com = rest.p.y() - rest.down.y() * random.uniform(0.5, 1.5) * rest.p.x();
  } else if (rest.kind == TurnedRest::Kind::point) {
    com = rest.p.y() - rest.p.x() * rest.down.y() / rest.down.x();
  } else {
    const Eigen::Vector2d way = (rest.q - rest.p).normalized();
    const Eigen::Vector2d over = rest.p + random.uniform(0.25, 0.75) * (rest.q - rest.p);
    com = way.dot(over) / way.y();
  }
  const Vector3d c_F = q_FM * Vector3d(0.0, 0.0, com) + Vector3d(0.0, 0.0, height);
  const Quaterniond q_WB = q_WF * q_FM * Quaterniond(Eigen::AngleAxisd(roll, Vector3d::UnitZ()));
  const Vector3d p_WB = q_WF * Vector3d(0.0, 0.0, height);
  std::string text = "<mesh name=\"m\" inertia=\"exact\" vertex=\"";
  char number[400];
  for (const Vector3d& p : mesh.vertices) {
    std::snprintf(number, sizeof number, "%.9g %.9g %.9g ", p.x(), p.y(), p.z());
    text += number;
  }
  text += "\" face=\"";
  for (const Eigen::Vector3i& t : mesh.triangles) {
    std::snprintf(number, sizeof number, "%d %d %d ", t[0], t[1], t[2]);
    text += number;
  }
  text += "\"/>";
  const Vector3d down = q_WF * Vector3d(0, 0, -g);
  std::snprintf(number, sizeof number, "<mujoco><option gravity=\"%.17g %.17g %.17g\"/><asset>", down.x(),
                down.y(), down.z());
  std::string all = number + text + "</asset><worldbody>";
  const Vector3d floor = q_WF * Vector3d(0, 0, -0.05);
  std::snprintf(
      number, sizeof number,
      "<geom type=\"box\" size=\"1 1 0.05\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\" "
      "friction=\"%.17g\"/>",
      floor.x(), floor.y(), floor.z(), q_WF.w(), q_WF.x(), q_WF.y(), q_WF.z(), mu);
  all += number;
  std::snprintf(number, sizeof number,
                "<body name=\"body\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"><freejoint/>",
                p_WB.x(), p_WB.y(), p_WB.z(), q_WB.w(), q_WB.x(), q_WB.y(), q_WB.z());
  all += number;
  std::snprintf(number, sizeof number,
                "<inertial pos=\"0 0 %.17g\" mass=\"1\" diaginertia=\"0.01 0.01 0.01\"/><geom type=\"mesh\" "
                "mesh=\"m\" friction=\"%.17g\"/></body></worldbody></mujoco>",
                com, mu);
  all += number;
  model::SceneOptions reading;
  reading.keep_facets = keep_facets;
  TurnedScene made{model::read_scene_text(all, model::SceneFormat::mjcf, "turned.xml", reading), {}};
  const model::BodyIndex body = made.scene.find_body("body");
  const auto want = [&](const Vector3d& p_F, const Vector3d& d_F, double limit) {
    made.wanted.push_back({{body, q_WF * p_F, q_WF * d_F}, limit});
  };
  const double h = c_F.z();
  if (rest.kind == TurnedRest::Kind::ring) {
    const double angle = random.uniform(0.0, 2.0 * math::kPi);
    want(c_F, {std::cos(angle), std::sin(angle), 0.0}, g * std::min(mu, rest.p.x() / h));
  } else if (rest.kind == TurnedRest::Kind::line) {
    want(c_F, {0.0, 1.0, 0.0}, 0.0);
    want(c_F, {0.0, -1.0, 0.0}, 0.0);
    // Along the line: a mesh that knows its axis less exactly than the push does rolls instead.
    for (const Eigen::Vector2d& end : {rest.p, rest.q}) {
      if (!is_exact) break;
      const double lever = (q_FM * lifted(end)).x() - c_F.x();
      want(c_F, {lever < 0.0 ? -1.0 : 1.0, 0.0, 0.0}, g * std::min(mu, std::abs(lever) / h));
    }
  } else {
    const double angle = random.uniform(0.0, 2.0 * math::kPi);
    const Vector3d d(std::cos(angle), std::sin(angle), 0.0);
    want(c_F, d, 0.0);
    want(c_F, {0.0, 0.0, 1.0}, g);
  }
  return made;
}

// What is wrong with the answers; empty: nothing.
inline std::string turned_fault(const TurnedScene& made) {
  std::vector<Push> pushes;
  for (const auto& wanted : made.wanted) pushes.push_back(wanted.push);
  RobustnessOptions options;
  options.check_points = false;
  const RobustnessResult result = robustness(made.scene, pushes, options);
  if (result.status != RobustnessStatus::ok || result.answers.size() != pushes.size())
    return std::string(to_string(result.status)) + ": " + result.brief_report();
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    const double limit = made.wanted[i].limit, found = result.answers[i].robustness;
    // [N] of 9.81 that count as nothing.
    constexpr double kNothing = 1e-4;
    if (result.answers[i].status != AnswerStatus::ok)
      return "push " + std::to_string(i) + ": " + to_string(result.answers[i].status);
    if (std::abs(found - limit) > std::max(0.005 * limit, kNothing))
      return "push " + std::to_string(i) + ": " + std::to_string(found) + " N instead of " +
             std::to_string(limit) + (result.problems.empty() ? "" : "; problem: " + result.problems.front());
  }
  return "";
}

}  // namespace prehend::stability
