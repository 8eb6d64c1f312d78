#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <prehend/math/progress.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/relations/placed_pair.h>
#include <prehend/observation/sequence/source_pipeline.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using SourceKind = FeatureKind;

// Vertex-face, face-vertex and edge-edge pairs closer than the threshold; all other contacts are made of these.
PrincipalContacts close_pairs(const PairFeatures& pair, const math::Pose& X, double threshold) {
  const PlacedPair placed(pair, X);
  PrincipalContacts found;
  const auto corners_on_faces = [&](const PlacedSide& side, bool is_moving) {
    for (int c = 0; c < static_cast<int>(side.corners.size()); ++c)
      for (int f = 0; f < static_cast<int>(side.on.faces.size()); ++f) {
        if (!side.of.is_pointed[at(c)]) continue;
        const double depth = side.on.faces[at(f)].depth_of(side.corners[at(c)]);
        if (std::hypot(side.heights(c, f), std::min(0.0, depth)) > threshold) continue;
        const FeatureRef of{SourceKind::vertex, c}, on{SourceKind::face, f};
        found.push_back(is_moving ? PrincipalContact{of, on, false} : PrincipalContact{on, of, false});
      }
  };
  corners_on_faces(placed.moving, true);
  corners_on_faces(placed.fixed, false);
  const PlacedSide& side = placed.moving;
  for (int a = 0; a < static_cast<int>(side.of.edges.size()); ++a)
    for (int b = 0; b < static_cast<int>(side.on.edges.size()); ++b) {
      const EdgeFeature &edge = side.of.edges[at(a)], &other = side.on.edges[at(b)];
      if (!edge.is_convex || !other.is_convex) continue;
      const LineMeeting meeting =
          meeting_of(side.corners[at(edge.start)], side.corners[at(edge.end)],
                     side.on.corners[at(other.start)], side.on.corners[at(other.end)]);
      const bool crosses =
          !meeting.is_parallel && meeting.s > 0.0 && meeting.s < 1.0 && meeting.t > 0.0 && meeting.t < 1.0;
      if (crosses && meeting.distance <= threshold)
        found.push_back({{SourceKind::edge, a}, {SourceKind::edge, b}, false});
    }
  std::sort(found.begin(), found.end());
  return found;
}

MotionFreedom freedom_at(const BodyPair& pair, const PrincipalContacts& contacts, const math::Pose& X) {
  if (contacts.empty()) return motion_freedom({});
  try {
    return motion_freedom(find_contacts(pair.moving(), X, pair.fixed(), math::Pose()).relation);
  } catch (const std::runtime_error&) {
    return motion_freedom({});
  }
}

// Maintaining, detaching, constraining; then the singular three.
std::array<int, 6> six_counts(const Freedoms& count, bool singular) {
  std::array<int, 6> all{};
  const std::size_t first = singular ? 3 : 0;
  all[first] = count.maintaining;
  all[first + 1] = count.detaching;
  all[first + 2] = count.constraining;
  return all;
}

bool is_practical_pair(std::size_t lost, std::size_t gained) {
  const bool both_singular = lost >= 3 && gained >= 3;
  const auto joins = [&](std::size_t a, std::size_t b) {
    return (lost == a && gained == b) || (lost == b && gained == a);
  };
  return !both_singular && !joins(0, 2) && !joins(0, 5);
}

bool is_practical_change(const std::array<int, 6>& a, const std::array<int, 6>& b) {
  for (std::size_t lost = 0; lost < 6; ++lost) {
    if (b[lost] >= a[lost]) continue;
    bool has_partner = false;
    for (std::size_t gained = 0; gained < 6; ++gained)
      has_partner = has_partner || (b[gained] > a[gained] && is_practical_pair(lost, gained));
    if (!has_partner) return false;
  }
  return true;
}

SourceFrame frame_of(const BodyPair& pair, const math::Pose& seen, double threshold,
                     CorrectionOptions options) {
  SourceFrame frame;
  frame.X_FM = seen;
  const PrincipalContacts wanted = close_pairs(pair.features(), seen, threshold);
  if (wanted.empty()) {
    frame.status = CorrectionStatus::ok;
    return frame;
  }
  options.method = CorrectionMethod::newton;
  const Correction corrected = correct_pose(pair, wanted, seen, options);
  frame.status = corrected.status;
  if (corrected.status != CorrectionStatus::ok) return frame;
  frame.X_FM = corrected.X_FM;
  frame.contacts = pair.contacts_at(corrected.X_FM, pair.touch_tolerance());
  return frame;
}

std::vector<SourceRun> runs_of(const std::vector<SourceFrame>& frames, const std::vector<char>& is_dropped) {
  std::vector<SourceRun> runs;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (is_dropped[i]) continue;
    if (runs.empty() || runs.back().contacts != frames[i].contacts)
      runs.push_back({i, i, frames[i].contacts, frames[i].X_FM});
    runs.back().last = i;
  }
  return runs;
}

}  // namespace

bool is_practical(const MotionFreedom& before, const MotionFreedom& after) {
  return is_practical_change(six_counts(before.translation, before.singular),
                             six_counts(after.translation, after.singular)) &&
         is_practical_change(six_counts(before.rotation, before.singular),
                             six_counts(after.rotation, after.singular));
}

SourceResult source_pipeline(const BodyPair& pair, const std::vector<math::Pose>& seen, double threshold,
                             const CorrectionOptions& options) {
  SourceResult result;
  std::vector<char> is_dropped;
  math::Progress progress("contacts of the frames", seen.size());
  for (const math::Pose& X : seen) {
    progress.advance();
    result.frames.push_back(frame_of(pair, X, threshold, options));
    is_dropped.push_back(result.frames.back().status != CorrectionStatus::ok);
    result.lost += is_dropped.back();
  }
  // Of two runs that no practical transition joins the shorter one goes.
  for (bool changed = true; changed;) {
    changed = false;
    result.runs = runs_of(result.frames, is_dropped);
    for (std::size_t i = 0; i + 1 < result.runs.size() && !changed; ++i) {
      const SourceRun &a = result.runs[i], &b = result.runs[i + 1];
      if (is_practical(freedom_at(pair, a.contacts, a.X_FM), freedom_at(pair, b.contacts, b.X_FM))) continue;
      const SourceRun& shorter = a.last - a.first < b.last - b.first ? a : b;
      for (std::size_t k = shorter.first; k <= shorter.last; ++k) {
        if (is_dropped[k]) continue;
        is_dropped[k] = 1;
        ++result.dropped;
      }
      changed = true;
    }
  }
  for (std::size_t r = 0; r < result.runs.size(); ++r)
    for (std::size_t k = result.runs[r].first; k <= result.runs[r].last; ++k)
      if (!is_dropped[k]) result.frames[k].run = static_cast<int>(r);
  return result;
}

}  // namespace prehend::observation
