// Cone programs with answers known in closed form, and the edges of what may be asked.
#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <prehend/math/cone_program.h>
#include <prehend/math/random.h>
#include <prehend/math/test/cone_certificate.h>

namespace prehend::math {
namespace {

ConeProgram dense_program(const Eigen::VectorXd& c, const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                          const Eigen::MatrixXd& G, const Eigen::VectorXd& h, const ConeDimensions& cones) {
  return {c, A.sparseView(), b, G.sparseView(), h, cones};
}

Eigen::MatrixXd no_rows(int columns) { return Eigen::MatrixXd::Zero(0, columns); }

ConeResult solve_and_check(const ConeProgram& program, SolverStatus expected = SolverStatus::optimal) {
  const ConeResult result = solve_cone_program(program);
  EXPECT_EQ(result.status, expected) << result.brief_report();
  const ConeCertificate certificate = check_certificate(program, result, 1e-8);
  EXPECT_TRUE(certificate.valid) << certificate.brief_report();
  return result;
}

// Nearest point of the cone {x0 >= |x1|} to a point outside: known in closed form.
TEST(ConeProgram, ProjectsOnASecondOrderCone) {
  for (int task = 0; task < 20; ++task) {
    RandomStream random(31, task);
    Eigen::Vector4d a(random.uniform(-0.5, 0.5), random.normal(), random.normal(), random.normal());
    const double norm = a.tail<3>().norm();
    if (std::abs(a[0]) >= norm) continue;
    Eigen::Vector4d expected;
    expected << 0.5 * (a[0] + norm), 0.5 * (1 + a[0] / norm) * a.tail<3>();
    // minimise t subject to |x - a| <= t, x in the cone.
    Eigen::VectorXd c = Eigen::VectorXd::Unit(5, 4);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(9, 5);
    G.topLeftCorner<4, 4>() = -Eigen::Matrix4d::Identity();
    G(4, 4) = -1.0;
    G.bottomLeftCorner<4, 4>() = -Eigen::Matrix4d::Identity();
    Eigen::VectorXd h = Eigen::VectorXd::Zero(9);
    h.tail<4>() = -a;
    const auto result = solve_and_check(dense_program(c, no_rows(5), {}, G, h, {0, {4, 5}, 0}));
    EXPECT_NEAR(result.primal_objective, (expected - a).norm(), 1e-7);
    EXPECT_LT((result.x.head<4>() - expected).norm(), 1e-4);  // the distance is flat at its minimum
  }
}

// A block on a slope, pushed uphill along the slope: it slips at F = m g (sin + mu cos).
TEST(ConeProgram, FindsTheFrictionLimitOnASlope) {
  for (double scale : {1e-6, 1.0, 1e6}) {
    const double mu = 0.5, angle = 0.2, weight = 9.81 * scale;
    // Unknowns: normal and two tangential forces of one contact, and the push.
    Eigen::MatrixXd A(3, 4);
    A << 1, 0, 0, 0,  //
        0, 1, 0, 1,   //
        0, 0, 1, 0;
    const Eigen::Vector3d b(weight * std::cos(angle), weight * std::sin(angle), 0.0);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(3, 4);
    G.diagonal() << -mu, -1, -1;
    const auto result = solve_and_check(
        dense_program(-Eigen::VectorXd::Unit(4, 3), A, b, G, Eigen::Vector3d::Zero(), {0, {3}, 0}));
    const double limit = weight * (std::sin(angle) + mu * std::cos(angle));
    EXPECT_NEAR(result.x[3], limit, 1e-8 * limit);
  }
}

// Friction zero makes the cone's block singular: the solver must take another way, also when it happens
// later.
TEST(ConeProgram, SurvivesVanishingFriction) {
  Eigen::MatrixXd A(3, 4);
  A << 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0;
  const Eigen::Vector3d b(9.0, 4.0, 0.0);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(3, 4);
  G.diagonal() << -0.5, -1, -1;
  ConeProgram program =
      dense_program(-Eigen::VectorXd::Unit(4, 3), A, b, G, Eigen::Vector3d::Zero(), {0, {3}, 0});
  ConeSolver solver(program);
  EXPECT_NEAR(solver.solve().x[3], 4.0 + 4.5, 1e-6);
  const Eigen::Map<const Eigen::VectorXd> A_values(program.A.valuePtr(), program.A.nonZeros());
  solver.set_matrix_values(A_values, Eigen::Vector3d(0.0, -1, -1));
  EXPECT_EQ(solver.solve().status, SolverStatus::optimal);
  EXPECT_NEAR(solver.solve().x[3], 4.0, 1e-5);  // no interior: |f_t| <= 0
  solver.set_matrix_values(A_values, Eigen::Vector3d(-1.0, -1, -1));
  EXPECT_NEAR(solver.solve().x[3], 4.0 + 9.0, 1e-6);
}

// The smallest eigenvalue of a symmetric matrix: maximise t with M - t 1 positive semidefinite.
TEST(ConeProgram, FindsTheSmallestEigenvalue) {
  for (int task = 0; task < 20; ++task) {
    RandomStream random(32, task);
    Eigen::Matrix4d M;
    for (int i = 0; i < 16; ++i) M(i / 4, i % 4) = random.normal();
    M = (M + M.transpose()).eval();
    const auto result =
        solve_and_check(dense_program(-Eigen::VectorXd::Ones(1), no_rows(1), {},
                                      psd4_vector(Eigen::Matrix4d::Identity()), psd4_vector(M), {0, {}, 1}));
    const double expected = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(M).eigenvalues()[0];
    EXPECT_NEAR(result.x[0], expected, 1e-7 * M.norm());
  }
}

// Its dual form, X itself the unknown: minimise <M, X> with trace one.
TEST(ConeProgram, FindsTheSmallestEigenvalueFromTheDual) {
  RandomStream random(33);
  Eigen::Matrix4d M;
  for (int i = 0; i < 16; ++i) M(i / 4, i % 4) = random.normal();
  M = (M + M.transpose()).eval();
  const Eigen::MatrixXd trace = psd4_vector(Eigen::Matrix4d::Identity()).transpose();
  const auto result = solve_and_check(dense_program(psd4_vector(M), trace, Eigen::VectorXd::Ones(1),
                                                    -Eigen::MatrixXd::Identity(10, 10),
                                                    Eigen::VectorXd::Zero(10), {0, {}, 1}));
  EXPECT_NEAR(result.primal_objective, Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(M).eigenvalues()[0],
              1e-7 * M.norm());
}

// A norm over many rows: the large cone stays sparse. minimise |x - a| with sum x = 0.
TEST(ConeProgram, HandlesOneLargeSecondOrderCone) {
  const int size = 300;
  RandomStream random(34);
  Eigen::VectorXd a(size);
  for (double& value : a) value = random.normal();
  Eigen::MatrixXd A = Eigen::MatrixXd::Ones(1, size + 1);
  A(0, size) = 0.0;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(size + 1, size + 1);
  G(0, size) = -1.0;
  G.bottomLeftCorner(size, size) = -Eigen::MatrixXd::Identity(size, size);
  Eigen::VectorXd h(size + 1);
  h << 0.0, -a;
  const auto result = solve_and_check(dense_program(Eigen::VectorXd::Unit(size + 1, size), A,
                                                    Eigen::VectorXd::Zero(1), G, h, {0, {size + 1}, 0}));
  const double expected = std::abs(a.sum()) / std::sqrt(size);
  EXPECT_NEAR(result.primal_objective, expected, 1e-7 * a.norm());
}

TEST(ConeProgram, ProvesInfeasibility) {
  // x >= 1 and x <= 0.
  const Eigen::MatrixXd G = (Eigen::MatrixXd(2, 1) << -1, 1).finished();
  const auto result = solve_and_check(
      dense_program(Eigen::VectorXd::Ones(1), no_rows(1), {}, G, Eigen::Vector2d(-1, 0), {2, {}, 0}),
      SolverStatus::primal_infeasible);
  EXPECT_NEAR(result.z[0], 1.0, 1e-6);
  EXPECT_NEAR(result.z[1], 1.0, 1e-6);
  // Contradicting equalities.
  const Eigen::MatrixXd A = Eigen::MatrixXd::Ones(2, 1);
  solve_and_check(dense_program(Eigen::VectorXd::Ones(1), A, Eigen::Vector2d(1, 2),
                                -Eigen::MatrixXd::Ones(1, 1), Eigen::VectorXd::Zero(1), {1, {}, 0}),
                  SolverStatus::primal_infeasible);
  // A second-order cone that an equality forbids: |x1| <= x0, x0 = -1.
  const Eigen::MatrixXd first = (Eigen::MatrixXd(1, 2) << 1, 0).finished();
  solve_and_check(dense_program(Eigen::Vector2d(0, 1), first, -Eigen::VectorXd::Ones(1),
                                -Eigen::MatrixXd::Identity(2, 2), Eigen::Vector2d::Zero(), {0, {2}, 0}),
                  SolverStatus::primal_infeasible);
}

TEST(ConeProgram, ProvesUnboundedness) {
  const auto result =
      solve_and_check(dense_program(-Eigen::VectorXd::Ones(1), no_rows(1), {}, -Eigen::MatrixXd::Ones(1, 1),
                                    Eigen::VectorXd::Zero(1), {1, {}, 0}),
                      SolverStatus::dual_infeasible);
  EXPECT_NEAR(result.x[0], 1.0, 1e-9);
  // Inside a second-order cone, and for a column that nothing restricts.
  solve_and_check(dense_program(Eigen::Vector3d(-1, 0.5, 0), no_rows(3), {}, -Eigen::MatrixXd::Identity(3, 3),
                                Eigen::Vector3d::Zero(), {0, {3}, 0}),
                  SolverStatus::dual_infeasible);
  solve_and_check(
      dense_program(Eigen::Vector2d(1, 1), no_rows(2), {}, (Eigen::MatrixXd(1, 2) << -1, 0).finished(),
                    Eigen::VectorXd::Zero(1), {1, {}, 0}),
      SolverStatus::dual_infeasible);
}

TEST(ConeProgram, ToleratesRedundantEqualitiesAndEmptyRows) {
  Eigen::MatrixXd A(4, 3);
  A << 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 0, -1;
  const Eigen::Vector4d b(3, 6, 0, 0);
  const auto result = solve_and_check(dense_program(
      Eigen::Vector3d(1, 2, 3), A, b, -Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d::Zero(), {3, {}, 0}));
  EXPECT_NEAR(result.primal_objective, 6.0, 1e-7);
}

// The only feasible point is the tip of the cone, so no interior exists.
TEST(ConeProgram, FindsASolutionWithoutInterior) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(4, 2);
  G << 1, 0, -1, 0, -1, 0, 0, -1;
  const auto result = solve_cone_program(
      dense_program(Eigen::Vector2d(1, -1), no_rows(2), {}, G, Eigen::Vector4d::Zero(), {2, {2}, 0}));
  EXPECT_EQ(result.status, SolverStatus::optimal) << result.brief_report();
  EXPECT_LT(result.x.cwiseAbs().maxCoeff(), 1e-5);
}

TEST(ConeProgram, UnitsDoNotMatter) {
  // The same small program in units from micro to mega.
  RandomStream random(35);
  Eigen::MatrixXd A(2, 6);
  for (int i = 0; i < 12; ++i) A(i / 6, i % 6) = random.uniform(0.2, 1.0);
  const Eigen::Vector2d b(1.0, 0.8);
  Eigen::VectorXd c(6);
  for (double& value : c) value = random.uniform(0.5, 1.0);
  const auto solve = [&](double unit_x, double unit_b, double unit_c) {
    return solve_and_check(dense_program(unit_c * c, unit_b / unit_x * A, unit_b * b,
                                         -Eigen::MatrixXd::Identity(6, 6) / unit_x, Eigen::VectorXd::Zero(6),
                                         {0, {3, 3}, 0}));
  };
  const double reference = solve(1, 1, 1).primal_objective;
  for (double unit : {1e-6, 1e-3, 1e3, 1e6}) {
    EXPECT_NEAR(solve(unit, 1, 1).primal_objective, unit * reference, 1e-7 * unit * reference);
    EXPECT_NEAR(solve(1, unit, 1).primal_objective, reference, 1e-7 * reference);
    EXPECT_NEAR(solve(1, 1, unit).primal_objective, unit * reference, 1e-7 * unit * reference);
  }
}

TEST(ConeProgram, AcceptsZeroDimensionalPieces) {
  // Nothing at all.
  EXPECT_EQ(solve_cone_program(dense_program({}, no_rows(0), {}, no_rows(0), {}, {})).status,
            SolverStatus::optimal);
  // No variables, constant slack: feasible or not.
  const Eigen::MatrixXd G = Eigen::MatrixXd::Zero(1, 0);
  solve_and_check(dense_program({}, no_rows(0), {}, G, Eigen::VectorXd::Ones(1), {1, {}, 0}));
  solve_and_check(dense_program({}, no_rows(0), {}, G, -Eigen::VectorXd::Ones(1), {1, {}, 0}),
                  SolverStatus::primal_infeasible);
  // Equalities only.
  const auto result =
      solve_and_check(dense_program(Eigen::VectorXd::Ones(1), Eigen::MatrixXd::Constant(1, 1, 2.0),
                                    Eigen::VectorXd::Ones(1), no_rows(1), {}, {}));
  EXPECT_NEAR(result.x[0], 0.5, 1e-8);
  // Cones of one row are half lines.
  EXPECT_NEAR(
      solve_and_check(dense_program(Eigen::VectorXd::Ones(1), no_rows(1), {}, -Eigen::MatrixXd::Ones(1, 1),
                                    -3 * Eigen::VectorXd::Ones(1), {0, {1}, 0}))
          .x[0],
      3.0, 1e-7);
}

void expect_sentence(const ConeProgram& program, const ConeOptions& options, const std::string& part) {
  try {
    solve_cone_program(program, options);
    ADD_FAILURE() << "accepted; expected a complaint about " << part;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(ConeProgram, RefusesBadInputWithASentence) {
  const ConeProgram good = dense_program(Eigen::VectorXd::Ones(1), no_rows(1), {},
                                         -Eigen::MatrixXd::Ones(1, 1), Eigen::VectorXd::Zero(1), {1, {}, 0});
  EXPECT_EQ(solve_cone_program(good).status, SolverStatus::optimal);
  ConeProgram bad = good;
  bad.h.resize(2);
  bad.h.setZero();
  expect_sentence(bad, {}, "h has 2 entries; it must have 1");
  bad = good;
  bad.cones.second_order = {3};
  expect_sentence(bad, {}, "one for each row of the cones");
  bad = good;
  bad.cones.second_order = {0};
  expect_sentence(bad, {}, "second-order cone 0 has 0 rows");
  bad = good;
  bad.c[0] = std::nan("");
  expect_sentence(bad, {}, "c entry 0 is nan");
  bad = good;
  bad.G.coeffRef(0, 0) = HUGE_VAL;
  expect_sentence(bad, {}, "G(0, 0) is inf");
  bad = good;
  bad.b = Eigen::VectorXd::Zero(1);
  expect_sentence(bad, {}, "b has 1 entries; it must have 0");
  ConeOptions options;
  options.tolerance = 0.0;
  expect_sentence(good, options, "ConeOptions::tolerance is 0; it must be strictly between 0 and 1");
  options = {};
  options.max_iterations = 0;
  expect_sentence(good, options, "max_iterations");
  options = {};
  options.step_fraction = 1.0;
  expect_sentence(good, options, "step_fraction");
  options = {};
  options.stalled_tolerance = 1e-12;
  expect_sentence(good, options, "stalled_tolerance");
  ConeSolver solver(good);
  EXPECT_THROW(solver.set_objective(Eigen::Vector2d::Zero()), std::invalid_argument);
  EXPECT_THROW(solver.set_cone_bounds(Eigen::VectorXd::Constant(1, std::nan(""))), std::invalid_argument);
  EXPECT_THROW(solver.set_matrix_values(Eigen::VectorXd(), Eigen::Vector2d::Zero()), std::invalid_argument);
}

TEST(ConeProgram, SaysWhenIterationsRunOut) {
  const ConeProgram program =
      dense_program(Eigen::Vector2d(1, 2), no_rows(2), {}, -Eigen::MatrixXd::Identity(2, 2),
                    Eigen::Vector2d(-1, -2), {2, {}, 0});
  ConeOptions options;
  options.max_iterations = 1;
  const ConeResult result = solve_cone_program(program, options);
  EXPECT_EQ(result.status, SolverStatus::iteration_limit);
  EXPECT_FALSE(check_certificate(program, result).valid);
  EXPECT_NE(result.brief_report().find("iteration_limit after 1 iterations"), std::string::npos);
}

// The checker must see through wrong answers.
TEST(ConeCertificate, RejectsWrongAnswers) {
  const ConeProgram program =
      dense_program(Eigen::Vector2d(2, 1), Eigen::MatrixXd::Ones(1, 2), Eigen::VectorXd::Ones(1),
                    -Eigen::MatrixXd::Identity(2, 2), Eigen::Vector2d::Zero(), {0, {2}, 0});
  const ConeResult good = solve_and_check(program);
  ConeResult wrong = good;
  wrong.x[0] += 1e-3;
  EXPECT_NE(check_certificate(program, wrong).problem.find("primal residual"), std::string::npos);
  wrong = good;
  wrong.y[0] += 1e-3;
  EXPECT_NE(check_certificate(program, wrong).problem.find("dual residual"), std::string::npos);
  wrong = good;
  wrong.x << 0.4, 0.6;  // satisfies the equality, leaves the cone
  wrong.s = wrong.x;
  EXPECT_NE(check_certificate(program, wrong).problem.find("cone violation"), std::string::npos);
  wrong = good;
  wrong.x << 0.9, 0.1;  // feasible, not optimal or not complementary
  wrong.s = wrong.x;
  EXPECT_FALSE(check_certificate(program, wrong).valid);
  wrong = good;
  wrong.status = SolverStatus::primal_infeasible;
  EXPECT_FALSE(check_certificate(program, wrong).valid);
  wrong.status = SolverStatus::dual_infeasible;
  EXPECT_FALSE(check_certificate(program, wrong).valid);
}

}  // namespace
}  // namespace prehend::math
