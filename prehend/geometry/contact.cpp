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
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/option_check.h>
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

ContactResult find_contacts(std::span<const PosedPolyhedron> shapes, const ContactOptions& options,
                            const SkipPair& skip) {
  check(options);
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].shape == nullptr || !shapes[i].body.is_valid()) {
      throw std::invalid_argument("find_contacts: shape " + std::to_string(i) + " has no " +
                                  (shapes[i].shape == nullptr ? "polyhedron" : "body"));
    }
    boxes.push_back(box_in_frame(shapes[i].shape->face_tree().box(), shapes[i].X_WS.R(), shapes[i].X_WS.p()));
  }
  // Always the lower body first, whatever the order of the shapes, so that normals run from a to b.
  std::vector<std::pair<int, int>> pairs;
  for (auto [i, j] : find_near_boxes(boxes, options.gap_tolerance)) {
    if (shapes[i].body == shapes[j].body) continue;
    if (shapes[j].body < shapes[i].body) std::swap(i, j);
    if (skip && skip(shapes[i].body, shapes[j].body)) continue;
    pairs.emplace_back(i, j);
  }

  std::vector<PairContacts> found(pairs.size());
  math::Progress progress("contacts", pairs.size());
  const auto search = [&](std::size_t k) {
    math::check_interrupt();
    const PosedPolyhedron &a = shapes[pairs[k].first], &b = shapes[pairs[k].second];
    found[k] = PairSearch(*a.shape, a.X_WS, *b.shape, b.X_WS, options).run();
    progress.advance();
  };
  if (options.threads == 1 || pairs.size() < 2) {
    for (std::size_t k = 0; k < pairs.size(); ++k) search(k);
  } else {
    tbb::task_arena arena(options.threads == 0 ? tbb::task_arena::automatic : options.threads);
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, pairs.size(), search); });
  }

  ContactResult result;
  result.candidate_pairs = static_cast<int>(pairs.size());
  std::map<std::pair<int, int>, std::vector<std::size_t>> by_bodies;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    by_bodies[{shapes[pairs[k].first].body.value(), shapes[pairs[k].second].body.value()}].push_back(k);
  }
  for (const auto& [bodies, members] : by_bodies) {
    const ContactBodyIndex body_a(bodies.first), body_b(bodies.second);
    std::vector<ContactPatch> patches;
    Penetration worst{body_a, body_b, -1.0, Eigen::Vector3d::Zero()};
    for (const std::size_t k : members) {
      std::move(found[k].patches.begin(), found[k].patches.end(), std::back_inserter(patches));
      if (found[k].penetrating && found[k].depth_m > worst.depth_m) {
        worst.depth_m = found[k].depth_m;
        worst.p_W = found[k].p_W;
      }
    }
    if (worst.depth_m >= 0.0) result.penetrations.push_back(worst);
    for (ContactInterface& interface : merge_patches(std::move(patches), options)) {
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
