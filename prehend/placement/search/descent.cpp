#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>
#include <Eigen/QR>

#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/placement/search/descent.h>
#include <prehend/placement/search/separation.h>
#include <prehend/placement/search/shell.h>

namespace prehend::placement {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::Vector6d;

// Descents that are started before the search gives up, and steps of one; with the true surface of a fine object (chosen on an Allen key and an adjustable
// wrench on a clutter) they are smaller and more.
constexpr int kMostDescents = 120, kMostDescentSteps = 80, kMostShellSteps = 240;
// Poses of one descent that are verified.
constexpr int kMostOffers = 10;
// Of the object's radius: first trust region, what counts as arrived, contacts that are closed when the pose is snapped.
constexpr double kTrust = 0.25, kShellTrust = 0.08, kArrived = 1e-5, kClosed = 2e-3;
// Of the object's radius: how far beside a point it is let down the second time.
constexpr double kBeside = 0.3;
// Ever narrower tries to close contacts; of surfaces, whose edges are straight to some micrometres only, more.
constexpr int kSnaps = 3, kShellSnaps = 5;
// Rows that a step is found with at first.
constexpr std::size_t kMostRows = 80;
// Numbers of pairs of solid parts, above those of a shell.
constexpr int kFirstSolid = 1 << 28;
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
  // The object: convex parts, and where those would be too many its surface beside its round parts.
  std::vector<ConvexPart> solids;
  std::unique_ptr<Shell> shell;
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
    solids = parts.object(true);
    if (parts.is_simplified()) add_shell();
    points = landing_points(problem, fixed, 2.0 * radius);
    const Vector3d up = problem.up_W;
    const Vector3d u = up.unitOrthogonal();
    for (std::size_t f = 0; f < faces.size() && f < 8; ++f) {
      for (const double yaw : {0.0, 0.5 * math::kPi, 0.25 * math::kPi, -0.25 * math::kPi})
        orientations.push_back(faces[f].orientation(up, u, yaw));
    }
    while (orientations.size() < 40) orientations.push_back(random.rotation().toRotationMatrix());
  }

  void add_shell() {
    solids.clear();
    shell = std::make_unique<Shell>(problem, scene);
    for (std::size_t g = 0; g < problem.own.size(); ++g) {
      if (!problem.own[g].round) continue;
      for (ConvexPart& part : convex_parts(problem.own[g], problem.own[g].X_BG, static_cast<int>(g)))
        solids.push_back(std::move(part));
    }
  }

  // A surface takes a hundred times as long within the larger of both.
  double most_trust() const { return (shell ? kShellTrust : kTrust) * radius; }
  int most_steps() const { return shell ? kMostShellSteps : kMostDescentSteps; }
  Vector3d com_W() const { return X_WO * problem.body().inertia.com; }
  bool begin();
  void move(const Vector6d& twist);  // about the centre of mass
  double rows_at(double range, std::vector<GapRow>& rows) const;
  std::optional<Vector6d> lowering(const std::vector<GapRow>& rows);
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
  trust = most_trust();
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
  if (shell) {
    least = shell->rows(X_WO, centre, range, rows);
    pair = kFirstSolid;
  }
  for (const ConvexPart& part : solids) {
    const MovedPart own = moved_part(part, X_WO);
    for (const MovedPart& other : scene)
      least = std::min(least, gap_rows(other, own, centre, range, pair++, rows));
  }
  return least;
}

// The step [w r; v], all lengths, that lowers the centre of mass most. Rows are added as they are broken: of thousands, some dozens decide.
std::optional<Vector6d> Descents::State::lowering(const std::vector<GapRow>& rows) {
  std::vector<Eigen::Index> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  MatrixXd C(static_cast<Eigen::Index>(rows.size()), 6);
  VectorXd lower(C.rows());
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    const GapRow& row = rows[static_cast<std::size_t>(i)];
    C.row(i).head<3>() = row.rate.head<3>().transpose() / radius;
    C.row(i).tail<3>() = row.rate.tail<3>().transpose();
    lower[i] = std::min(-row.gap, trust);
  }
  math::QuadraticProgram program;
  program.H = 1e-2 / trust * MatrixXd::Identity(6, 6);
  program.g = VectorXd::Zero(6);
  program.g.tail<3>() = problem.up_W;
  program.A.resize(0, 6);
  program.b.resize(0);
  auto used = static_cast<Eigen::Index>(std::min(rows.size(), kMostRows));
  if (rows.size() > kMostRows)
    std::stable_sort(order.begin(), order.end(),
                     [&](Eigen::Index i, Eigen::Index j) { return lower[i] > lower[j]; });
  while (true) {
    program.C.resize(used + 6, 6);
    program.lower.resize(used + 6);
    program.upper = VectorXd::Constant(used + 6, std::numeric_limits<double>::infinity());
    for (Eigen::Index i = 0; i < used; ++i) {
      program.C.row(i) = C.row(order[static_cast<std::size_t>(i)]);
      program.lower[i] = lower[order[static_cast<std::size_t>(i)]];
    }
    program.C.bottomRows(6).setIdentity();
    program.lower.tail<6>().setConstant(-trust);
    program.upper.tail<6>().setConstant(trust);
    const math::QuadraticProgramResult result = solver.solve(program);
    if (result.status != math::SolverStatus::optimal) return std::nullopt;
    const VectorXd slack = C * result.x - lower;
    const auto broken = std::partition(order.begin() + used, order.end(),
                                       [&](Eigen::Index i) { return slack[i] < -1e-9 * radius; });
    const auto more = std::min<Eigen::Index>(broken - (order.begin() + used), kMostRows / 2);
    if (more == 0) return Vector6d(result.x);
    std::partial_sort(
        order.begin() + used, order.begin() + used + more, broken,
        [&](Eigen::Index i, Eigen::Index j) { return slack[i] != slack[j] ? slack[i] < slack[j] : i < j; });
    used += more;
  }
}

bool Descents::State::step() {
  std::vector<GapRow> rows;
  const double least = rows_at(2.5 * trust, rows);
  if (rows.empty()) {  // nothing near: straight down
    move((Vector6d() << Vector3d::Zero(), -trust * problem.up_W).finished());
    trust = std::min(2.0 * trust, std::max(most_trust(), 0.3 * least));
    return problem.up_W.dot(com_W()) > -1e3;
  }
  trust = std::min(trust, most_trust());
  const std::optional<Vector6d> found = lowering(rows);
  if (!found) {
    trust *= 0.5;
    return trust > 1e-4 * radius;
  }
  Vector6d twist = *found;
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
  for (int attempt = 0; attempt < (shell ? kShellSnaps : kSnaps) && !result; ++attempt, closed *= 0.1) {
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
    while (s.steps < s.most_steps()) {
      if (s.problem.is_out_of_time()) return std::nullopt;
      ++s.steps;
      if (!s.step()) {
        s.steps = s.most_steps();
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
    if (s.steps >= s.most_steps() || s.offers >= kMostOffers) s.is_running = false;
    if (!is_new) continue;
    if (std::optional<math::Pose> pose = s.snapped()) {
      ++s.offers;
      return pose;
    }
  }
}

void Descents::observe(const Verdict& verdict) {
  if (!verdict.passed()) return;
  ++state_->successes;
  state_->is_running = false;
}

long Descents::started() const { return state_->started; }

}  // namespace prehend::placement
