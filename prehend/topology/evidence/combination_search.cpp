#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <prehend/math/house/infinity.h>
#include <prehend/math/interrupt.h>
#include <prehend/topology/evidence/combination_search.h>

namespace prehend::topology {
namespace {

using math::kInfinity;

std::vector<int> first_columns(const std::vector<int>& options) {
  std::vector<int> first(options.size(), 0);
  for (std::size_t j = 1; j < options.size(); ++j) first[j] = first[j - 1] + options[j - 1];
  return first;
}

void offer(CombinationSearch& found, const std::vector<int>& choice, double error) {
  if (choice == found.best.choice || choice == found.runner_up.choice) return;
  if (found.best.choice.empty() || error < found.best.error) {
    found.runner_up = std::move(found.best);
    found.best = {choice, error};
  } else if (found.runner_up.choice.empty() || error < found.runner_up.error) {
    found.runner_up = {choice, error};
  }
}

// The problem in differences to each joint's first option, joints in the order of decision, and what the bounds need.
class Tree {
 public:
  Tree(const CombinationProblem& problem, const SearchOptions& options)
      : problem_(problem), options_(options), n_(problem.joints()) {
    make_differences();
    order_joints();
    factorise();
    prepare_linear_bound();
  }

  CombinationSearch search() {
    first_guess();
    x_.assign(static_cast<std::size_t>(n_), 0);
    gradient_ = Eigen::MatrixXd(columns_, n_ + 1);
    gradient_.col(n_) = constant_gradient_;
    found_.is_exact = true;
    descend(n_ - 1, corner_, constant_, base_cost_);
    return std::move(found_);
  }

 private:
  struct Child {
    int option;
    double partial, total, decided_cost;
  };

  void make_differences() {
    const std::vector<int> first = first_columns(problem_.options);
    const auto cost = [&](int column) {
      return problem_.cost.empty() ? 0.0 : problem_.cost[static_cast<std::size_t>(column)];
    };
    // Columns: [c + first options | differences]
    Eigen::Index p = 0;
    for (const int k : problem_.options) p += k - 1;
    Eigen::MatrixXd change = Eigen::MatrixXd::Zero(problem_.gram.rows(), p + 1);
    change(0, 0) = 1.0;
    Eigen::Index column = 1;
    for (int j = 0; j < n_; ++j) {
      const int f = first[static_cast<std::size_t>(j)];
      change(1 + f, 0) = 1.0;
      base_cost_ += cost(f);
      std::vector<int> mine;
      std::vector<double> further;
      for (int m = 1; m < problem_.options[static_cast<std::size_t>(j)]; ++m, ++column) {
        change(1 + f + m, column) = 1.0;
        change(1 + f, column) = -1.0;
        mine.push_back(static_cast<int>(column - 1));
        further.push_back(cost(f + m) - cost(f));
      }
      groups_.push_back(mine);
      costs_.push_back(further);
    }
    const Eigen::MatrixXd G = change.transpose() * problem_.gram * change;
    columns_ = p;
    constant_ = G(0, 0);
    constant_gradient_ = G.col(0).tail(p);
    G_ = G.bottomRightCorner(p, p);
    scale_ = std::max(constant_, p > 0 ? G_.diagonal().maxCoeff() : 0.0);
  }

  // order_[n - 1] is decided first: the joint whose differences lie farthest from the span of all others.
  void order_joints() {
    std::vector<int> open(static_cast<std::size_t>(n_));
    std::iota(open.begin(), open.end(), 0);
    order_.assign(static_cast<std::size_t>(n_), 0);
    for (int place = n_ - 1; place >= 0; --place) {
      std::vector<int> columns;
      for (const int j : open)
        columns.insert(columns.end(), groups_[static_cast<std::size_t>(j)].begin(),
                       groups_[static_cast<std::size_t>(j)].end());
      const Eigen::Index p = static_cast<Eigen::Index>(columns.size());
      Eigen::MatrixXd G = G_(columns, columns);
      G.diagonal().array() += 1e-12 * scale_ + std::numeric_limits<double>::min();
      const Eigen::MatrixXd inverse =
          p > 0 ? Eigen::MatrixXd(G.llt().solve(Eigen::MatrixXd::Identity(p, p))) : G;
      double most = -kInfinity;
      std::size_t chosen = 0;
      Eigen::Index column = 0;
      for (std::size_t k = 0; k < open.size(); ++k) {
        double least = kInfinity;  // of the joint's options
        for (std::size_t m = 0; m < groups_[static_cast<std::size_t>(open[k])].size(); ++m, ++column)
          least = std::min(least, 1.0 / inverse(column, column));
        if (least > most) {
          most = least;
          chosen = k;
        }
      }
      order_[static_cast<std::size_t>(place)] = open[chosen];
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    std::vector<int> columns;
    std::vector<std::vector<double>> costs;
    for (const int j : order_) {
      start_.push_back(static_cast<int>(columns.size()));
      columns.insert(columns.end(), groups_[static_cast<std::size_t>(j)].begin(),
                     groups_[static_cast<std::size_t>(j)].end());
      costs.push_back(costs_[static_cast<std::size_t>(j)]);
    }
    start_.push_back(static_cast<int>(columns.size()));
    G_ = Eigen::MatrixXd(G_(columns, columns));
    constant_gradient_ = Eigen::VectorXd(constant_gradient_(columns));
    costs_ = std::move(costs);
  }

  // R of [differences | constant]; rows of columns that depend on those before them are zero, which keeps the bound valid.
  void factorise() {
    const Eigen::Index p = columns_;
    R_ = Eigen::MatrixXd::Zero(p, p + 1);
    Eigen::MatrixXd A(p, p + 1);
    A.leftCols(p) = G_;
    A.col(p) = constant_gradient_;
    for (Eigen::Index i = 0; i < p; ++i) {
      Eigen::RowVectorXd row = A.row(i);
      for (Eigen::Index k = 0; k < i; ++k) row -= R_(k, i) * R_.row(k);
      if (row[i] <= 1e-13 * scale_) continue;
      row.head(i).setZero();
      R_.row(i) = row / std::sqrt(row[i]);
    }
    corner_ = std::max(0.0, constant_ - R_.col(p).squaredNorm());
  }

  void prepare_linear_bound() {
    weight_ = Eigen::MatrixXd::Zero(columns_, n_ + 1);
    for (int open = 1; open <= n_; ++open) {
      const int p = start_[static_cast<std::size_t>(open)];
      if (p == 0) continue;
      Eigen::VectorXd d = G_.diagonal().head(p).cwiseMax(0.0);
      const Eigen::VectorXd s =
          d.unaryExpr([&](double v) { return v > 1e-13 * scale_ ? 1.0 / std::sqrt(v) : 0.0; });
      Eigen::MatrixXd C = s.asDiagonal() * G_.topLeftCorner(p, p) * s.asDiagonal();
      for (int i = 0; i < p; ++i)
        if (s[i] == 0.0) C(i, i) = 1.0;
      const double least =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(C, Eigen::EigenvaluesOnly).eigenvalues()[0];
      weight_.col(open).head(p) = std::max(0.0, least - 1e-12) * d;
    }
    // What options cost at least, for the triangular bound.
    least_cost_.assign(static_cast<std::size_t>(n_ + 1), 0.0);
    for (std::size_t j = 0; j < costs_.size(); ++j) {
      double least = 0.0;
      for (const double c : costs_[j]) least = std::min(least, c);
      least_cost_[j + 1] = least_cost_[j] + least;
    }
  }

  double linear_bound(int open, double total) const {
    double bound = total;
    for (int j = 0; j < open; ++j) {
      double least = 0.0;
      for (int k = start_[static_cast<std::size_t>(j)], m = 0; k < start_[static_cast<std::size_t>(j + 1)];
           ++k, ++m)
        least = std::min(least, 2.0 * gradient_(k, open) + weight_(k, open) +
                                    costs_[static_cast<std::size_t>(j)][static_cast<std::size_t>(m)]);
      bound += least;
    }
    return bound;
  }

  std::vector<int> in_problem_order() const {
    std::vector<int> choice(static_cast<std::size_t>(n_));
    for (std::size_t k = 0; k < order_.size(); ++k) choice[static_cast<std::size_t>(order_[k])] = x_[k];
    return choice;
  }

  double limit() const {
    return found_.runner_up.choice.empty() ? kInfinity : found_.runner_up.error - 1e-12 * scale_;
  }

  // `partial`: rows of R of the decided joints; `total`: the error with open joints at their first options; both without costs.
  void descend(int k, double partial, double total, double cost) {
    if (k < 0) {
      const std::vector<int> choice = in_problem_order();
      offer(found_, choice, problem_.error(choice));
      return;
    }
    const int first = start_[static_cast<std::size_t>(k)], last = start_[static_cast<std::size_t>(k + 1)];
    const std::size_t count = static_cast<std::size_t>(last - first) + 1;
    std::vector<Child> children(count);
    for (std::size_t m = 0; m < count; ++m) {
      Child& child = children[m];
      child.option = static_cast<int>(m);
      child.partial = partial;
      for (int i = first; i < last; ++i) {
        double value = R_(i, columns_);
        for (int later = k + 1; later < n_; ++later)
          if (x_[static_cast<std::size_t>(later)] > 0)
            value += R_(i, start_[static_cast<std::size_t>(later)] + x_[static_cast<std::size_t>(later)] - 1);
        if (m > 0) value += R_(i, first + static_cast<int>(m) - 1);
        child.partial += value * value;
      }
      child.total = total;
      child.decided_cost = cost;
      if (m > 0) {
        const int column = first + static_cast<int>(m) - 1;
        child.total += 2.0 * gradient_(column, k + 1) + G_(column, column);
        child.decided_cost += costs_[static_cast<std::size_t>(k)][m - 1];
      }
    }
    std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
      return a.partial + a.decided_cost < b.partial + b.decided_cost;
    });
    for (const Child& child : children) {
      if (child.partial + child.decided_cost + least_cost_[static_cast<std::size_t>(k)] >= limit()) continue;
      math::check_interrupt();
      if (++found_.visited > options_.most_nodes) {
        found_.is_exact = false;
        return;
      }
      x_[static_cast<std::size_t>(k)] = child.option;
      if (child.option == 0)
        gradient_.col(k).head(first) = gradient_.col(k + 1).head(first);
      else
        gradient_.col(k).head(first) =
            gradient_.col(k + 1).head(first) + G_.col(first + child.option - 1).head(first);
      if (linear_bound(k, child.total + child.decided_cost) < limit())
        descend(k - 1, child.partial, child.total, child.decided_cost);
      if (!found_.is_exact) return;
    }
    x_[static_cast<std::size_t>(k)] = 0;
  }

  // Changes of one and two joints from the first options until nothing improves; the last neighbours give the second best.
  void first_guess() {
    std::vector<int> choice(static_cast<std::size_t>(n_), 0);
    double error = problem_.error(choice);
    offer(found_, choice, error);
    for (int round = 0; round < 20 * n_; ++round) {
      std::vector<int> better = choice;
      double least = error;
      for (int j = 0; j < n_; ++j)
        for (int m = 0; m < problem_.options[static_cast<std::size_t>(j)]; ++m) {
          std::vector<int> other = choice;
          other[static_cast<std::size_t>(j)] = m;
          if (other == choice) continue;
          const double value = problem_.error(other);
          offer(found_, other, value);
          if (value < least) {
            least = value;
            better = std::move(other);
          }
        }
      if (better == choice) break;
      choice = std::move(better);
      error = least;
    }
  }

  const CombinationProblem& problem_;
  const SearchOptions& options_;
  int n_;
  Eigen::Index columns_{0};
  std::vector<std::vector<int>> groups_;  // difference columns of each joint
  std::vector<std::vector<double>>
      costs_;               // of further options, relative to the first; by place after ordering
  std::vector<int> order_;  // joint at each place; the last place is decided first
  std::vector<int> start_;  // first column of each place
  Eigen::MatrixXd G_, R_, weight_, gradient_;
  Eigen::VectorXd constant_gradient_;
  std::vector<double> least_cost_;
  double constant_{0.0}, corner_{0.0}, base_cost_{0.0}, scale_{1.0};
  std::vector<int> x_;
  CombinationSearch found_;
};

}  // namespace

void CombinationProblem::validate() const {
  Eigen::Index columns = 0;
  for (const int k : options) {
    if (k < 1)
      throw std::invalid_argument("a joint has " + std::to_string(k) + " options; it needs at least one");
    columns += k;
  }
  if (options.empty()) throw std::invalid_argument("a combination needs at least one joint");
  if (gram.rows() != columns + 1 || gram.cols() != columns + 1)
    throw std::invalid_argument("the Gram matrix is " + std::to_string(gram.rows()) + " by " +
                                std::to_string(gram.cols()) + "; constant and terms need " +
                                std::to_string(columns + 1));
  if (!cost.empty() && static_cast<Eigen::Index>(cost.size()) != columns)
    throw std::invalid_argument("there are " + std::to_string(cost.size()) + " costs for " +
                                std::to_string(columns) + " terms");
  if (!gram.allFinite()) throw std::invalid_argument("the Gram matrix is not finite");
  for (const double c : cost)
    if (!std::isfinite(c)) throw std::invalid_argument("a cost is not finite");
}

double CombinationProblem::error(const std::vector<int>& choice) const {
  double sum = gram(0, 0), costs = 0.0;
  std::vector<Eigen::Index> columns;
  Eigen::Index first = 1;
  for (std::size_t j = 0; j < options.size(); ++j) {
    columns.push_back(first + choice[j]);
    if (!cost.empty()) costs += cost[static_cast<std::size_t>(columns.back() - 1)];
    first += options[j];
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    sum += 2.0 * gram(0, columns[j]) + gram(columns[j], columns[j]);
    for (std::size_t k = 0; k < j; ++k) sum += 2.0 * gram(columns[k], columns[j]);
  }
  return std::max(sum, 0.0) + costs;
}

CombinationProblem combination_problem(const Eigen::VectorXd& constant, const Eigen::MatrixXd& terms,
                                       std::vector<int> options, std::vector<double> cost) {
  CombinationProblem problem;
  Eigen::MatrixXd all(constant.size(), terms.cols() + 1);
  all << constant, terms;
  problem.gram = Eigen::MatrixXd::Zero(all.cols(), all.cols());
  problem.gram.selfadjointView<Eigen::Lower>().rankUpdate(all.transpose());
  problem.gram.triangularView<Eigen::StrictlyUpper>() = problem.gram.transpose();
  problem.options = std::move(options);
  problem.cost = std::move(cost);
  problem.validate();
  return problem;
}

CombinationSearch search_combinations(const CombinationProblem& problem, const SearchOptions& options) {
  problem.validate();
  return Tree(problem, options).search();
}

CombinationSearch enumerate_combinations(const CombinationProblem& problem) {
  problem.validate();
  CombinationSearch found;
  std::vector<int> choice(problem.options.size(), 0);
  while (true) {
    math::check_interrupt();
    ++found.visited;
    offer(found, choice, problem.error(choice));
    std::size_t j = 0;
    while (j < choice.size() && ++choice[j] == problem.options[j]) choice[j++] = 0;
    if (j == choice.size()) break;
  }
  found.is_exact = true;
  return found;
}

}  // namespace prehend::topology
