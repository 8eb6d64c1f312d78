#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/QR>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/placement/search/descent.h>
#include <prehend/placement/search/separation.h>

namespace prehend::placement {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::Vector6d;

// Descents that are started before the search gives up, and steps of one.
constexpr int kMostDescents = 120, kMostDescentSteps = 80;
// Poses of one descent that are verified.
constexpr int kMostOffers = 10;
// Of the object's radius: first trust region, what counts as arrived, contacts that are closed when the pose is snapped.
constexpr double kTrust = 0.25, kArrived = 1e-5, kClosed = 2e-3;
// Of the object's radius: how far beside a point it is let down the second time.
constexpr double kBeside = 0.3;
// [m] Snapped contacts close to this.
constexpr double kSnapped = 1e-8;

struct Start {
  Eigen::Matrix3d R;
  Vector3d over;  // the centre of mass stands above this point
};

// Points worth letting the object down over: parts that may be touched, and between those that are near each other.
std::vector<Vector3d> landing_points(const Problem& problem, const std::vector<ConvexPart>& parts,
                                     double size) {
  std::vector<Vector3d> points;
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const ConvexPart& part : parts) {
    if (part.body.is_valid() && problem.may_touch[part.body]) boxes.push_back(part.box());
  }
  for (std::size_t i = 0; i < boxes.size() && points.size() < 60; ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && points.size() < 60; ++j) {
      if (boxes[i].squaredExteriorDistance(boxes[j]) > size * size) continue;
      // Between their nearest points, which for overlapping boxes is the middle of what they share.
      const Eigen::AlignedBox3d shared = boxes[i].intersection(boxes[j]);
      const Vector3d a = boxes[i].center().cwiseMax(boxes[j].min()).cwiseMin(boxes[j].max());
      const Vector3d b = a.cwiseMax(boxes[i].min()).cwiseMin(boxes[i].max());
      points.push_back(shared.isEmpty() ? Vector3d(0.5 * (a + b)) : Vector3d(shared.center()));
    }
  }
  for (std::size_t i = 0; i < boxes.size() && i < 30; ++i) points.push_back(boxes[i].center());
  return points;
}

}  // namespace

struct Descents::State {
  const Problem& problem;
  Parts& parts;
  double radius;
  math::RandomStream random;
  std::vector<MovedPart> scene;
  std::vector<Vector3d> points;
  std::vector<Eigen::Matrix3d> orientations;
  long started{0}, successes{0};
  // The descent that is going on.
  bool is_running{false};
  math::Pose X_WO;
  double trust{0.0};
  int steps{0}, offers{0};
  std::vector<int> last_touched;
  math::QuadraticProgramSolver solver;

  State(const Problem& the_problem, Parts& the_parts, const std::vector<RestingFace>& faces)
      : problem(the_problem),
        parts(the_parts),
        radius(0.5 * the_parts.object_size()),
        random(the_problem.options.seed, 7) {
    const std::vector<ConvexPart>& fixed = parts.scene(true);
    for (const ConvexPart& part : fixed) scene.push_back(moved_part(part, math::Pose()));
    points = landing_points(problem, fixed, 2.0 * radius);
    const Vector3d up = problem.up_W;
    const Vector3d u = up.unitOrthogonal();
    for (std::size_t f = 0; f < faces.size() && f < 8; ++f) {
      for (const double yaw : {0.0, 0.5 * M_PI, 0.25 * M_PI, -0.25 * M_PI})
        orientations.push_back(faces[f].orientation(up, u, yaw));
    }
    while (orientations.size() < 40) orientations.push_back(random.rotation().toRotationMatrix());
  }

  Vector3d com_W() const { return X_WO * problem.body().inertia.com; }
  bool begin();
  void move(const Vector6d& twist);  // about the centre of mass
  double rows_at(double range, std::vector<GapRow>& rows) const;
  bool step();                          // false: arrived
  std::optional<math::Pose> snapped();  // with all near contacts closed
  std::vector<int> touched(double gap) const;
};

bool Descents::State::begin() {
  if (points.empty() || started >= kMostDescents) return false;
  const long k = started++;
  const auto np = static_cast<long>(points.size()), no = static_cast<long>(orientations.size());
  const Eigen::Matrix3d& R = orientations[static_cast<std::size_t>((k / std::min(np, 6L) + k) % no)];
  Vector3d over = points[static_cast<std::size_t>(k % np)];
  // Between two things the middle may be a pass, on which it would stay: the second time beside it.
  if (k >= np) {
    const Vector3d u = problem.up_W.unitOrthogonal(), v = problem.up_W.cross(u);
    over += kBeside * radius * (random.uniform(-1.0, 1.0) * u + random.uniform(-1.0, 1.0) * v);
  }
  const Vector3d com = problem.body().inertia.com;
  double top = -std::numeric_limits<double>::infinity();
  for (const MovedPart& part : scene) {
    for (const Vector3d& p : part.points_W) {
      const Vector3d across = p - over - problem.up_W.dot(p - over) * problem.up_W;
      // Large bodies far below do not matter, tall ones nearby do; corners of large ones may be far away.
      if (across.norm() < 3.0 * radius || part.box.diagonal().norm() > 4.0 * radius)
        top = std::max(top, problem.up_W.dot(p));
    }
  }
  const Vector3d across = over - problem.up_W.dot(over) * problem.up_W;
  X_WO = math::Pose(R, across + (top + 1.1 * radius) * problem.up_W - R * com);
  // Turned about the centre of mass, the object reaches at most its diameter down.
  X_WO = math::Pose(R, X_WO.p() + radius * problem.up_W);
  trust = kTrust * radius;
  steps = offers = 0;
  last_touched.clear();
  is_running = true;
  return true;
}

void Descents::State::move(const Vector6d& twist) {
  const Vector3d com = com_W();
  const Eigen::Matrix3d turn = math::exp_so3(twist.head<3>()).toRotationMatrix();
  const Eigen::Matrix3d R = turn * X_WO.R();
  const Vector3d moved = com + twist.tail<3>();
  X_WO = math::Pose(Eigen::Quaterniond(R).normalized(), moved - R * problem.body().inertia.com);
}

double Descents::State::rows_at(double range, std::vector<GapRow>& rows) const {
  double least = std::numeric_limits<double>::infinity();
  const Vector3d centre = com_W();
  int pair = 0;
  for (const ConvexPart& part : parts.object(true)) {
    const MovedPart own = moved_part(part, X_WO);
    for (const MovedPart& other : scene)
      least = std::min(least, gap_rows(other, own, centre, range, pair++, rows));
  }
  return least;
}

bool Descents::State::step() {
  std::vector<GapRow> rows;
  const double least = rows_at(2.5 * trust, rows);
  if (rows.empty()) {  // nothing near: straight down
    move((Vector6d() << Vector3d::Zero(), -trust * problem.up_W).finished());
    trust = std::min(2.0 * trust, std::max(kTrust * radius, 0.3 * least));
    return problem.up_W.dot(com_W()) > -1e3;
  }
  trust = std::min(trust, kTrust * radius);
  // Variables [w r; v], so that all are lengths.
  const auto m = static_cast<Eigen::Index>(rows.size());
  math::QuadraticProgram program;
  program.H = 1e-2 / trust * MatrixXd::Identity(6, 6);
  program.g = VectorXd::Zero(6);
  program.g.tail<3>() = problem.up_W;
  program.A.resize(0, 6);
  program.b.resize(0);
  program.C.resize(m + 6, 6);
  program.lower.resize(m + 6);
  program.upper = VectorXd::Constant(m + 6, std::numeric_limits<double>::infinity());
  for (Eigen::Index i = 0; i < m; ++i) {
    const GapRow& row = rows[static_cast<std::size_t>(i)];
    program.C.row(i).head<3>() = row.rate.head<3>().transpose() / radius;
    program.C.row(i).tail<3>() = row.rate.tail<3>().transpose();
    program.lower[i] = std::min(-row.gap, trust);
  }
  program.C.bottomRows(6).setIdentity();
  program.lower.tail<6>().setConstant(-trust);
  program.upper.tail<6>().setConstant(trust);
  const math::QuadraticProgramResult result = solver.solve(program);
  if (result.status != math::SolverStatus::optimal) {
    trust *= 0.5;
    return trust > 1e-4 * radius;
  }
  Vector6d twist = result.x;
  twist.head<3>() /= radius;
  const double gain = -problem.up_W.dot(twist.tail<3>());
  const math::Pose before = X_WO;
  move(twist);
  std::vector<GapRow> after;
  if (rows_at(0.0, after) < -0.05 * trust - 1e-9) {  // turned too far for its linear rows
    X_WO = before;
    trust *= 0.5;
    return trust > 1e-6 * radius;
  }
  if (gain < kArrived * radius && least > -1e-5 * radius) return false;
  return true;
}

std::vector<int> Descents::State::touched(double gap) const {
  std::vector<GapRow> rows;
  rows_at(gap, rows);
  std::vector<int> pairs;
  for (const GapRow& row : rows) {
    if (row.gap < gap && (pairs.empty() || pairs.back() != row.pair)) pairs.push_back(row.pair);
  }
  return pairs;
}

std::optional<math::Pose> Descents::State::snapped() {
  const math::Pose before = X_WO;
  std::optional<math::Pose> result;
  double closed = kClosed * radius;
  for (int attempt = 0; attempt < 3 && !result; ++attempt, closed *= 0.1) {
    X_WO = before;
    for (int round = 0; round < 12; ++round) {
      std::vector<GapRow> rows;
      rows_at(closed, rows);
      if (rows.empty()) break;
      double worst = 0.0;
      MatrixXd J(static_cast<Eigen::Index>(rows.size()), 6);
      VectorXd gap(J.rows());
      for (Eigen::Index i = 0; i < J.rows(); ++i) {
        const GapRow& row = rows[static_cast<std::size_t>(i)];
        J.row(i) << row.rate.head<3>().transpose() / radius, row.rate.tail<3>().transpose();
        gap[i] = kSnapped - row.gap;
        worst = std::max(worst, std::abs(gap[i]));
      }
      if (worst < 1e-7) {
        result = X_WO;
        break;
      }
      Vector6d twist = math::minimum_norm_solution(J, gap);
      twist.head<3>() /= radius;
      if (!(twist.norm() < 10.0 * closed / std::min(radius, 1.0) + 10.0 * closed)) break;
      move(twist);
    }
  }
  X_WO = before;
  return result;
}

Descents::Descents(const Problem& problem, Parts& parts, const std::vector<RestingFace>& faces)
    : state_(std::make_unique<State>(problem, parts, faces)) {}

Descents::~Descents() = default;

std::optional<math::Pose> Descents::next() {
  State& s = *state_;
  while (true) {
    if (!s.is_running) {
      const long wanted = std::max(3L, static_cast<long>(s.problem.options.count));
      if (s.successes >= wanted || s.problem.is_out_of_time() || !s.begin()) return std::nullopt;
    }
    bool is_new = false;
    while (s.steps < kMostDescentSteps) {
      ++s.steps;
      if (!s.step()) {
        s.steps = kMostDescentSteps;
        is_new = true;
        break;
      }
      const std::vector<int> touched = s.touched(kArrived * s.radius);
      if (!touched.empty() && touched != s.last_touched) {
        s.last_touched = touched;
        is_new = true;
        break;
      }
    }
    if (s.steps >= kMostDescentSteps || s.offers >= kMostOffers) s.is_running = false;
    if (!is_new) continue;
    if (std::optional<math::Pose> pose = s.snapped()) {
      ++s.offers;
      return pose;
    }
  }
}

void Descents::told(const Verdict& verdict) {
  if (!verdict.passed()) return;
  ++state_->successes;
  state_->is_running = false;
}

long Descents::started() const { return state_->started; }

}  // namespace prehend::placement
