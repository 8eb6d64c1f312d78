// The quick route for few bodies in contact against the general one, on the same programs.
#include <gtest/gtest.h>

#include <prehend/math/cone/contact_cone_engine.h>
#include <prehend/math/random.h>
#include <prehend/math/test/cone_certificate.h>

namespace prehend::math {
namespace {

enum class Ending { solution, infeasible, unbounded };

// Friction cones on a body or two, random directions, one free column. Each kind has what it needs by
// construction: interior points, or a cone of forces that cannot hold the load, or a push that friction
// always answers.
ConeProgram random_contact(RandomStream& random, int cones, int equalities, Ending ending) {
  const int m = 3 * cones, n = m + 1;
  Eigen::MatrixXd A(equalities, n), G = Eigen::MatrixXd::Zero(m, n);
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = random.uniform(-1.0, 1.0);
  const double mu = random.uniform(0.2, 1.0);
  Eigen::VectorXd s(m), z(m), y(equalities);
  for (int k = 0; k < cones; ++k) {
    G.diagonal().segment<3>(3 * k) << -mu, -1.0, -1.0;
    for (Eigen::VectorXd* v : {&s, &z}) {
      v->segment<3>(3 * k) << 0.0, random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0);
      (*v)[3 * k] = v->segment<2>(3 * k + 1).norm() + random.uniform(0.1, 1.0);
    }
  }
  for (double& value : y) value = random.uniform(-1.0, 1.0);
  Eigen::VectorXd x(n);
  x << -s.cwiseQuotient(G.diagonal().head(m)), random.uniform(-1.0, 1.0);
  ConeProgram program;
  program.c = -A.transpose() * y - G.transpose() * z;
  program.b = A * x;
  if (ending == Ending::infeasible) {
    // Row 0 becomes z' s with z inside the cone: positive, while the load asks for a negative sum.
    A.row(0).head(m) = -(G.leftCols(m).transpose() * z).transpose();
    A(0, m) = 0.0;
    program.b[0] = -1.0;
    program.c = -A.transpose() * y - G.transpose() * z;
  } else if (ending == Ending::unbounded) {
    A.col(m) = -A.leftCols(m) * x.head(m);
    program.b = A * x;
    program.c = -Eigen::VectorXd::Unit(n, m);
  }
  program.A = A.sparseView();
  program.G = G.sparseView();
  program.h = Eigen::VectorXd::Zero(m);
  program.cones.second_order.assign(cones, 3);
  return program;
}

// A row 0'x <= 1 changes nothing but the route.
ConeProgram for_the_general_route(const ConeProgram& program) {
  ConeProgram out = program;
  const Eigen::Index m = program.h.size();
  out.G = Eigen::SparseMatrix<double>(m + 1, program.c.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < program.G.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(program.G, j); it; ++it) {
      entries.emplace_back(it.row() + 1, it.col(), it.value());
    }
  }
  out.G.setFromTriplets(entries.begin(), entries.end());
  out.h = Eigen::VectorXd::Zero(m + 1);
  out.h[0] = 1.0;
  out.cones.nonnegative = 1;
  return out;
}

ConeResult sized_result(const ConeProgram& program) {
  ConeResult result;
  result.x.setZero(program.c.size());
  result.y.setZero(program.b.size());
  result.s.setZero(program.h.size());
  result.z.setZero(program.h.size());
  return result;
}

TEST(ContactConeEngine, AnswersLikeTheGeneralRoute) {
  RandomStream random(7);
  int unanswered = 0;
  for (int k = 0; k < 300; ++k) {
    const int equalities = k % 4 == 0 ? 12 : (k % 4 == 1 ? 5 : 6);
    const int cones = equalities / 2 + 1 + k % 5;  // even and odd
    const Ending ending = static_cast<Ending>(k % 3);
    const ConeProgram program = random_contact(random, cones, equalities, ending);
    auto engine = ContactConeEngine::try_make(program, ConeOptions().equilibration_passes);
    ASSERT_TRUE(engine.has_value());
    ConeResult quick = sized_result(program);
    if (!engine->solve(program, {}, quick)) {
      ++unanswered;
      continue;
    }
    const ConeCertificate proof = check_certificate(program, quick, 1e-7);
    EXPECT_TRUE(proof.valid) << k << ": " << proof.brief_report();
    const ConeProgram other = for_the_general_route(program);
    EXPECT_FALSE(ContactConeEngine::try_make(other, 8).has_value());
    const ConeResult general = solve_cone_program(other);
    ASSERT_EQ(quick.status, general.status) << k << ": " << quick.brief_report() << general.brief_report();
    EXPECT_EQ(quick.status, ending == Ending::solution     ? SolverStatus::optimal
                            : ending == Ending::infeasible ? SolverStatus::primal_infeasible
                                                           : SolverStatus::dual_infeasible);
    if (quick.status != SolverStatus::optimal) continue;
    const double size = program.c.cwiseAbs().dot(quick.x.cwiseAbs());
    EXPECT_NEAR(quick.primal_objective, general.primal_objective, 1e-7 * size) << k;
    EXPECT_NEAR(quick.primal_objective, program.c.dot(quick.x), 1e-12 * size);
  }
  EXPECT_LE(unanswered, 6);  // of 300: it may leave some to the general route, but must be worth having
}

// A row of bodies, each touching the one before by one to five points: pairs of cones lie within an interface or across
// two, and touch 6, 12 or 18 equalities, alone or with a neighbour that touches the same.
TEST(ContactConeEngine, ChainsOfBodiesAnswerLikeTheGeneralRoute) {
  RandomStream random(10);
  int unanswered = 0;
  for (int k = 0; k < 200; ++k) {
    const int bodies = 2 + k % 4;
    std::vector<int> body_of_cone;
    for (int body = 0; body < bodies; ++body) {
      const int points = body == 0 ? 4 + k % 2 : 1 + static_cast<int>(random.uniform(0.0, 5.0));
      body_of_cone.insert(body_of_cone.end(), points, body);
    }
    ConeProgram program =
        random_contact(random, static_cast<int>(body_of_cone.size()), 6 * bodies, Ending::solution);
    Eigen::MatrixXd A = program.A;
    const Eigen::Index m = program.h.size();
    for (Eigen::Index column = 0; column < m; ++column) {
      const int body = body_of_cone[column / 3], first = std::max(body - 1, 0);
      A.col(column).head(6 * first).setZero();
      A.col(column).tail(6 * (bodies - 1 - body)).setZero();
    }
    // Forces and motions inside their cones: the program has an answer.
    Eigen::VectorXd s(m), y(6 * bodies);
    for (double& value : y) value = random.uniform(-1.0, 1.0);
    for (Eigen::Index i = 0; i < m; ++i) s[i] = i % 3 == 0 ? 1.0 : random.uniform(-0.5, 0.5);
    Eigen::VectorXd x(m + 1), z = s.reverse();
    for (Eigen::Index i = 0; i < m; i += 3) std::swap(z[i], z[i + 2]);
    x << -s.cwiseQuotient(Eigen::MatrixXd(program.G).diagonal().head(m)), 1.0;
    program.A = A.sparseView();
    program.b = A * x;
    program.c = -A.transpose() * y - program.G.transpose() * z;
    auto engine = ContactConeEngine::try_make(program, ConeOptions().equilibration_passes);
    ASSERT_TRUE(engine.has_value());
    ConeResult quick = sized_result(program);
    if (!engine->solve(program, {}, quick)) {
      ++unanswered;
      continue;
    }
    ASSERT_EQ(quick.status, SolverStatus::optimal);
    const ConeCertificate proof = check_certificate(program, quick, 1e-7);
    EXPECT_TRUE(proof.valid) << k << ": " << proof.brief_report();
    const ConeResult general = solve_cone_program(for_the_general_route(program));
    const double size = program.c.cwiseAbs().dot(quick.x.cwiseAbs());
    EXPECT_NEAR(quick.primal_objective, general.primal_objective, 1e-7 * size) << k;
  }
  EXPECT_LE(unanswered, 4);  // of 200, as above
}

// Units of rows, of forces, of the whole.
TEST(ContactConeEngine, DoesNotMindUnits) {
  RandomStream random(8);
  for (int k = 0; k < 60; ++k) {
    const ConeProgram program = random_contact(random, 5 + k % 2, 6, static_cast<Ending>(k % 3));
    ConeProgram scaled = program;
    Eigen::VectorXd rows(6);
    for (double& row : rows) row = std::pow(10.0, random.uniform(-3.0, 3.0));
    scaled.A = rows.asDiagonal() * program.A;
    scaled.b = 1e3 * rows.cwiseProduct(program.b);
    scaled.c = 1e-3 * program.c;
    const ConeResult result = solve_cone_program(program), in_other_units = solve_cone_program(scaled);
    ASSERT_EQ(result.status, in_other_units.status);
    EXPECT_TRUE(check_certificate(scaled, in_other_units).valid);
    if (result.status != SolverStatus::optimal) continue;
    const double size = program.c.cwiseAbs().dot(result.x.cwiseAbs());
    EXPECT_NEAR(in_other_units.primal_objective, result.primal_objective, 1e-6 * size);
  }
}

TEST(ContactConeEngine, LeavesOtherProgramsToTheGeneralRoute) {
  RandomStream random(9);
  const ConeProgram program = random_contact(random, 6, 6, Ending::solution);
  ConeProgram other = program;
  other.cones.second_order = {4, 2, 3, 3, 3, 3};
  EXPECT_FALSE(ContactConeEngine::try_make(other, 8).has_value());
  other = program;
  other.G.coeffRef(0, 1) = 0.1;
  other.G.makeCompressed();
  EXPECT_FALSE(ContactConeEngine::try_make(other, 8).has_value());
  // Numbers may leave the kind later: bounds on the cones, friction zero, and back.
  ConeSolver solver(program);
  const double first = solver.solve().primal_objective;
  solver.set_cone_bounds(Eigen::VectorXd::Unit(18, 0));
  ConeProgram shifted = program;
  shifted.h[0] = 1.0;
  const ConeResult with_bounds = solver.solve();
  EXPECT_TRUE(check_certificate(shifted, with_bounds).valid) << with_bounds.brief_report();
  solver.set_cone_bounds(program.h);
  EXPECT_DOUBLE_EQ(solver.solve().primal_objective, first);
  const Eigen::Map<const Eigen::VectorXd> A(program.A.valuePtr(), program.A.nonZeros());
  Eigen::VectorXd G = Eigen::Map<const Eigen::VectorXd>(program.G.valuePtr(), program.G.nonZeros());
  ConeProgram slippery = program;
  for (int row = 0; row < 18; row += 3) slippery.G.valuePtr()[row] = G[row] = 0.0;
  solver.set_matrix_values(A, G);
  const ConeResult without_friction = solver.solve();
  EXPECT_TRUE(check_certificate(slippery, without_friction).valid) << without_friction.brief_report();
}

}  // namespace
}  // namespace prehend::math
