#include "generated_tools.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::generated {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::kPi;
using math::RandomStream;

Matrix3d turned_to(const Vector3d& z) {
  Matrix3d R;
  R.col(2) = z.normalized();
  R.col(0) = R.col(2).unitOrthogonal();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

// A box about the origin of its frame, or a round bar along z that narrows evenly from r0 to r1.
struct Primitive {
  bool is_box{true};
  Vector3d place{Vector3d::Zero()};
  Matrix3d R{Matrix3d::Identity()};
  Vector3d half{Vector3d::Zero()};
  double length{0.0}, r0{0.0}, r1{0.0};
  int colour{-1};  // of its own; -1: the part's

  std::array<double, 3> areas() const {
    if (is_box) return {8 * half.y() * half.z(), 8 * half.x() * half.z(), 8 * half.x() * half.y()};
    return {kPi * (r0 + r1) * std::hypot(length, r0 - r1), kPi * r0 * r0, kPi * r1 * r1};
  }
  double area() const {
    const auto a = areas();
    return a[0] + a[1] + a[2];
  }
  Vector3d sample(RandomStream& random) const {
    const auto a = areas();
    double pick = random.uniform() * area();
    int face = 0;
    while (face < 2 && pick > a[face]) pick -= a[face++];
    const double u = random.uniform(), v = random.uniform(), w = random.uniform();
    if (is_box) {
      Vector3d p = half.cwiseProduct(Vector3d(2 * u - 1, 2 * v - 1, 2 * w - 1));
      p[face] = p[face] < 0.0 ? -half[face] : half[face];
      return place + R * p;
    }
    const double angle = 2 * kPi * u;
    double z = v, radius = 0.0;
    if (face == 0) {
      if (std::abs(r0 - r1) > 1e-12) z = (std::sqrt(r0 * r0 + v * (r1 * r1 - r0 * r0)) - r0) / (r1 - r0);
      radius = r0 + z * (r1 - r0);
    } else {
      z = face - 1.0;
      radius = (face == 1 ? r0 : r1) * std::sqrt(w);
    }
    return place + R * Vector3d(radius * std::cos(angle), radius * std::sin(angle), z * length);
  }
  bool contains(const Vector3d& p) const {
    const Vector3d q = R.transpose() * (p - place);
    if (is_box) return (q.cwiseAbs().array() < half.array() - 1e-9).all();
    const double z = q.z() / length;
    return z > 1e-9 && z < 1 - 1e-9 && std::hypot(q.x(), q.y()) < r0 + z * (r1 - r0) - 1e-9;
  }
};

Primitive box(const Vector3d& centre, const Vector3d& size) {
  Primitive p;
  p.place = centre;
  p.half = 0.5 * size;
  return p;
}

Primitive bar(const Vector3d& a, const Vector3d& b, double r0, double r1 = -1.0) {
  Primitive p;
  p.is_box = false;
  p.place = a;
  p.R = turned_to(b - a);
  p.length = (b - a).norm();
  p.r0 = r0;
  p.r1 = r1 < 0.0 ? r0 : r1;
  return p;
}

using Part = std::vector<Primitive>;

Part bent(const std::vector<Vector3d>& corners, double radius) {
  Part part;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i)
    part.push_back(
        bar(corners[i], corners[i + 1] + 0.5 * radius * (corners[i + 1] - corners[i]).normalized(), radius));
  return part;
}

struct Plan {
  std::string name;
  std::vector<Part> parts;
  std::vector<int> colours;  // per part; empty: by chance
};

double between(RandomStream& random, double low, double high) { return random.uniform(low, high); }

Plan long_tool(int kind, RandomStream& r) {
  const auto u = [&r](double a, double b) { return between(r, a, b); };
  Plan plan;
  if (kind == 0) {
    const double rh = u(.008, .018), L = u(.07, .12), rs = u(.002, .005), ls = u(.06, .18),
                 narrow = u(.6, 1.1);
    plan = {"screwdriver",
            {{bar({0, 0, 0}, {0, 0, L}, rh, rh * narrow)}, {bar({0, 0, L - .005}, {0, 0, L + ls}, rs)}},
            {}};
    if (u(0, 1) < .5) plan.parts[1].push_back(box({0, 0, L + ls + .004}, {rs * 3, rs * .7, .01}));
    if (u(0, 1) < .4) plan.parts.push_back({bar({0, 0, -.012}, {0, 0, 0}, rh * .9)});
  } else if (kind == 1) {
    const double L = u(.2, .32), rh = u(.009, .016), w = u(.08, .13), hr = u(.01, .018);
    plan = {"hammer",
            {{bar({0, 0, 0}, {0, 0, L}, rh * .8, rh)},
             {box({0, 0, L}, {w * .4, hr * 1.8, hr * 2}), bar({w * .2 - .002, 0, L}, {w * .55, 0, L}, hr)}},
            {}};
    if (u(0, 1) < .7)
      plan.parts[1].push_back(bar({-w * .2 + .002, 0, L}, {-w * .55, 0, L - .01}, hr * .8, hr * .25));
    const double grip = u(.35, .5);
    if (u(0, 1) < .6) plan.parts.push_back({bar({0, 0, 0}, {0, 0, L * grip}, rh * 1.25)});
  } else if (kind == 2) {
    const double ra = u(.002, .006), L = u(.06, .15), foot = u(.2, .5);
    plan = {"key", {bent({{0, 0, 0}, {0, 0, L}, {L * foot, 0, L}}, ra)}, {}};
  } else if (kind == 3) {
    const double L = u(.15, .32), w = u(.02, .035), t = u(.0008, .0015);
    plan = {"ruler", {{box({0, 0, 0}, {L, w, t})}}, {}};
  } else if (kind == 4) {
    const double L = u(.15, .3), rh = u(.008, .014), rm = u(.02, .035);
    plan = {"mallet", {{bar({0, 0, 0}, {0, 0, L}, rh)}, {bar({-.05, 0, L}, {.05, 0, L}, rm)}}, {}};
  } else {
    plan.name = "socket";
    const int count = 3 + static_cast<int>(r.below(3));
    double z = 0.0;
    for (int i = 0; i < count; ++i) {
      const double l = i == 1 ? u(.08, .15) : u(.01, .06);
      plan.parts.push_back({bar({0, 0, z - .001}, {0, 0, z + l}, u(.004, .014))});
      z += l;
      plan.colours.push_back(static_cast<int>(r.below(3)));
    }
    if (u(0, 1) < .4) std::iota(plan.colours.begin(), plan.colours.end(), 0);
  }
  return plan;
}

Plan pliers(RandomStream& r) {
  const auto u = [&r](double a, double b) { return between(r, a, b); };
  const double a = u(.05, .11), b = u(.03, .06), g = u(.018, .03), ra = u(.005, .008), w = u(.012, .02);
  const bool is_painted = u(0, 1) < .6;
  Plan plan{"pliers", {}, {}};
  for (const double s : {1.0, -1.0}) {
    Part arm = bent(
        {{s * .002, 0, b}, {s * .004, s * .003, 0}, {-s * g * .8, s * .003, -.025}, {-s * g, s * .003, -a}},
        ra);
    if (is_painted) arm[2].colour = 6;
    plan.parts.push_back(std::move(arm));
  }
  plan.parts.push_back({bar({0, -w * .5, 0}, {0, w * .5, 0}, ra * .9)});
  plan.colours = u(0, 1) < .7 ? std::vector{0, 0, 1} : std::vector{0, 1, 2};
  return plan;
}

Plan wide_tool(int kind, RandomStream& r) {
  const auto u = [&r](double a, double b) { return between(r, a, b); };
  Plan plan;
  if (kind == 0) {
    const double L = u(.12, .2), w = u(.02, .03), t = u(.006, .01);
    plan = {"wrench",
            {{box({0, 0, 0}, {L, w * .8, t}), box({L / 2, w * .25, 0}, {w * 1.5, w * 1.6, t * 1.4})},
             {box({L / 2 + w * .2, -w * .95, 0}, {w * 1.2, w * .8, t * 1.3})},
             {bar({L / 2 - w * .9, -w * .42, 0}, {L / 2 - w * .2, -w * .42, 0}, t * .9)}},
            {}};
    plan.colours = u(0, 1) < .5 ? std::vector{0, 0, 0} : std::vector{0, 1, 2};
  } else if (kind == 1) {
    const double h = u(.08, .14), w = u(.05, .09), t = u(.012, .02), low = -h / 2 - u(.03, .06),
                 high = h * u(-.1, .2);
    plan = {"clamp",
            {{box({0, 0, 0}, {t, t, h}), box({w / 2, 0, h / 2}, {w + t, t, t}),
              box({w / 2, 0, -h / 2}, {w + t, t, t})},
             {bar({w, 0, low}, {w, 0, high}, t * .3)},
             {bar({w, 0, high - .002}, {w, 0, high + t * .5}, t * .7)}},
            {}};
    if (u(0, 1) < .7)
      plan.parts.push_back({bar({w - t * 2, 0, low + .004}, {w + t * 2, 0, low + .004}, t * .15)});
  } else if (kind == 2) {
    const double L = u(.18, .26), t = u(.003, .005), w = u(.014, .018), x = -L * .15;
    plan = {"caliper",
            {{box({0, 0, 0}, {L, w, t}), box({-L / 2 + .008, -.02, 0}, {.016, .05, t})},
             {box({x, 0, 0}, {.06, w * 1.7, t * 3}), box({x - .022, -.025, 0}, {.015, .045, t})},
             {box({x, .003, t * 2}, {.045, w, t * 1.5})},
             {bar({x + .012, -.004, t * 2}, {x + .012, -.004, t * 3.4}, .003)},
             {bar({x - .012, -.004, t * 2}, {x - .012, -.004, t * 3.4}, .003)}},
            {}};
    plan.colours = u(0, 1) < .5 ? std::vector{0, 0, 1, 2, 2} : std::vector{0, 1, 2, 3, 4};
  } else if (kind == 3) {
    const double L = u(.2, .3), h = u(.06, .09);
    plan = {"saw",
            {{box({0, 0, h}, {L, .012, .008}), box({L / 2, 0, h / 2}, {.012, .012, h})},
             {box({0, 0, 0}, {L, .0012, .012})},
             {box({-L / 2 - .01, 0, h * .45}, {.03, .025, h * 1.2})}},
            {}};
  } else if (kind == 4) {
    const double h = u(.05, .08), x = h * u(0, .4);
    plan = {"vise",
            {{box({0, 0, 0}, {h * 2, h, h * .3}), box({-h * .8, 0, h * .5}, {h * .3, h, h * .8})},
             {box({x, 0, h * .5}, {h * .3, h * .9, h * .75})},
             {bar({0, 0, h * .45}, {h * 2, 0, h * .45}, h * .09)},
             {bar({h * 1.9, 0, 0}, {h * 1.9, 0, h * .9}, h * .05)},
             {box({-h * .62, 0, h * .6}, {h * .08, h * .9, h * .4})}},
            {}};
    plan.colours = u(0, 1) < .5 ? std::vector{0, 0, 1, 1, 2} : std::vector{0, 1, 2, 3, 4};
  } else {
    plan.name = "anything";
    const int count = 2 + static_cast<int>(r.below(5));
    Vector3d c = Vector3d::Zero();
    for (int i = 0; i < count; ++i) {
      const Vector3d d = r.unit_vector();
      const double l = u(.03, .1), s = u(.006, .02), e = u(.006, .02), along = u(.5, 1.0);
      Primitive p = bar(c, c + l * d, s, e);
      if (u(0, 1) < .5) {
        p = box(c + 0.5 * l * d, {1.5 * s, 1.5 * e, l});
        p.R = turned_to(d);
      }
      plan.parts.push_back({p});
      plan.colours.push_back(static_cast<int>(r.below(static_cast<std::uint32_t>(count))));
      c += along * l * d;
    }
  }
  return plan;
}

// Tools with slits of 0.3 to 1 spacing of the points, s [m].
Plan slit_tool(int kind, RandomStream& r, double s) {
  const auto u = [&r](double a, double b) { return between(r, a, b); };
  const auto gap = [&] { return u(.3, 1.0) * s; };
  Plan plan;
  if (kind == 0) {
    const double w = u(.03, .06), h = u(.04, .08);
    const int leaves = 2 + static_cast<int>(r.below(3));
    plan = {"fork", {{}, {bar({w / 2, 0, -.03}, {w / 2, 0, -.1}, u(.008, .013))}}, {0, 1}};
    double x = 0.0;
    for (int i = 0; i < leaves; ++i) {
      const double t = u(.012, .025);
      plan.parts[0].push_back(box({x + t / 2, 0, h / 2}, {t, w, h}));
      x += t + gap();
    }
    plan.parts[0].push_back(box({x / 2, 0, -.016}, {x, w, .034}));
  } else if (kind == 1) {
    const double h = u(.05, .08), t = h * u(.25, .4), floor = gap(), x = -h * .8 + h * .15 + gap() + t / 2;
    plan = {"closed vise",
            {{box({0, 0, 0}, {h * 2, h, h * .3}), box({-h * .8, 0, h * .5}, {h * .3, h, h * .8})},
             {box({x, 0, h * .15 + floor + h * .35}, {t, h * .9, h * .7})},
             {bar({-h * .8, 0, h * .5}, {h * 1.6, 0, h * .5}, h * .09)}},
            {0, 1, 2}};
  } else if (kind == 2) {
    const double L = u(.04, .07), w = u(.012, .02), t = u(.012, .02), g = gap(), ra = u(.005, .008);
    plan = {"closed pliers", {}, {0, u(0, 1) < .5 ? 0 : 1, 2}};
    for (const double side : {1.0, -1.0})
      plan.parts.push_back({box({side * (g + t) / 2, 0, L / 2}, {t, w, L}),
                            bar({side * t * .6, 0, 0}, {side * .025, 0, -.09}, ra)});
    plan.parts.push_back({bar({0, -w * .6, 0}, {0, w * .6, 0}, t * .7)});
  } else if (kind == 3) {
    const double L = u(.1, .16), w = u(.014, .022), t = u(.4, 1.0) * s, inner = u(.008, .014), g = gap();
    const double wide = inner + 2 * g + 2 * t;
    plan = {"channel",
            {{box({0, 0, -w / 2 - t / 2}, {L, wide, t})},
             {box({L * u(.3, .5), 0, g / 2}, {L * u(.6, .9), inner, w - g})},
             {bar({0, -wide * .6, 0}, {0, wide * .6, 0}, .004)}},
            {0, 1, 2}};
    for (const double side : {1.0, -1.0})
      plan.parts[0].push_back(box({0, side * (wide - t) / 2, 0}, {L, t, w + t}));
  } else {
    const double L = u(.05, .09), inner = u(.014, .022), t = u(.006, .012), g = gap(),
                 far = inner / 2 + g + t / 2;
    const double wide = inner + 2 * g + 2 * t;
    plan = {
        "sleeve",
        {{}, {box({L * .4, 0, 0}, {L * 2, inner, inner})}, {bar({0, 0, 0}, {0, 0, wide * .8}, inner * .25)}},
        {0, 1, 2}};
    for (const double side : {1.0, -1.0}) {
      plan.parts[0].push_back(box({0, side * far, 0}, {L, t, wide}));
      plan.parts[0].push_back(box({0, 0, side * far}, {L, wide, t}));
    }
  }
  return plan;
}

// As far apart as the sixth neighbour of `points` points spread evenly over the plan's parts.
double spacing_of(const Plan& plan, int points) {
  double area = 0.0;
  for (const Part& part : plan.parts)
    for (const Primitive& p : part) area += p.area();
  return std::sqrt(6.0 * area / (kPi * points));
}

Plan plan_of(int kind, RandomStream& random, int points) {
  if (kind >= kToolKinds) {
    RandomStream first = random;  // the same dimensions again, once the spacing is known
    return slit_tool(kind - kToolKinds, random,
                     spacing_of(slit_tool(kind - kToolKinds, first, .004), points));
  }
  if (kind < 6) return long_tool(kind, random);
  return kind == 6 ? pliers(random) : wide_tool(kind - 7, random);
}

constexpr unsigned char kPalette[][3] = {{229, 229, 229}, {75, 75, 75},    {192, 192, 192}, {2, 61, 210},
                                         {165, 158, 150}, {198, 193, 188}, {165, 132, 0},   {0, 192, 192},
                                         {202, 209, 238}, {200, 30, 30},   {30, 140, 40},   {64, 64, 64},
                                         {255, 200, 20}};

double volume_of(const std::vector<Primitive>& primitives, const std::vector<Vector3d>& points) {
  Vector3d low = points[0], high = low;
  for (const Vector3d& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  constexpr double kG = 1.2207440846057595;
  constexpr int kTries = 100000;
  int inside = 0;
  for (int k = 0; k < kTries; ++k) {
    Eigen::Array3d u = 0.5 + k * Eigen::Array3d(1 / kG, 1 / (kG * kG), 1 / (kG * kG * kG));
    const Vector3d p = low + ((u - u.floor()) * (high - low).array()).matrix();
    inside +=
        std::any_of(primitives.begin(), primitives.end(), [&](const Primitive& q) { return q.contains(p); });
  }
  return (high - low).prod() * inside / kTries;
}

}  // namespace

GeneratedTool generated_tool(int kind, std::uint64_t seed, int points, bool keeps_hidden) {
  RandomStream random(seed, static_cast<std::uint64_t>(kind));
  Plan plan = plan_of(kind, random, points);
  const int count = static_cast<int>(plan.parts.size());
  if (plan.colours.empty()) {
    plan.colours.resize(count);
    std::iota(plan.colours.begin(), plan.colours.end(), 0);
    if (random.uniform() < .25) std::fill(plan.colours.begin(), plan.colours.end(), 0);
  }
  std::array<int, std::size(kPalette)> palette;
  std::iota(palette.begin(), palette.end(), 0);
  for (std::size_t i = palette.size() - 1; i > 0; --i)
    std::swap(palette[i], palette[random.below(static_cast<std::uint32_t>(i + 1))]);
  std::vector<Primitive> primitives;
  std::vector<int> part_of;
  std::vector<double> areas;
  double area = 0.0;
  for (int i = 0; i < count; ++i)
    for (const Primitive& p : plan.parts[i]) {
      primitives.push_back(p);
      part_of.push_back(i);
      areas.push_back(area += p.area());
    }
  GeneratedTool tool;
  tool.name = plan.name;
  tool.parts = count;
  while (std::ssize(tool.points) < points) {
    const double pick = random.uniform() * area;
    const std::size_t k = std::lower_bound(areas.begin(), areas.end(), pick) - areas.begin();
    const Vector3d p = primitives[k].sample(random);
    bool is_hidden = false;
    for (std::size_t m = 0; m < primitives.size(); ++m)
      is_hidden = is_hidden || (m != k && primitives[m].contains(p));
    if (is_hidden && !keeps_hidden) continue;
    const int colour = primitives[k].colour >= 0 ? primitives[k].colour : plan.colours[part_of[k]];
    const unsigned char* rgb = kPalette[palette[colour % palette.size()]];
    tool.points.push_back(p);
    tool.labels.push_back(part_of[k]);
    tool.colours.push_back(Vector3d(rgb[0], rgb[1], rgb[2]) / 255.0);
  }
  tool.volume = volume_of(primitives, tool.points);
  const Eigen::Quaterniond turn = random.rotation();
  for (Vector3d& p : tool.points) p = turn * p;
  return tool;
}

}  // namespace prehend::generated
