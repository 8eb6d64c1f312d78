#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/articulation/evidence/left_out_motion.h>
#include <prehend/articulation/fit/short_motion.h>

namespace prehend::articulation {
namespace {

std::vector<double> states(std::size_t count, double (*at)(std::size_t), unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> unit(0.0, 1.0);
  std::vector<double> z;
  for (std::size_t i = 0; i < count; ++i) z.push_back(at(i) + unit(random));
  return z;
}

double begins_to_move(std::size_t i) { return i < 285 ? 0.0 : 2.0 * static_cast<double>(i - 285); }
double jumps_to_the_end(std::size_t i) { return i < 285 ? 0.0 : 20.0; }
double rests(std::size_t) { return 0.0; }
double is_mistaken(std::size_t i) { return i % 40 < 3 ? 15.0 : 0.0; }

// 0 to 28 times the noise in the last fifteen of 300 frames.
TEST(ShortMotion, IsReachedInSmallStepsAndLasts) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    EXPECT_TRUE(moves_for_a_while(states(300, begins_to_move, seed))) << seed;
    EXPECT_FALSE(moves_for_a_while(states(300, jumps_to_the_end, seed))) << seed;
    EXPECT_FALSE(moves_for_a_while(states(300, rests, seed))) << seed;
    EXPECT_FALSE(moves_for_a_while(states(300, is_mistaken, seed))) << seed;
  }
}

// A marker that is mistaken for two frames when the motion begins.
TEST(ShortMotion, IsSeenThroughMistakenFrames) {
  std::vector<math::Vector6d> residuals;
  std::vector<bool> far;
  std::mt19937 random(9);
  std::normal_distribution<double> unit(0.0, 0.5);
  for (std::size_t i = 0; i < 200; ++i) {
    math::Vector6d e;
    for (int k = 0; k < 6; ++k) e[k] = unit(random);
    if (i > 180) e[0] += static_cast<double>(i - 180);
    if (i == 184 || i == 185) e[1] -= 45.0;
    residuals.push_back(e);
    far.push_back(e.norm() > 4.0);
  }
  EXPECT_TRUE(moves_away(residuals, far));
}

}  // namespace
}  // namespace prehend::articulation
