#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <prehend/articulation/tree/loops.h>
#include <prehend/articulation/tree/spanning_tree.h>
#include <prehend/math/house/compiled_solves.h>

namespace prehend::articulation {
namespace {

using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

class Mechanism {
 public:
  Mechanism(int nodes, const std::vector<TreeJoint>& tree) : nodes_(nodes), tree_(tree) {
    std::vector<WeightedEdge> edges;
    std::vector<int> all;
    for (const TreeJoint& joint : tree) {
      first_.push_back(freedoms_);
      freedoms_ += joint.joint->freedoms();
      all.push_back(static_cast<int>(edges.size()));
      edges.push_back({joint.parent, joint.child, 0.0});
    }
    rooted_ = rooted_tree(nodes, edges, all, 0);
    measure_spread();
  }
  int freedoms() const { return freedoms_; }
  const RootedTree& rooted() const { return rooted_; }

  // Frames at which every state is known, spread evenly.
  std::vector<int> frames(int count) const {
    std::vector<int> known, chosen;
    for (std::size_t t = 0; !tree_.empty() && t < tree_.front().states->size(); ++t)
      if (std::all_of(tree_.begin(), tree_.end(),
                      [&](const TreeJoint& j) { return (*j.states)[t].has_value(); }))
        known.push_back(static_cast<int>(t));
    const std::size_t step = std::max<std::size_t>(1, known.size() / static_cast<std::size_t>(count));
    for (std::size_t i = step / 2; i < known.size(); i += step) chosen.push_back(known[i]);
    return chosen;
  }

  std::vector<math::Pose> place(int frame) const {
    std::vector<math::Pose> X(nodes_);
    for (const int node : rooted_.order) {
      const int edge = rooted_.parent_edge[node];
      if (edge >= 0)
        X[node] = X[tree_[edge].parent] * tree_[edge].joint->forward(*(*tree_[edge].states)[frame]);
    }
    return X;
  }

  // Twist of b against a in b's axes per state, each state in units of its spread.
  Matrix6X jacobian(const std::vector<math::Pose>& X, int frame, int a, int b) const {
    Matrix6X J = Matrix6X::Zero(6, freedoms_);
    for (const auto& [end, sign] : {std::pair{b, 1.0}, std::pair{a, -1.0}}) {
      for (int node = end; rooted_.parent[node] >= 0; node = rooted_.parent[node]) {
        const int edge = rooted_.parent_edge[node];
        const int d = tree_[edge].joint->freedoms();
        if (d == 0) continue;
        J.middleCols(first_[edge], d) += sign * math::adjoint(X[b].inverse() * X[node]) *
                                         tree_[edge].joint->jacobian(*(*tree_[edge].states)[frame]);
      }
    }
    return J * spread_.asDiagonal();
  }

 private:
  void measure_spread() {
    spread_ = Eigen::VectorXd::Zero(freedoms_);
    for (std::size_t e = 0; e < tree_.size(); ++e) {
      const int d = tree_[e].joint->freedoms();
      State mean = State::Zero(d), squares = State::Zero(d);
      double n = 0;
      for (const auto& q : *tree_[e].states) {
        if (!q) continue;
        mean += *q;
        squares += q->cwiseAbs2();
        n += 1;
      }
      if (n > 0 && d > 0)
        spread_.segment(first_[e], d) = (squares / n - (mean / n).cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
      // An angle that goes round moves nothing farther than one that turns to and fro; a crank of several turns would hide what the others are bound by.
      constexpr double kMostTurn =
          1.0;  // [rad] deviation; beyond, a point has come as far from its mean as it can
      if (tree_[e].joint->type == model::JointType::revolute)
        spread_[first_[e]] = std::min(spread_[first_[e]], kMostTurn);
    }
  }

  int nodes_;
  const std::vector<TreeJoint>& tree_;
  RootedTree rooted_;
  std::vector<int> first_;
  int freedoms_{0};
  Eigen::VectorXd spread_;
};

// Rows of the constraint: off the closing joint's own directions, in units of what is significant.
Matrix6X constraint(const Mechanism& mechanism, const std::vector<math::Pose>& X, int frame,
                    const ClosingPair& pair, const LoopOptions& options) {
  const math::Pose X_ab = X[pair.a].inverse() * X[pair.b];
  const PoseNoise half{pair.noise.position / M_SQRT2, pair.noise.angle / M_SQRT2};
  const Eigen::LLT<math::Matrix6d> covariance(relative_covariance(half, half, X_ab));
  Matrix6X J = covariance.matrixL().solve(mechanism.jacobian(X, frame, pair.a, pair.b));
  const StateJacobian S = covariance.matrixL().solve(pair.joint.jacobian(pair.joint.inverse(X_ab)));
  J /= std::max(options.significant,
                options.relative * Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues().maxCoeff());
  if (S.cols() == 0) return J;
  const Eigen::MatrixXd Q =
      math::orthogonal_factor(Eigen::HouseholderQR<Eigen::MatrixXd>(Eigen::MatrixXd(S))).leftCols(S.cols());
  return J - Q * (Q.transpose() * J);
}

int rank_of(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return 0;
  const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
  return static_cast<int>((s.array() > 1.0).count());
}

}  // namespace

LoopResult close_loops(int nodes, const std::vector<TreeJoint>& tree, std::vector<ClosingPair> pairs,
                       const LoopOptions& options) {
  const Mechanism mechanism(nodes, tree);
  LoopResult result;
  result.degrees_of_freedom = mechanism.freedoms();
  std::stable_sort(pairs.begin(), pairs.end(), [](const ClosingPair& x, const ClosingPair& y) {
    const int dx = x.joint.freedoms(), dy = y.joint.freedoms();
    return dx != dy ? dx < dy : x.misfit < y.misfit;
  });
  const std::vector<int> frames = mechanism.frames(options.states);
  if (frames.empty()) return result;
  std::vector<std::vector<math::Pose>> placed;
  for (const int frame : frames) placed.push_back(mechanism.place(frame));
  std::vector<Eigen::MatrixXd> rows(frames.size(), Eigen::MatrixXd(0, mechanism.freedoms()));
  int rank = 0;
  for (const ClosingPair& pair : pairs) {
    if (pair.misfit > options.misfit) continue;
    std::vector<Eigen::MatrixXd> with = rows;
    std::vector<int> ranks;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      with[i].conservativeResize(rows[i].rows() + 6, Eigen::NoChange);
      with[i].bottomRows(6) = constraint(mechanism, placed[i], frames[i], pair, options);
      ranks.push_back(rank_of(with[i]));
    }
    std::nth_element(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(ranks.size() / 2),
                     ranks.end());
    const int median = ranks[ranks.size() / 2];
    if (median <= rank) continue;
    rows = std::move(with);
    result.loops.push_back({pair.a, pair.b, pair.joint, path_between(mechanism.rooted(), pair.a, pair.b),
                            median - rank, pair.misfit});
    rank = median;
  }
  result.degrees_of_freedom -= rank;
  return result;
}

}  // namespace prehend::articulation
