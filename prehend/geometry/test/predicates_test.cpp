#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/geometry/exact/expansion.h>
#include <prehend/geometry/exact/predicates.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Independent truth on integer coordinates: determinants in 128-bit integers by cofactors.
__extension__ typedef __int128 Int;
using Matrix = std::vector<std::vector<Int>>;

Int determinant(const Matrix& m) {
  if (m.size() == 1) return m[0][0];
  Int sum = 0;
  for (std::size_t column = 0; column < m.size(); ++column) {
    Matrix sub;
    for (std::size_t i = 1; i < m.size(); ++i) {
      std::vector<Int> row;
      for (std::size_t j = 0; j < m.size(); ++j) {
        if (j != column) row.push_back(m[i][j]);
      }
      sub.push_back(row);
    }
    sum += (column % 2 == 0 ? 1 : -1) * m[0][column] * determinant(sub);
  }
  return sum;
}

int sign(Int value) { return (value > 0) - (value < 0); }

template <class Point>
std::vector<Int> difference_row(const Point& p, const Point& origin, bool lift) {
  std::vector<Int> row;
  Int squared = 0;
  for (int k = 0; k < p.size(); ++k) {
    const Int d = static_cast<Int>(p[k]) - static_cast<Int>(origin[k]);
    row.push_back(d);
    squared += d * d;
  }
  if (lift) row.push_back(squared);
  return row;
}

Vector3d grid_point(math::RandomStream& random, std::uint32_t side, double offset) {
  const auto draw = [&] { return offset + static_cast<double>(random.below(side)); };
  const double x = draw(), y = draw(), z = draw();
  return {x, y, z};
}

struct Grid {
  std::uint32_t side;
  double offset;
};

class PredicatesOnGrid : public ::testing::TestWithParam<Grid> {};

TEST_P(PredicatesOnGrid, SignsEqualIntegerDeterminants) {
  math::RandomStream random(1);
  int zeros = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Vector3d p[5];
    for (Vector3d& point : p) point = grid_point(random, GetParam().side, GetParam().offset);
    const auto row3 = [&](int i, int origin, bool lift) { return difference_row(p[i], p[origin], lift); };
    const int volume = sign(determinant({row3(1, 0, false), row3(2, 0, false), row3(3, 0, false)}));
    EXPECT_EQ(orient3d(p[0], p[1], p[2], p[3]), volume);
    // Lifted 4x4 determinant: negative inside for a positive tetrahedron.
    const int sphere =
        -sign(determinant({row3(0, 4, true), row3(1, 4, true), row3(2, 4, true), row3(3, 4, true)}));
    EXPECT_EQ(insphere(p[0], p[1], p[2], p[3], p[4]), sphere);

    Vector2d q[4];
    for (int i = 0; i < 4; ++i) q[i] = p[i].head<2>();
    const auto row2 = [&](int i, int origin, bool lift) { return difference_row(q[i], q[origin], lift); };
    EXPECT_EQ(orient2d(q[0], q[1], q[2]), sign(determinant({row2(1, 0, false), row2(2, 0, false)})));
    zeros += (volume == 0) + (sphere == 0);
  }
  if (GetParam().side <= 4) {
    EXPECT_GT(zeros, 400);
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, PredicatesOnGrid,
                         ::testing::Values(Grid{2, 0}, Grid{4, -2}, Grid{4, 1e6}, Grid{1u << 20, 0},
                                           Grid{1u << 20, -524288.0}),
                         [](const auto& grid) { return "grid" + std::to_string(grid.index); });

TEST(Predicates, Conventions) {
  const Vector3d o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  EXPECT_EQ(orient3d(o, x, y, z), 1);
  EXPECT_EQ(orient3d(o, x, y, -z), -1);
  EXPECT_EQ(orient3d(o, x, y, Vector3d(0.3, 0.3, 0.0)), 0);
  EXPECT_EQ(insphere(o, x, y, z, Vector3d(0.5, 0.5, 0.5)), 1);
  EXPECT_EQ(insphere(o, x, y, z, Vector3d(2, 0, 0)), -1);
  EXPECT_EQ(insphere(o, x, y, z, Vector3d(1, 1, 1)), 0);
  EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
}

TEST(Predicates, EvenPermutationsKeepTheSignOddOnesFlipIt) {
  math::RandomStream random(2);
  for (int trial = 0; trial < 500; ++trial) {
    // Nearly coplanar and cospherical: small perturbations of the vertices of a square, at an offset.
    const Vector3d shift = 3.7 * random.normal3();
    Vector3d p[5] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 1, 1}};
    for (Vector3d& point : p) point += shift + 1e-16 * random.normal3();
    const int volume = orient3d(p[0], p[1], p[2], p[3]);
    EXPECT_EQ(orient3d(p[1], p[2], p[0], p[3]), volume);
    EXPECT_EQ(orient3d(p[1], p[0], p[3], p[2]), volume);
    EXPECT_EQ(orient3d(p[1], p[0], p[2], p[3]), -volume);
    EXPECT_EQ(orient3d(p[0], p[1], p[3], p[2]), -volume);
    const int sphere = insphere(p[0], p[1], p[2], p[4], p[3]);
    EXPECT_EQ(insphere(p[2], p[0], p[1], p[4], p[3]), sphere);
    EXPECT_EQ(insphere(p[1], p[0], p[4], p[2], p[3]), sphere);
    EXPECT_EQ(insphere(p[1], p[0], p[2], p[4], p[3]), -sphere);
    EXPECT_EQ(insphere(p[0], p[1], p[2], p[3], p[4]), -sphere);
  }
}

TEST(Expansion, ProductsAndSumsAreExact) {
  // (2^60 + 1)(2^60 - 1) = 2^120 - 1 needs 120 bits.
  const exact::Expansion<2> plus(exact::two_sum(0x1p60, 1.0)), minus(exact::two_sum(0x1p60, -1.0));
  const auto rest = plus * minus - exact::Expansion<1>(0x1p120);
  EXPECT_EQ(rest.size, 1u);
  EXPECT_EQ(rest.approximate(), -1.0);
  EXPECT_EQ((rest + exact::Expansion<1>(1.0)).sign(), 0);
}

}  // namespace
}  // namespace prehend::geometry
