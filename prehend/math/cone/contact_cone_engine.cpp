// ContactConeEngine: which programs it takes, and their numbers, scaled.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <prehend/math/cone/contact_cone_engine.h>

namespace prehend::math {
namespace {
// Beyond this the general route takes over; it has more means against rounding.
constexpr int kMostIterations = 30;

// The exponent e of norm = m 2^e, m in [0.5, 1), and 2^e for normal numbers, without the general cases of
// frexp and ldexp.
int exponent_of(double norm) {
  return static_cast<int>((std::bit_cast<std::uint64_t>(norm) >> 52) & 0x7ff) - 1022;
}
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + std::clamp(exponent, -1000, 1000)) << 52);
}
double root_factor(double norm) { return norm > 0.0 ? power_of_two(-(exponent_of(norm) / 2)) : 1.0; }
double inverse_factor(double norm) { return norm > 0.0 ? power_of_two(-exponent_of(norm)) : 1.0; }

}  // namespace

std::optional<ContactConeEngine> ContactConeEngine::try_make(const ConeProgram& program,
                                                             int equilibration_passes) {
  const ConeDimensions& cones = program.cones;
  const auto& G = program.G;
  const int m = static_cast<int>(G.rows()), n = static_cast<int>(G.cols()),
            p = static_cast<int>(program.A.rows());
  const int count = static_cast<int>(cones.second_order.size());
  if (cones.nonnegative != 0 || cones.psd4 != 0 || count == 0 || count > 2 * kMostPairs) return {};
  if (m != 3 * count || p == 0 || p > kMostEqualities || n < m || n > m + kMostFree) return {};
  if (G.nonZeros() != m ||
      !std::all_of(cones.second_order.begin(), cones.second_order.end(), [](int d) { return d == 3; })) {
    return {};
  }
  std::optional<ContactConeEngine> made{ContactConeEngine()};
  ContactConeEngine& engine = *made;
  engine.column_of_row_.assign(m, -1);
  for (int j = 0; j < n; ++j) {
    Eigen::SparseMatrix<double>::InnerIterator it(G, j);
    if (!it) {
      engine.free_columns_.push_back(j);
      continue;
    }
    if (engine.column_of_row_[it.row()] != -1) return {};
    engine.column_of_row_[it.row()] = j;
    if (++it) return {};
  }
  engine.cones_ = count;
  engine.equalities_ = p;
  engine.free_ = n - m;
  engine.order_ = p + engine.free_;
  engine.stride_ = engine.order_ + engine.order_ % 2;

  int columns = 0, products = 0;
  engine.pairs_.resize((count + 1) / 2);
  for (std::size_t i = 0; i < engine.pairs_.size(); ++i) {
    ConePair& pair = engine.pairs_[i];
    std::uint32_t touched = 0;
    for (int row = 6 * static_cast<int>(i); row < std::min(6 * static_cast<int>(i) + 6, m); ++row) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(program.A, engine.column_of_row_[row]); it; ++it) {
        touched |= std::uint32_t{1} << it.row();
      }
    }
    pair.first = static_cast<int>(engine.touched_.size());
    pair.rows = std::popcount(touched);
    for (int row = 0; row < p; ++row) {
      if (touched >> row & 1) engine.touched_.push_back(row);
    }
    pair.B = columns;
    pair.constant = products;
    // The corners of an interface come together; four cones share the loads and stores of what they touch.
    ConePair* const before = i > 0 ? &engine.pairs_[i - 1] : nullptr;
    const bool joins =
        before && before->group == 1 && before->rows == pair.rows &&
        std::equal(engine.row_of(pair), engine.row_of(pair) + pair.rows, engine.row_of(*before));
    if (joins) before->group = 2;
    pair.group = joins ? 0 : 1;
    columns += 3 * pair.rows;
    products += pair.rows * (pair.rows + 1) / 2;
  }
  const int order = engine.order_;
  engine.B_.resize(columns);
  engine.BJB_.resize(products);
  engine.sum_.resize(p);
  engine.solved_.resize(order);
  engine.U_.resize(p * engine.free_);
  for (std::vector<double>* v :
       {&engine.scale_, &engine.norm_, &engine.vector_, &engine.point_, &engine.residual_,
        &engine.inverse_pivots_, &engine.direction_, &engine.constant_, &engine.error_}) {
    v->assign(order, 0.0);
  }
  engine.K_.assign(static_cast<std::size_t>(order) * engine.stride_ / 2, Lanes::Zero());
  engine.set_matrices(program, equilibration_passes);
  return made;
}

void ContactConeEngine::set_matrices(const ConeProgram& program, int equilibration_passes) {
  regular_ = false;
  std::fill(B_.begin(), B_.end(), Lanes::Zero());
  std::fill(U_.begin(), U_.end(), 0.0);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    ConePair& pair = pairs_[i];
    for (int lane = 0; lane < 2; ++lane) {
      for (int k = 0; k < 3; ++k) {
        const int row = 6 * static_cast<int>(i) + 3 * lane + k;
        pair.G.v[k][lane] = 1.0;
        if (row >= 3 * cones_) continue;
        const int column = column_of_row_[row];
        const double g = Eigen::SparseMatrix<double>::InnerIterator(program.G, column).value();
        pair.G.v[k][lane] = g;
        if (g == 0.0) return;
        Lanes* const B = B_.data() + pair.B + k;
        const int* const touched = row_of(pair);
        const double factor = -1.0 / g;
        for (Eigen::SparseMatrix<double>::InnerIterator it(program.A, column); it; ++it) {
          const auto at = std::lower_bound(touched, touched + pair.rows, it.row()) - touched;
          B[3 * at][lane] = it.value() * factor;
        }
      }
    }
  }
  for (int j = 0; j < free_; ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(program.A, free_columns_[j]); it; ++it) {
      U_[j * equalities_ + it.row()] = it.value();
    }
  }
  equilibrate(equilibration_passes);
  for (const ConePair& pair : pairs_) {
    const Lanes *const B = B_.data() + pair.B, *const end = B + 3 * pair.rows;
    Lanes* product = BJB_.data() + pair.constant;
    for (const Lanes* b = B; b < end; b += 3) {
      for (const Lanes* a = b; a < end; a += 3) *product++ = a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    }
  }
  regular_ = true;
}

// As in cone_equilibration.h.
void ContactConeEngine::equilibrate(int passes) {
  const int p = equalities_;
  std::fill(scale_.begin(), scale_.end(), 1.0);
  for (ConePair& pair : pairs_) pair.scale = Lanes::Constant(1.0);
  for (int pass = 0; pass < passes; ++pass) {
    bool changed = false;
    Lanes row_norm[kMostEqualities];
    std::fill_n(row_norm, p, Lanes::Zero());
    Lanes cone_factor[kMostPairs];
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ConePair& pair = pairs_[i];
      const Lanes* const B = B_.data() + pair.B;
      const int* const touched = row_of(pair);
      Lanes largest = Lanes::Zero();
      for (int r = 0; r < pair.rows; ++r) {
        const Lanes size = B[3 * r].abs().max(B[3 * r + 1].abs()).max(B[3 * r + 2].abs());
        row_norm[touched[r]] = row_norm[touched[r]].max(size);
        largest = largest.max(size);
      }
      cone_factor[i] = Lanes(root_factor(largest[0]), root_factor(largest[1]));
      changed = changed || (cone_factor[i] != 1.0).any();
    }
    for (int i = 0; i < p; ++i) norm_[i] = row_norm[i].maxCoeff();
    for (int j = 0; j < free_; ++j) {
      double largest = 0.0;
      for (int i = 0; i < p; ++i) {
        const double size = std::abs(U_[j * p + i]);
        largest = std::max(largest, size);
        norm_[i] = std::max(norm_[i], size);
      }
      norm_[p + j] = largest;
    }
    for (int i = 0; i < order_; ++i) {
      norm_[i] = root_factor(norm_[i]);
      changed = changed || norm_[i] != 1.0;
      scale_[i] *= norm_[i];
    }
    if (!changed) return;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      ConePair& pair = pairs_[i];
      pair.scale *= cone_factor[i];
      for (int r = 0; r < pair.rows; ++r) {
        const Lanes factor = cone_factor[i] * norm_[row_of(pair)[r]];
        for (int k = 0; k < 3; ++k) B_[pair.B + 3 * r + k] *= factor;
      }
    }
    for (int j = 0; j < free_; ++j) {
      for (int i = 0; i < p; ++i) U_[j * p + i] *= norm_[p + j] * norm_[i];
    }
  }
}

void ContactConeEngine::read_vectors(const ConeProgram& program) {
  const int p = equalities_;
  double cost_norm = 0.0, bound_norm = 0.0;
  costs_ = bounds_ = 0.0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    ConePair& pair = pairs_[i];
    for (int row = 6 * static_cast<int>(i), at = 0; at < 6; ++row, ++at) {
      const int lane = at / 3, k = at % 3;
      const double given = row < 3 * cones_ ? program.c[column_of_row_[row]] : 0.0;
      const double cost = given == 0.0 ? 0.0 : -given / pair.G.v[k][lane] * pair.scale[lane];
      pair.cost.v[k][lane] = cost;
      costs_ = std::max(costs_, std::abs(given));
      cost_norm = std::max(cost_norm, std::abs(cost));
    }
  }
  for (int j = 0; j < free_; ++j) {
    const double given = program.c[free_columns_[j]];
    vector_[p + j] = given * scale_[p + j];
    costs_ = std::max(costs_, std::abs(given));
    cost_norm = std::max(cost_norm, std::abs(vector_[p + j]));
  }
  for (int i = 0; i < p; ++i) {
    vector_[i] = program.b[i] * scale_[i];
    bounds_ = std::max(bounds_, std::abs(program.b[i]));
    bound_norm = std::max(bound_norm, std::abs(vector_[i]));
  }
  cost_scale_ = inverse_factor(cost_norm);
  bound_scale_ = inverse_factor(bound_norm);
  for (ConePair& pair : pairs_) {
    for (Lanes& cost : pair.cost.v) cost *= cost_scale_;
  }
  for (int i = 0; i < order_; ++i) vector_[i] *= i < p ? bound_scale_ : cost_scale_;
  if (cones_ % 2 == 1)
    pairs_.back().cost.v[0][1] = 1.0;  // the partner without force costs something: it rests at zero
}

bool ContactConeEngine::solve(const ConeProgram& program, const ConeOptions& options, ConeResult& result) {
  result.iterations = 0;
  if (!regular_ || program.h.cwiseAbs().maxCoeff() != 0.0) return false;
  read_vectors(program);
  start();
  if (!update_scaling()) return false;
  const int most = std::min(kMostIterations, options.max_iterations);
  while (true) {
    update_residuals();
    if (!std::isfinite(mu_) || !std::isfinite(residual_tau_)) return false;
    if (accept(program, options, result)) return true;
    if (result.iterations == most || !advance(options)) return false;
    ++result.iterations;
  }
}

}  // namespace prehend::math
