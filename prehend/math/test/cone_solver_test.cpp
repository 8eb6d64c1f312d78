// Re-solving takes no memory and forgets nothing; the sparse factorisation against a dense one.
#include <cstdlib>
#include <new>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <tests/sanitized.h>

#include <prehend/math/cone/quasidefinite_ldl.h>
#include <prehend/math/cone_program.h>
#include <prehend/math/random.h>
#include <prehend/math/test/cone_certificate.h>

namespace {
thread_local long allocations = 0;

struct NoMemory {
  long before{allocations};
  long count() const { return allocations - before; }
};
}  // namespace

// The C library's own entry points, so that Eigen (which calls malloc) is counted as well as operator new.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
#if !defined(PREHEND_WITH_ADDRESS_SANITIZER)
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* pointer, std::size_t size) {
  ++allocations;
  return __libc_realloc(pointer, size);
}
#endif
}

namespace prehend::math {
namespace {

// A row of blocks, each on the ground by four corner contacts and pressed against the next by two; the last
// is pushed.
ConeProgram row_of_blocks(int bodies, double mu) {
  std::vector<Eigen::Triplet<double>> A, G;
  int column = 0;
  const auto force = [&](int body, double sign, const Eigen::Vector3d& p, const Eigen::Vector3d& f, int at) {
    const Eigen::Vector3d moment = p.cross(f);
    for (int i = 0; i < 3; ++i) {
      if (f[i] != 0.0) A.emplace_back(6 * body + i, at, sign * f[i]);
      if (moment[i] != 0.0) A.emplace_back(6 * body + 3 + i, at, sign * moment[i]);
    }
  };
  const auto contact = [&](int on, int from, const Eigen::Vector3d& p, const Eigen::Vector3d& n) {
    const Eigen::Vector3d t = n.unitOrthogonal();
    const Eigen::Vector3d axes[3] = {n, t, n.cross(t)};
    for (int k = 0; k < 3; ++k, ++column) {
      force(on, 1.0, p, axes[k], column);
      if (from >= 0) force(from, -1.0, p - Eigen::Vector3d(1, 0, 0), axes[k], column);
      G.emplace_back(column, column, k == 0 ? -mu : -1.0);
    }
  };
  for (int body = 0; body < bodies; ++body) {
    for (double x : {-0.5, 0.5}) {
      for (double y : {-0.5, 0.5}) contact(body, -1, {x, y, -0.5}, {0, 0, 1});
    }
    if (body > 0) {
      for (double y : {-0.4, 0.4}) contact(body - 1, body, {0.5, y, -0.45}, {-1, 0, 0});
    }
  }
  force(bodies - 1, 1.0, {0.5, 0.0, -0.45}, {-1, 0, 0}, column);
  ConeProgram program;
  const int n = column + 1;
  program.c = -Eigen::VectorXd::Unit(n, column);
  program.A.resize(6 * bodies, n);
  program.A.setFromTriplets(A.begin(), A.end());
  program.b = Eigen::VectorXd::Zero(6 * bodies);
  for (int body = 0; body < bodies; ++body) program.b[6 * body + 2] = 9.81;
  program.G.resize(column, n);
  program.G.setFromTriplets(G.begin(), G.end());
  program.h = Eigen::VectorXd::Zero(column);
  program.cones.second_order.assign(column / 3, 3);
  return program;
}

// All blocks slide together: the push is mu times their weight.
TEST(ConeSolver, PushesARowOfBlocks) {
  for (int bodies : {1, 2, 5, 20}) {
    const ConeProgram program = row_of_blocks(bodies, 0.4);
    const ConeResult result = solve_cone_program(program);
    ASSERT_EQ(result.status, SolverStatus::optimal) << result.brief_report();
    EXPECT_NEAR(result.x[result.x.size() - 1], 0.4 * 9.81 * bodies, 1e-6 * bodies);
    EXPECT_TRUE(check_certificate(program, result, 1e-8).valid);
  }
}

// The quick route for few bodies.
TEST(ConeSolver, ResolvesFewBodiesWithoutMemory) {
#if defined(PREHEND_WITH_ADDRESS_SANITIZER)
  GTEST_SKIP() << "the sanitizer replaces malloc";
#endif
  const ConeProgram program = row_of_blocks(2, 0.4), slippery = row_of_blocks(2, 0.2);
  const Eigen::Map<const Eigen::VectorXd> A_values(program.A.valuePtr(), program.A.nonZeros());
  const Eigen::Map<const Eigen::VectorXd> G_values(slippery.G.valuePtr(), slippery.G.nonZeros());
  ConeSolver solver(program);
  const double first = solver.solve().primal_objective;
  const Eigen::VectorXd heavy = 2.0 * program.b;
  const NoMemory guard;
  solver.set_equality_bounds(heavy);
  const double when_heavy = solver.solve().primal_objective;
  solver.set_matrix_values(A_values, G_values);
  const double when_slippery = solver.solve().primal_objective;
  EXPECT_EQ(guard.count(), 0);
  EXPECT_NEAR(when_heavy, 2.0 * first, 1e-6);
  EXPECT_NEAR(when_slippery, first, 1e-6);
}

TEST(ConeSolver, ResolvesWithoutMemoryAndLikeTheFirstTime) {
#if defined(PREHEND_WITH_ADDRESS_SANITIZER)
  GTEST_SKIP() << "the sanitizer replaces malloc";
#endif
  const ConeProgram program = row_of_blocks(6, 0.4), slippery = row_of_blocks(6, 0.2);
  const Eigen::Map<const Eigen::VectorXd> A_values(program.A.valuePtr(), program.A.nonZeros());
  const Eigen::Map<const Eigen::VectorXd> G_values(slippery.G.valuePtr(), slippery.G.nonZeros());
  const Eigen::Map<const Eigen::VectorXd> G_first(program.G.valuePtr(), program.G.nonZeros());
  ConeSolver solver(program);
  const ConeResult first = solver.solve();
  Eigen::VectorXd heavy = 2.0 * program.b, shifted = program.h, pull = -program.c;
  shifted[0] = 0.1;

  const NoMemory guard;
  EXPECT_GE(guard.count(), 0);
  const double at_first = solver.solve().primal_objective;
  solver.set_equality_bounds(heavy);
  const double when_heavy = solver.solve().primal_objective;
  solver.set_matrix_values(A_values, G_values);
  const double when_slippery = solver.solve().primal_objective;
  solver.set_cone_bounds(shifted);
  solver.solve();
  solver.set_objective(pull);
  const SolverStatus backwards = solver.solve().status;
  solver.set_objective(program.c);
  solver.set_cone_bounds(program.h);
  solver.set_equality_bounds(program.b);
  solver.set_matrix_values(A_values, G_first);
  const ConeResult& again = solver.solve();
  EXPECT_EQ(guard.count(), 0);

  EXPECT_DOUBLE_EQ(at_first, first.primal_objective);
  EXPECT_NEAR(when_heavy, 2.0 * first.primal_objective, 1e-6);
  EXPECT_NEAR(when_slippery, first.primal_objective, 1e-6);  // twice the weight, half the friction
  EXPECT_EQ(backwards, SolverStatus::optimal);
  EXPECT_EQ(again.x, first.x);  // to the last bit
  EXPECT_EQ(again.z, first.z);

  // The guard itself must be able to fail.
  const NoMemory counted;
  Eigen::VectorXd copy = program.b;
  EXPECT_GT(counted.count(), 0) << copy.size();
}

TEST(ConeSolver, PsdAndLargeConesResolveWithoutMemory) {
#if defined(PREHEND_WITH_ADDRESS_SANITIZER)
  GTEST_SKIP() << "the sanitizer replaces malloc";
#endif
  // Unknowns: one PSD block and a vector of 30 under one norm, coupled by two equalities.
  const int n = 41;
  ConeProgram program;
  program.c = Eigen::VectorXd::Ones(n);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2, n);
  A.row(0).head<10>() = psd4_vector(Eigen::Matrix4d::Identity()).transpose();
  A.row(1).segment(10, 31).setOnes();
  A(1, 0) = 0.5;
  program.A = A.sparseView();
  program.b = Eigen::Vector2d(1, 2);
  program.G.resize(1 + 31 + 10, n);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(42, n);
  G.row(0).setConstant(-1.0);
  G.block(1, 10, 31, 31) = -Eigen::MatrixXd::Identity(31, 31);
  G.block(32, 0, 10, 10) = -Eigen::MatrixXd::Identity(10, 10);
  program.G = G.sparseView();
  program.h = Eigen::VectorXd::Zero(42);
  program.h[0] = 50.0;
  program.cones = {1, {31}, 1};
  ConeSolver solver(program);
  ASSERT_EQ(solver.solve().status, SolverStatus::optimal);
  const NoMemory guard;
  const SolverStatus status = solver.solve().status;
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(status, SolverStatus::optimal);
  EXPECT_TRUE(check_certificate(program, solver.solve(), 1e-8).valid);
}

TEST(QuasidefiniteLdl, SolvesLikeADenseFactorisation) {
  for (int task = 0; task < 30; ++task) {
    RandomStream random(41, task);
    const int size = 1 + static_cast<int>(random.below(60));
    std::vector<signed char> signs(size);
    for (auto& sign : signs) sign = random.uniform() < 0.6 ? 1 : -1;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
    std::vector<QuasidefiniteLdl::Entry> entries;
    for (int j = 0; j < size; ++j) {
      for (int i = j + 1; i < size; ++i) {
        if (random.uniform() > 3.0 / size) continue;
        K(i, j) = K(j, i) = random.normal();
        entries.emplace_back(random.uniform() < 0.5 ? i : j, 0);
        entries.back().second = entries.back().first == i ? j : i;
      }
    }
    for (int i = 0; i < size; ++i) {  // dominant within each sign's block is enough
      K(i, i) = signs[i] * (1.0 + K.row(i).cwiseAbs().sum());
    }
    const std::vector<int> last = size > 3 ? std::vector<int>{1, 3} : std::vector<int>{};
    QuasidefiniteLdl ldl;
    ldl.analyse(signs, entries, last);
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::fill(ldl.values().begin(), ldl.values().end(), 0.0);
      for (const auto& [i, j] : entries) ldl.values()[ldl.location(i, j)] = K(i, j);
      for (int i = 0; i < size; ++i) ldl.values()[ldl.location(i, i)] = K(i, i);
      EXPECT_EQ(ldl.factorise(1e-14), 0);
      Eigen::VectorXd right(size);
      for (double& value : right) value = random.normal();
      Eigen::VectorXd solution = right;
      ldl.solve(solution.data());
      EXPECT_LT((K * solution - right).cwiseAbs().maxCoeff(), 1e-11);
    }
  }
}

// The order must keep an arrow sparse: its hub is eliminated last, no fill.
TEST(QuasidefiniteLdl, KeepsAnArrowSparse) {
  const int size = 200;
  std::vector<QuasidefiniteLdl::Entry> entries;
  for (int i = 1; i < size; ++i) entries.emplace_back(i, 0);
  QuasidefiniteLdl ldl;
  ldl.analyse(std::vector<signed char>(size, 1), entries, {});
  EXPECT_LT(ldl.factor_entries(), 3u * size);
}

}  // namespace
}  // namespace prehend::math
