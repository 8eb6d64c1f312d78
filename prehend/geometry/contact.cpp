#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/geometry/contact.h>
#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/contact_search/broad_phase.h>
#include <prehend/geometry/contact_search/contact_merge.h>
#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/geometry/contact_search/round_contact.h>
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/progress.h>

namespace prehend::geometry {
namespace {

void check(const ContactOptions& options) {
  const math::OptionCheck check("ContactOptions");
  const auto require = [&check](const char* name, double value, double bound, const char* unit) {
    check.above(name, value, 0.0, unit);
    check.between(name, value, 0.0, bound, unit);
  };
  require("gap_tolerance", options.gap_tolerance, 1e6, "m");
  require("angle_tolerance", options.angle_tolerance, 0.1, "rad");
  require("tilt_limit", options.tilt_limit, 0.5, "rad");
  require("normal_spread", options.normal_spread, math::kPi / 2.0, "rad");
  check.at_least("tilt_limit", options.tilt_limit, options.angle_tolerance, "rad");
  check.at_least("threads", options.threads, 0);
}

}  // namespace

const char* to_string(ContactKind kind) { return enum_text(kind); }
const char* to_string(ContactStatus status) { return enum_text(status); }

PairContacts find_pair_contacts(const Polyhedron& a, const math::Pose& X_WA, const Polyhedron& b,
                                const math::Pose& X_WB, const ContactOptions& options) {
  check(options);
  return PairSearch(a, X_WA, b, X_WB, options).run();
}

namespace {

Aabb box_of(const PosedPolyhedron& posed) {
  const Aabb box = posed.round != nullptr ? posed.round->box() : posed.shape->face_tree().box();
  return box_in_frame(box, posed.X_WS.R(), posed.X_WS.p());
}

// [m] How near this shape must come to touch.
double own_tolerance(const PosedPolyhedron& posed, const ContactOptions& options) {
  const Aabb box = posed.round != nullptr ? posed.round->box() : posed.shape->face_tree().box();
  const Eigen::Vector3d sides = box.upper - box.lower;
  if (!(sides.minCoeff() > 0.0)) return options.gap_tolerance;  // a sheet, or nothing
  return std::max(options.gap_tolerance, std::min(options.size_share * sides.norm(), 0.1 * sides.minCoeff()));
}

// Whether a shape has edges so short beside the tolerance that one may go through faces unseen. 32: with 4, two of 300 pairs of half discs of 40 to
// 300 facets, overlapping by 1.7 and 2.6 tolerances, were missed.
constexpr double kShortEdge = 32.0;
bool is_fine(const Polyhedron& shape, double tolerance) {
  return std::any_of(shape.edges().begin(), shape.edges().end(), [&](const PolyhedronEdge& edge) {
    return (shape.vertices()[edge.end] - shape.vertices()[edge.start]).squaredNorm() <
           kShortEdge * kShortEdge * tolerance * tolerance;
  });
}

// [m] Least overlap of two boxes over the axes; negative: apart.
double overlap_of(const Aabb& a, const Aabb& b) {
  return (a.upper.cwiseMin(b.upper) - a.lower.cwiseMax(b.lower)).minCoeff();
}

// Whether two shapes that no edge was seen to pierce may overlap all the same.
bool may_overlap(const PosedPolyhedron& a, const PosedPolyhedron& b, std::span<const ContactPatch> patches,
                 double tolerance) {
  const auto is_solid = [](const PosedPolyhedron& posed) {
    return posed.round != nullptr && posed.round->kind() != RoundKind::turned;
  };
  if (is_solid(a) || is_solid(b) || !(overlap_of(box_of(a), box_of(b)) > tolerance)) return false;
  const bool shares_face = std::any_of(patches.begin(), patches.end(), [](const ContactPatch& patch) {
    return patch.kind == ContactKind::face;
  });
  return !shares_face || is_fine(*a.shape, tolerance) || is_fine(*b.shape, tolerance);
}

// The same contacts seen from the other body.
PairContacts exchanged(PairContacts contacts) {
  for (ContactPatch& patch : contacts.patches) {
    patch.n_W = -patch.n_W;
    for (auto& loop : patch.loops_W) std::reverse(loop.begin(), loop.end());
  }
  return contacts;
}

PairContacts search_pair(const PosedPolyhedron& a, const PosedPolyhedron& b, const ContactOptions& options) {
  const auto is_turned = [](const PosedPolyhedron& posed) {
    return posed.round != nullptr && posed.round->kind() == RoundKind::turned;
  };
  if (is_turned(a) && b.round != nullptr)
    return find_turned_contacts(*a.round, a.X_WS, *b.round, b.X_WS, options);
  if (is_turned(b) && a.round != nullptr)
    return exchanged(find_turned_contacts(*b.round, b.X_WS, *a.round, a.X_WS, options));
  if (a.round != nullptr && b.round != nullptr)
    return find_round_contacts(*a.round, a.X_WS, *b.round, b.X_WS, options);
  if (a.round != nullptr) return find_round_contacts(*a.round, a.X_WS, *b.shape, b.X_WS, options);
  if (b.round != nullptr) return exchanged(find_round_contacts(*b.round, b.X_WS, *a.shape, a.X_WS, options));
  return PairSearch(*a.shape, a.X_WS, *b.shape, b.X_WS, options).run();
}

void check_posed(const PosedPolyhedron& posed, std::size_t i) {
  if (posed.shape != nullptr && posed.body.is_valid()) return;
  throw std::invalid_argument("find_contacts: shape " + std::to_string(i) + " has no " +
                              (posed.shape == nullptr ? "polyhedron" : "body"));
}

// Whether two shapes touch within their margins alone.
bool search_with_margins(const PosedPolyhedron& a, const PosedPolyhedron& b, ContactOptions options,
                         PairContacts& found) {
  found = search_pair(a, b, options);
  const double margin = a.margin + b.margin;
  if (!found.patches.empty() || found.penetrating || !(margin > options.gap_tolerance)) return false;
  constexpr double kReached = 1.001;  // what an engine leaves at rest is pressed a little into its margin
  options.gap_tolerance = kReached * margin;
  PairContacts apart = search_pair(a, b, options);
  if (apart.patches.empty() || apart.penetrating) return false;
  found = std::move(apart);
  return true;
}

void for_all_pairs(std::size_t count, int threads, const std::function<void(std::size_t)>& search) {
  math::Progress progress("contacts", count);
  const auto one = [&](std::size_t k) {
    math::check_interrupt();
    search(k);
    progress.advance();
  };
  if (threads == 1 || count < 2) {
    for (std::size_t k = 0; k < count; ++k) one(k);
    return;
  }
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic : threads);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, one); });
}

}  // namespace

ContactResult find_contacts(std::span<const PosedPolyhedron> shapes, const ContactOptions& options,
                            const SkipPair& skip) {
  check(options);
  std::vector<Aabb> boxes;
  std::vector<double> tolerances;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    check_posed(shapes[i], i);
    boxes.push_back(box_of(shapes[i]));
    tolerances.push_back(own_tolerance(shapes[i], options));
  }
  // Always the lower body first, whatever the order of the shapes, so that normals run from a to b.
  std::vector<std::pair<int, int>> pairs;
  double widest = 0.0;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    widest = std::max({widest, tolerances[i], 2.0 * shapes[i].facet_depth, 2.0 * shapes[i].margin});
  // The tolerance of a pair is that of the shape with the smaller one.
  const auto pair_options = [&](int i, int j) {
    ContactOptions own = options;
    own.gap_tolerance =
        std::min(tolerances[static_cast<std::size_t>(i)], tolerances[static_cast<std::size_t>(j)]);
    // A tolerance that the user gave is kept.
    if (options.size_share > 0.0)
      own.gap_tolerance = std::max(own.gap_tolerance, shapes[i].facet_depth + shapes[j].facet_depth);
    return own;
  };
  for (auto [i, j] : find_near_boxes(boxes, widest)) {
    if (shapes[i].body == shapes[j].body) continue;
    if (shapes[j].body < shapes[i].body) std::swap(i, j);
    if (skip && skip(shapes[i].body, shapes[j].body)) continue;
    pairs.emplace_back(i, j);
  }

  std::vector<PairContacts> found(pairs.size());
  std::vector<char> is_apart(pairs.size(), 0);  // within margins alone
  for_all_pairs(pairs.size(), options.threads, [&](std::size_t k) {
    const auto [i, j] = pairs[k];
    is_apart[k] = search_with_margins(shapes[i], shapes[j], pair_options(i, j), found[k]);
  });

  ContactResult result;
  result.candidate_pairs = static_cast<int>(pairs.size());
  std::map<std::pair<int, int>, std::vector<std::size_t>> by_bodies;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    by_bodies[{shapes[pairs[k].first].body.value(), shapes[pairs[k].second].body.value()}].push_back(k);
  }
  for (const auto& [bodies, members] : by_bodies) {
    const ContactBodyIndex body_a(bodies.first), body_b(bodies.second);
    std::vector<ContactPatch> patches;
    ContactOptions merging = options;
    Penetration worst{body_a, body_b, -1.0, Eigen::Vector3d::Zero(), 0.0};
    for (const std::size_t k : members) {
      const PosedPolyhedron &a = shapes[pairs[k].first], &b = shapes[pairs[k].second];
      merging.gap_tolerance =
          std::max({merging.gap_tolerance, pair_options(pairs[k].first, pairs[k].second).gap_tolerance,
                    is_apart[k] ? a.margin + b.margin : 0.0});
      std::move(found[k].patches.begin(), found[k].patches.end(), std::back_inserter(patches));
      if (found[k].penetrating && found[k].depth_m > worst.depth_m) {
        worst.depth_m = found[k].depth_m;
        worst.p_W = found[k].p_W;
      }
    }
    worst.tolerance_m = merging.gap_tolerance;
    const bool is_unsettled = std::any_of(members.begin(), members.end(), [&](std::size_t k) {
      return may_overlap(shapes[pairs[k].first], shapes[pairs[k].second], patches, merging.gap_tolerance);
    });
    if (worst.depth_m >= 0.0) {
      result.penetrations.push_back(worst);
    } else if (is_unsettled) {
      worst.depth_m = 0.0;
      result.unsettled.push_back(worst);
    }
    for (ContactInterface& interface : merge_patches(std::move(patches), merging)) {
      interface.body_a = body_a;
      interface.body_b = body_b;
      result.interfaces.push_back(std::move(interface));
    }
  }
  result.status = ContactStatus::ok;
  return result;
}

std::string ContactResult::brief_report() const {
  if (status != ContactStatus::ok) return "Contacts: not computed";
  int counts[3] = {0, 0, 0};
  double total_area = 0.0;
  for (const ContactInterface& interface : interfaces) {
    ++counts[static_cast<int>(interface.kind)];
    total_area += interface.area_m2;
  }
  std::ostringstream text;
  text << "Contacts: " << interfaces.size() << " interfaces (" << counts[2] << " face, " << counts[1]
       << " edge, " << counts[0] << " point), " << total_area << " m^2";
  for (const Penetration& p : penetrations) {
    text << "\n  bodies " << p.body_a.value() << " and " << p.body_b.value() << " interpenetrate by about "
         << p.depth_m << " m";
  }
  return text.str();
}

}  // namespace prehend::geometry
