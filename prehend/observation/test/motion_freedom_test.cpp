// Freedoms of contact relations: the source's states of the peg, relations counted by hand, and random ones against their own rays.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "finite_gap.h"
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/random.h>
#include <prehend/observation/cones/contact_planes.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/sub_skills.h>

namespace prehend::observation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using math::Vector6d;

Contact touch(std::vector<Vector3d> points, std::vector<Vector3d> normals) {
  return {"", std::move(points), std::move(normals)};
}

const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();

// Walls that are parallel to a fifth of the tolerance: the floor between them is left as it would be between parallel ones.
TEST(MotionFreedom, WallsParallelWithinTheTolerance) {
  math::RandomStream random(71);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3d off = 1e-6 * random.unit_vector();
    const std::vector<Vector3d> corners = {{0, -1, 0}, {0, 1, 0}, {0, 1, 1}, {0, -1, 1}};
    std::vector<Vector3d> others = corners;
    for (Vector3d& p : others) p.x() = 1.0;
    const Contact left = touch(corners, {x}), right = touch(others, {(-x + off).normalized()});
    const Contact floor = touch({{0, -1, 0}, {0, 1, 0}, {1, 1, 0}, {1, -1, 0}}, {z});
    EXPECT_EQ(motion_freedom({{left, right, floor}}).eight_numbers(), "111 012 23") << trial;
  }
}

TEST(MotionFreedom, TheStatesOfThePeg) {
  EXPECT_EQ(motion_freedom({}).eight_numbers(), "300 300 00");  // A: nothing touches
  // B: an edge on a face.
  const Contact edge = touch({{0, -1, 0}, {0, 1, 0}}, {z});
  EXPECT_EQ(motion_freedom({{edge}}).eight_numbers(), "210 210 11");
  // C: an edge on a parallel edge: at both ends one of two planes suffices.
  const Contact edges = touch({{0, -1, 0}, {0, 1, 0}}, {z, -x});
  const MotionFreedom on_edge = motion_freedom({{edges}});
  EXPECT_TRUE(on_edge.singular);
  EXPECT_EQ(on_edge.eight_numbers(), "300 300 22");
  // E: edges on a floor and on a wall, both parallel.
  const Contact wall = touch({{1, -1, 1}, {1, 1, 1}}, {-x});
  EXPECT_EQ(motion_freedom({{edge, wall}}).eight_numbers(), "120 120 22");
  // G: faces between two walls.
  const auto corners = [](double at) {
    return std::vector<Vector3d>{{at, -1, 0}, {at, 1, 0}, {at, -1, 1}, {at, 1, 1}};
  };
  const Contact left = touch(corners(-1), {x}), right = touch(corners(1), {-x});
  EXPECT_EQ(motion_freedom({{left, right}}).eight_numbers(), "201 102 12");
  // H: and on the ground.
  const Contact ground = touch({{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}}, {z});
  const MotionFreedom home = motion_freedom({{left, right, ground}});
  EXPECT_EQ(home.eight_numbers(), "111 012 23");
  EXPECT_EQ(home.rotation.detaching_type1, 1);  // either way about x, lifting one side
  EXPECT_EQ(home.rotation.detaching_type2, 0);
}

// Relations of corners, edges and faces with planes at right angles, counted by hand from n.(v + w x p) >= 0. Two points pinched between walls, one behind
// the other, turn about every axis; an edge in the line of two planes keeps its own axis and lifts an end about the others.
TEST(MotionFreedom, CornersEdgesAndFacesOnPlanes) {
  const auto square = [](const Vector3d& at, const Vector3d& u, const Vector3d& v) {
    return std::vector<Vector3d>{at, at + u, at + v, at + u + v};
  };
  const Contact floor = touch(square({0, 0, 0}, x, y), {z}), left = touch(square({0, 0, 0}, y, z), {x}),
                right = touch(square(x, y, z), {-x}), front = touch(square({0, 0, 0}, x, z), {y}),
                back = touch(square(y, x, z), {-y});
  const Vector3d p(0.3, -0.2, 0.5);
  const std::vector<std::pair<std::vector<Contact>, std::string>> known = {
      {{touch({p}, {z})}, "210 300 10"},
      {{touch({p}, {z}), touch({p}, {x})}, "120 300 20"},
      {{touch({p}, {z}), touch({p}, {x}), touch({p}, {y})}, "030 300 30"},
      {{touch({p}, {x}), touch({p + x}, {-x})}, "201 300 10"},
      {{touch({p, p + y}, {z})}, "210 210 11"},
      {{touch({p, p + y}, {z}), touch({p, p + y}, {x})}, "120 120 22"},
      {{touch({p, p + y}, {z}), touch({p, p + y}, {x}), touch({p}, {y})}, "030 120 32"},
      {{floor}, "210 120 12"},
      {{floor, left}, "120 030 23"},
      {{floor, left, front}, "030 030 33"},
      {{left, right, front, back}, "102 003 23"},
      {{left, right, front, back, floor}, "012 003 33"}};
  for (const auto& [contacts, numbers] : known)
    EXPECT_EQ(motion_freedom({contacts}).eight_numbers(), numbers) << contacts.size() << " contacts";
}

// E to F and F to G of the peg: an edge slides over the other edge in rotation alone, and walls on both sides are critical.
TEST(SubSkills, TheLastStatesOfThePeg) {
  const Contact edge = touch({{0, -1, 0}, {0, 1, 0}}, {z}), wall = touch({{1, -1, 1}, {1, 1, 1}}, {-x});
  const MotionFreedom e = motion_freedom({{edge, wall}});
  // F: edges on parallel edges on both sides, another pair of planes each.
  const Contact left = touch({{0, -1, 0}, {0, 1, 0}}, {z, x}),
                right = touch({{1, -1, 1}, {1, 1, 1}}, {-x, z});
  const MotionFreedom f = motion_freedom({{left, right}});
  EXPECT_EQ(f.eight_numbers(), "300 300 23");
  EXPECT_EQ(transition_between(e, f).text(), "slide rotation");
  const auto corners = [](double at) {
    return std::vector<Vector3d>{{at, -1, 0}, {at, 1, 0}, {at, -1, 1}, {at, 1, 1}};
  };
  const MotionFreedom g = motion_freedom({{touch(corners(-1), {x}), touch(corners(1), {-x})}});
  EXPECT_EQ(transition_between(f, g).text(), "no sub-skill; critical");
}

// Two edges wedged between parallel walls at different heights: no axis direction is lost, though c_a - c_t is -1.
TEST(MotionFreedom, WedgedBetweenWalls) {
  const Contact low = touch({{-1, -1, 0}, {-1, 1, 0}}, {x}), high = touch({{1, -1, 1}, {1, 1, 1}}, {-x});
  const MotionFreedom freedom = motion_freedom({{low, high}});
  EXPECT_EQ(freedom.eight_numbers(), "201 120 12");
  EXPECT_EQ(freedom.all.constraining, 0);
  // Turning about y one way lets both edges leave their walls, and then about z a little; the other way they press.
  EXPECT_EQ(freedom.rotation.detaching_type1, 0);
  EXPECT_EQ(freedom.rotation.detaching_type2, 2);
}

TEST(MotionFreedom, ABlockInACornerStaysOrLeaves) {
  const std::vector<Vector3d> face = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  std::vector<Vector3d> side, back;
  for (const Vector3d& p : face) {
    side.push_back({p.x(), 0, p.y()});
    back.push_back({0, p.x(), p.y()});
  }
  const MotionFreedom freedom = motion_freedom({{touch(face, {z}), touch(side, {y}), touch(back, {x})}});
  EXPECT_EQ(freedom.eight_numbers(), "030 030 33");
  EXPECT_EQ(freedom.all.detaching, 6);
  ASSERT_EQ(freedom.legal.size(), 1u);
  EXPECT_TRUE(freedom.legal[0].lineality_W.empty());
  EXPECT_TRUE(freedom.maintaining_W.empty());
  Vector6d lift, down, turn;
  lift << 0, 0, 0, 0, 0, 1;
  down << 0, 0, 0, 0, 0, -1;
  turn << 0, 0, 1, 0, 0, 0;
  const MotionFreedom asked =
      motion_freedom({{touch(face, {z}), touch(side, {y}), touch(back, {x})}}, {lift, down, turn});
  ASSERT_EQ(asked.screws.size(), 3u);
  EXPECT_EQ(asked.screws[0], ScrewVerdict::detaching);
  EXPECT_EQ(asked.screws[1], ScrewVerdict::illegal);
  EXPECT_EQ(asked.screws[2], ScrewVerdict::illegal);
}

Vector3d random_vector(math::RandomStream& random) {
  return {random.normal(), random.normal(), random.normal()};
}

// Points and normals at random, often in planes, in lines, opposite, repeated, or along axes, where dimensions fall.
ContactRelation random_relation(math::RandomStream& random, bool with_singular) {
  const auto chance = [&](double share) { return random.uniform() < share; };
  ContactRelation relation;
  const bool is_boxy = chance(0.6);
  const auto normal = [&]() -> Vector3d {
    if (!is_boxy) return random_vector(random);
    Vector3d axis = Vector3d::Zero();
    axis[static_cast<int>(random.uniform(0.0, 2.999))] = chance(0.5) ? 1.0 : -1.0;
    return axis;
  };
  const auto point = [&]() -> Vector3d {
    Vector3d p = random_vector(random);
    if (is_boxy) p = p.array().round().matrix();
    return p;
  };
  const int contacts = 1 + static_cast<int>(random.uniform(0.0, 5.0));
  for (int i = 0; i < contacts; ++i) {
    Contact contact;
    const int points = 1 + static_cast<int>(random.uniform(0.0, 3.0));
    for (int k = 0; k < points; ++k) contact.points_W.push_back(point());
    contact.normals_W = {normal()};
    if (with_singular && chance(0.4)) contact.normals_W.push_back(normal());
    relation.contacts.push_back(contact);
    if (chance(0.2)) {  // the same wall from the other side
      contact.normals_W.resize(1);
      contact.normals_W[0] *= -1.0;
      relation.contacts.push_back(contact);
    }
  }
  return relation;
}

MatrixXd generators(const ConeRays& cone) {
  MatrixXd all(cone.lineality.rows(), 2 * cone.lineality.cols() + cone.rays.cols());
  all << cone.lineality, -cone.lineality, cone.rays;
  return all;
}

bool is_generated(const MatrixXd& columns, const Eigen::VectorXd& target) {
  if (columns.cols() == 0) return target.norm() < 1e-6;
  return math::solve_nonnegative_least_squares(columns, target).residual_norm <= 1e-6 * (1.0 + target.norm());
}

// How many dimensions a cone of generators has in which it holds whole lines: those whose negative it holds too.
int two_way_dimensions(const MatrixXd& columns) {
  MatrixXd rays(columns.rows(), 0), both(columns.rows(), 0);
  const auto add = [](MatrixXd& list, const Eigen::VectorXd& column) {
    list.conservativeResize(Eigen::NoChange, list.cols() + 1);
    list.rightCols(1) = column;
  };
  for (Eigen::Index k = 0; k < columns.cols(); ++k)
    if (columns.col(k).norm() > 1e-9) add(rays, columns.col(k).normalized());  // others are zero, rounded
  for (Eigen::Index k = 0; k < rays.cols(); ++k)
    if (is_generated(rays, -rays.col(k))) add(both, rays.col(k));
  return rank_of(both.transpose());
}

void expect_counts_of_rays(const ContactRelation& relation, int seed, int& thin) {
  // Relations here are exact: a tolerance that takes none of them for another.
  const MotionFreedom freedom = motion_freedom(relation, {}, {256, 1e-7}), usual = motion_freedom(relation);
  thin += usual.eight_numbers() != freedom.eight_numbers() ||
          usual.rotation.detaching_type1 != freedom.rotation.detaching_type1;
  const Rows rows = ContactPlanes(relation).ordinary;
  const MatrixXd all = generators(rays_of(rows)), shifts = generators(rays_of(rows.rightCols<3>()));
  EXPECT_EQ(rank_of(all.transpose()), 6 - freedom.all.constraining) << seed;
  EXPECT_EQ(rank_of(shifts.transpose()), 3 - freedom.translation.constraining) << seed;
  const MatrixXd axes = all.topRows<3>();
  EXPECT_EQ(rank_of(axes.transpose()), 3 - freedom.rotation.constraining) << seed;
  EXPECT_EQ(two_way_dimensions(axes), freedom.rotation.maintaining + freedom.rotation.detaching_type1)
      << seed;
  EXPECT_GE(freedom.rotation.detaching_type1, 0) << seed;
  EXPECT_GE(freedom.rotation.detaching_type2, 0) << seed;
  EXPECT_EQ(freedom.maintaining_W.size(), static_cast<std::size_t>(6 - freedom.all.restricted)) << seed;
}

TEST(MotionFreedom, CountsOfLinearProgramsAreThoseOfTheRays) {
  const int relations = std::getenv("PREHEND_SLOW") != nullptr ? 10000 : 2000;
  int thin = 0;
  for (int seed = 0; seed < relations; ++seed) {
    math::RandomStream random(test::sweep_seed(0), static_cast<std::uint64_t>(seed));
    expect_counts_of_rays(random_relation(random, false), seed, thin);
  }
  // Points and normals at random come within the usual tolerance of another relation once in thousands.
  std::printf("%d of %d exact relations are counted otherwise with the usual tolerance\n", thin, relations);
  EXPECT_LE(thin, 1 + relations / 1000);
}

// Points and normals off by 1e-7 to 1e-6 of their size: the counts are those of the exact relation, its screws that keep the contacts keep these, and its
// legal ones are not illegal.
TEST(MotionFreedom, SinglePrecisionCountsAsExact) {
  const int relations = std::getenv("PREHEND_SLOW") != nullptr ? 10000 : 300;
  int wrong = 0;
  for (int seed = 0; seed < relations; ++seed) {
    math::RandomStream random(test::sweep_seed(700), static_cast<std::uint64_t>(seed));
    const ContactRelation exact = random_relation(random, seed % 2 == 0);
    const double off = std::pow(10.0, random.uniform(-7.0, -6.0));
    const ContactPlanes planes(exact);
    // Points in one place are rounded at that place.
    const bool is_one_point = std::ranges::all_of(exact.contacts, [&](const Contact& contact) {
      return std::ranges::all_of(contact.points_W,
                                 [&](const Vector3d& p) { return (p - planes.centre_W).norm() < 1e-9; });
    });
    const double size = is_one_point ? 0.3 * planes.centre_W.norm() : planes.length;
    ContactRelation rounded = exact;
    for (Contact& contact : rounded.contacts) {
      for (Vector3d& p : contact.points_W) p += off * size * random.normal3();
      for (Vector3d& n : contact.normals_W) n += off * n.norm() * random.normal3();
    }
    const MotionFreedom a = motion_freedom(exact);
    std::vector<Vector6d> screws = a.maintaining_W;
    for (const LegalCone& cone : a.legal) screws.insert(screws.end(), cone.rays_W.begin(), cone.rays_W.end());
    const MotionFreedom b = motion_freedom(rounded, screws);
    const bool is_same = a.eight_numbers() == b.eight_numbers() &&
                         a.rotation.detaching_type1 == b.rotation.detaching_type1 &&
                         a.all.restricted == b.all.restricted && a.all.constraining == b.all.constraining;
    wrong += !is_same;
    EXPECT_TRUE(is_same) << seed << ": " << a.eight_numbers() << " and " << b.eight_numbers() << " off by "
                         << off;
    for (std::size_t k = 0; k < screws.size(); ++k) {
      if (k < a.maintaining_W.size()) EXPECT_EQ(b.screws[k], ScrewVerdict::maintaining) << seed;
      // Ends of a line are the points of a contact that are farthest apart: which, noise may decide.
      if (planes.singular_lines.empty()) EXPECT_NE(b.screws[k], ScrewVerdict::illegal) << seed;
    }
  }
  std::printf("%d of %d relations off by up to 1e-6 are counted otherwise\n", wrong, relations);
}

TEST(MotionFreedom, TheUnionHoldsWhatEveryPointAllows) {
  int legal = 0, illegal = 0;
  for (int seed = 0; seed < 150; ++seed) {
    math::RandomStream random(static_cast<std::uint64_t>(9000 + seed));
    const ContactRelation relation = random_relation(random, true);
    const ContactPlanes planes(relation);
    const MotionFreedom freedom = motion_freedom(relation);
    ASSERT_EQ(freedom.status, FreedomStatus::ok);
    std::vector<MatrixXd> members;
    for (const LegalCone& cone : freedom.legal) {
      MatrixXd columns(6, 0);
      const auto add = [&](const Vector6d& screw_W) {
        columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
        columns.rightCols(1) = planes.scaled(screw_W).normalized();
      };
      for (const Vector6d& screw : cone.lineality_W) {
        add(screw);
        add(-screw);
      }
      for (const Vector6d& screw : cone.rays_W) add(screw);
      for (const ScrewVerdict verdict : motion_freedom(relation, cone.rays_W).screws)
        EXPECT_NE(verdict, ScrewVerdict::illegal) << seed;
      members.push_back(columns);
    }
    std::vector<Vector6d> screws, screws_W;
    for (int k = 0; k < 20; ++k) {
      Vector6d screw;
      screw << random_vector(random), random_vector(random);
      screws.push_back(screw.normalized());
      screws_W.push_back(planes.unscaled(screw));
    }
    const std::vector<ScrewVerdict> verdicts = motion_freedom(relation, screws_W).screws;
    for (std::size_t k = 0; k < screws.size(); ++k) {
      const bool is_legal = verdicts[k] != ScrewVerdict::illegal;
      const bool is_listed = std::any_of(members.begin(), members.end(), [&](const MatrixXd& columns) {
        return is_generated(columns, screws[k]);
      });
      // Along a singular line the cones hold what one plane saves everywhere; more may be legal.
      if (planes.singular_lines.empty())
        EXPECT_EQ(is_listed, is_legal) << seed;
      else
        EXPECT_TRUE(is_legal || !is_listed) << seed;
      (is_legal ? legal : illegal)++;
    }
  }
  EXPECT_GT(legal, 300);
  EXPECT_GT(illegal, 300);
}

// A line with two planes is legal where every point of it is: 200 points between the ends say the same, and motions that different planes save at the
// two ends are legal in part.
TEST(MotionFreedom, ASingularLineIsJudgedBetweenItsEnds) {
  math::RandomStream random(61);
  int mixed_legal = 0, mixed_illegal = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Vector3d a = random.normal3(), b = random.normal3(), along = (b - a).normalized();
    const auto across = [&] { return (random.normal3().cross(along)).normalized(); };
    const Contact line = touch({a, b}, {across(), across()});
    Vector6d screw;
    screw << random.normal3(), random.normal3();
    const auto opening = [&](const Vector3d& p, std::size_t plane) {
      return line.normals_W[plane].dot(screw.tail<3>() + screw.head<3>().cross(p));
    };
    double least = 1e9;
    for (int k = 0; k <= 200; ++k) {
      const Vector3d p = a + k / 200.0 * (b - a);
      least = std::min(least, std::max(opening(p, 0), opening(p, 1)));
    }
    if (std::abs(least) < 0.05) continue;  // the best of 200 points is not the least
    const bool is_legal = motion_freedom({{line}}, {screw}).screws[0] != ScrewVerdict::illegal;
    EXPECT_EQ(is_legal, least > 0.0) << trial;
    const bool is_mixed =
        std::max(opening(a, 0), opening(a, 1)) > 0.0 && std::max(opening(b, 0), opening(b, 1)) > 0.0 &&
        std::min(opening(a, 0), opening(b, 0)) < 0.0 && std::min(opening(a, 1), opening(b, 1)) < 0.0;
    if (is_mixed) (is_legal ? mixed_legal : mixed_illegal) += 1;
  }
  EXPECT_GT(mixed_legal, 50);
  EXPECT_GT(mixed_illegal, 50);
}

// Contacts that all but hold each other: points and normals of a grid, off by 1e-9 to 1e-4. The linear program then has weights of a million; there is always an
// answer, and its counts add up.
TEST(MotionFreedom, NearlyDependentContactsHaveAnAnswer) {
  const int relations = std::getenv("PREHEND_SLOW") != nullptr ? 40000 : 3000;
  for (int trial = 0; trial < relations; ++trial) {
    math::RandomStream random(test::sweep_seed(88), static_cast<std::uint64_t>(trial));
    const auto grid = [&](int most) {
      Vector3d p;
      for (int k = 0; k < 3; ++k)
        p[k] = static_cast<int>(random.below(static_cast<std::uint32_t>(2 * most + 1))) - most;
      return p;
    };
    const auto off = [&]() -> Vector3d {
      return random.uniform() < 0.3 ? Vector3d::Zero().eval()
                                    : (std::pow(10.0, random.uniform(-9.0, -4.0)) * random.normal3()).eval();
    };
    ContactRelation relation;
    for (int i = 2 + static_cast<int>(random.below(11)); i > 0; --i) {
      Vector3d n = grid(1);
      while (n.isZero()) n = grid(1);
      relation.contacts.push_back(touch({grid(2) + off()}, {n + off()}));
    }
    MotionFreedom freedom;
    ASSERT_NO_THROW(freedom = motion_freedom(relation)) << trial;
    EXPECT_EQ(freedom.all.maintaining + freedom.all.detaching + freedom.all.constraining, 6) << trial;
    EXPECT_GE(freedom.all.detaching, 0) << trial;
  }
}

// Two planes hold a line in common, no triangle: corners of one are contacts of their own, and which two are farthest apart does not matter.
TEST(MotionFreedom, PointsOnNoLineAreContactsOfTheirOwn) {
  const std::vector<Vector3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, planes = {{0, 1, 1}, {1, 0, 1}};
  ContactRelation apart;
  for (const Vector3d& p : points) apart.contacts.push_back(touch({p}, planes));
  const MotionFreedom one = motion_freedom({{touch(points, planes)}}), three = motion_freedom(apart);
  EXPECT_EQ(one.legal.size(), three.legal.size());
  EXPECT_EQ(one.note, "");
  const MotionFreedom line = motion_freedom({{touch({{0, 0, 0}, {0, 1, 1e-9}, {0, 2, 0}}, {x, z})}});
  EXPECT_EQ(line.legal.size(), 2u);
  EXPECT_NE(line.note, "");
}

// In millimetres, two kilometres away and turned, the counts are the same.
TEST(MotionFreedom, UnitAndPlaceDoNotMatter) {
  const int relations = std::getenv("PREHEND_SLOW") != nullptr ? 10000 : 200;
  for (int seed = 0; seed < relations; ++seed) {
    math::RandomStream random(test::sweep_seed(500), static_cast<std::uint64_t>(seed));
    const ContactRelation relation = random_relation(random, true);
    const double angle = random.uniform(0.0, 3.0);
    const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, random_vector(random).normalized()));
    ContactRelation other = relation;
    for (Contact& contact : other.contacts) {
      for (Vector3d& p : contact.points_W) p = 1000.0 * (q * p + Vector3d(2000.0, -500.0, 30.0));
      for (Vector3d& n : contact.normals_W) n = 7.0 * (q * n);
    }
    const MotionFreedom a = motion_freedom(relation), b = motion_freedom(other);
    EXPECT_EQ(a.eight_numbers(), b.eight_numbers()) << seed;
    EXPECT_EQ(a.rotation.detaching_type1, b.rotation.detaching_type1) << seed;
    EXPECT_EQ(a.legal.size(), b.legal.size()) << seed;
  }
}

TEST(MotionFreedom, WhatIsNoRelationIsRefused) {
  EXPECT_THROW(motion_freedom({{touch({}, {z})}}), std::invalid_argument);
  EXPECT_THROW(motion_freedom({{touch({x}, {})}}), std::invalid_argument);
  EXPECT_THROW(motion_freedom({{touch({x}, {Vector3d::Zero()})}}), std::invalid_argument);
  EXPECT_THROW(motion_freedom({{touch({x * NAN}, {z})}}), std::invalid_argument);
  EXPECT_THROW(motion_freedom({}, {Vector6d::Zero()}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::observation
