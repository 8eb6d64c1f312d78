// Parts seen without orientation, added to what the others are (discovery.h).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <prehend/articulation/part_tracks.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/tree/discovered_joint.h>
#include <prehend/articulation/tree/point_parts.h>
#include <prehend/articulation/tree/tree_noise.h>

namespace prehend::articulation {
namespace {

using model::JointType;

// What is known of parts with orientation, on the clock and with the part numbers of the whole log.
void spread_over_log(Discovery& found, const model::PoseLog& log, const PartTracks& tracks,
                     const std::vector<int>& oriented, double time_tolerance) {
  // Frames of these parts among all frames.
  std::vector<std::size_t> frame;
  for (const double t : found.times)
    frame.push_back(static_cast<std::size_t>(
        std::upper_bound(tracks.times.begin(), tracks.times.end(), t + time_tolerance) -
        tracks.times.begin() - 1));
  const auto spread = [&]<class T>(std::vector<std::optional<T>>& values) {
    std::vector<std::optional<T>> all(tracks.times.size());
    for (std::size_t i = 0; i < values.size(); ++i) all[frame[i]] = values[i];
    values = std::move(all);
  };
  for (DiscoveredJoint& joint : found.joints) spread(joint.states);
  for (PartTrack& track : found.tracks.parts) spread(track.X_WP);
  std::vector<math::Pose> X_RP(log.parts.size());
  for (std::size_t k = 0; k < oriented.size(); ++k) X_RP[oriented[k]] = found.X_RP[k];
  found.X_RP = std::move(X_RP);
  for (RigidGroup& group : found.groups)
    for (int& part : group.parts) part = oriented[part];
  found.parts = log.parts;
}

// The one part with orientation, or without any the world, alone.
Discovery single_part(const model::PoseLog& log, const PartTracks& tracks, const std::vector<int>& oriented) {
  Discovery found;
  found.parts = log.parts;
  PartTrack track;
  if (oriented.empty()) {
    track.name = "world";
    while (log.find_part(track.name)) track.name += "_frame";
    track.X_WP.assign(tracks.times.size(), math::Pose());
    track.seen = static_cast<int>(tracks.times.size());
    found.parts.push_back(track.name);
  } else {
    track = tracks.parts[oriented.front()];
  }
  const int part = oriented.empty() ? static_cast<int>(log.parts.size()) : oriented.front();
  found.groups.push_back({{part}, {math::Pose()}});
  found.X_RP.resize(found.parts.size());
  found.tracks.parts.push_back(std::move(track));
  return found;
}

Observations points_in(const PartTrack& fixed, const PartTrack& point, const std::vector<double>& times) {
  Observations seen;
  seen.fixed = fixed.name;
  seen.moving = point.name;
  seen.has_orientation = false;
  seen.something_moves = fixed.moves || point.moves;
  seen.times = times;
  for (std::size_t t = 0; t < times.size(); ++t)
    if (fixed.X_WP[t] && point.X_WP[t])
      seen.poses.push_back(
          {static_cast<int>(t), math::Pose::translation(fixed.X_WP[t]->inverse() * point.X_WP[t]->p())});
  return seen;
}

// Mean of the point in the moving frame of a group, and what it scatters about that, per axis.
struct Place {
  Eigen::Vector3d mean{Eigen::Vector3d::Zero()};
  double rms{std::numeric_limits<double>::infinity()};
};
Place place_in(const PartTrack& group, const PartTrack& point) {
  std::vector<Eigen::Vector3d> p;
  for (std::size_t t = 0; t < point.X_WP.size(); ++t)
    if (group.X_WP[t] && point.X_WP[t]) p.push_back(group.X_WP[t]->inverse() * point.X_WP[t]->p());
  Place place;
  if (p.size() < 10) return place;
  for (const Eigen::Vector3d& x : p) place.mean += x / static_cast<double>(p.size());
  double squared = 0;
  for (const Eigen::Vector3d& x : p) squared += (x - place.mean).squaredNorm();
  place.rms = std::sqrt(squared / (3.0 * static_cast<double>(p.size())));
  return place;
}

SelectionOptions point_options(const DiscoveryOptions& options) {
  SelectionOptions result;
  result.criterion = options.criterion;
  const auto known = joint_types(false);
  for (const JointType type : options.types)
    if (std::find(known.begin(), known.end(), type) != known.end()) result.types.push_back(type);
  if (!result.types.empty()) {
    result.types.push_back(JointType::rigid);
    result.types.push_back(JointType::free);
    std::sort(result.types.begin(), result.types.end());
    result.types.erase(std::unique(result.types.begin(), result.types.end()), result.types.end());
  }
  return result;
}

class PointParts {
 public:
  PointParts(Discovery& found, const PartTracks& tracks, const DiscoveryOptions& options)
      : found_(found), tracks_(tracks), options_(point_options(options)), first_(found.groups.size()) {}

  void add(int part) {
    const PartTrack& point = tracks_.parts[part];
    // Moved by a point that was placed before?
    for (std::size_t g = first_; g < found_.groups.size(); ++g) {
      const Place place = place_in(found_.tracks.parts[g], point);
      const double lever = 1 + place.mean.norm() / std::max(radius_[g - first_], 1e-12);
      if (place.rms > 1.5 * noise_[g - first_] * std::hypot(1.0, lever)) continue;
      found_.groups[g].parts.push_back(part);
      found_.groups[g].X_GP.emplace_back();
      found_.X_RP[part] = math::Pose::translation(place.mean);
      return;
    }
    std::optional<Selection> best;
    int parent = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t g = 0; g < first_; ++g) {
      const Observations seen = points_in(found_.tracks.parts[g], point, tracks_.times);
      Selection selection = select_joint(seen, options_);
      if (selection.best().fit.status == FitStatus::failed) continue;
      const bool is_free = selection.best().type == JointType::free;
      const double score =
          selection.best().score / static_cast<double>(seen.poses.size()) - (is_free ? 1e6 : 0.0);
      if (best && score <= most) continue;
      most = score;
      best = std::move(selection);
      parent = static_cast<int>(g);
    }
    if (!best) {
      found_.reasons.push_back("'" + point.name +
                               "' is seen too rarely together with a part of known orientation");
      return;
    }
    place(part, parent, *best);
  }

  double noise() const {  // [m] median over the points
    if (noise_.empty()) return 0.0;
    std::vector<double> sorted = noise_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

 private:
  void place(int part, int parent, const Selection& selection) {
    const JointFit& fit = selection.best().fit;
    if (fit.joint.type == JointType::rigid) {
      found_.groups[parent].parts.push_back(part);
      found_.groups[parent].X_GP.emplace_back();
      found_.X_RP[part] = math::Pose::translation((fit.joint.X_FJ * fit.joint.X_MJ.inverse()).p());
      return;
    }
    const int child = static_cast<int>(found_.groups.size());
    DiscoveredJoint joint = joint_of(selection, parent, child, tracks_.times.size());
    if (fit.joint.type == JointType::free) follow(joint, part);
    const std::string name = "'" + tracks_.parts[part].name + "'";
    if (fit.joint.type == JointType::free)
      found_.reasons.push_back(name +
                               " moves on neither line nor circle about any part whose orientation is known; "
                               "what it hangs on is not determined by positions alone");
    else if (!joint.reason.empty())
      found_.reasons.push_back(name + " in '" + found_.name(parent) + "': " + joint.reason);
    PartTrack track = tracks_.parts[part];
    for (std::size_t t = 0; t < track.X_WP.size(); ++t) {
      const auto& X_WF = found_.tracks.parts[parent].X_WP[t];
      track.X_WP[t].reset();
      if (X_WF && joint.states[t]) track.X_WP[t] = *X_WF * joint.joint.forward(*joint.states[t]);
    }
    found_.degrees_of_freedom += freedoms(joint.joint.type, false);
    found_.groups.push_back({{part}, {math::Pose()}});
    found_.tracks.parts.push_back(std::move(track));
    found_.joints.push_back(std::move(joint));
    noise_.push_back(std::max(fit.rms_position, least_noise(tracks_).position));
    radius_.push_back(fit.joint.type == JointType::revolute ? fit.joint.X_MJ.p().norm()
                                                            : std::numeric_limits<double>::infinity());
  }

  // Without any joint the point is where it was seen, its orientation that of the parent.
  void follow(DiscoveredJoint& joint, int part) const {
    joint.joint = Joint{};
    joint.lower = State::Constant(6, std::numeric_limits<double>::infinity());
    joint.upper = -joint.lower;
    for (const Observation& o :
         points_in(found_.tracks.parts[joint.parent], tracks_.parts[part], tracks_.times).poses) {
      State q = State::Zero(6);
      q.tail<3>() = o.X_FM.p();
      joint.states[o.time] = q;
      joint.lower = joint.lower.cwiseMin(q);
      joint.upper = joint.upper.cwiseMax(q);
    }
  }

  Discovery& found_;
  const PartTracks& tracks_;
  SelectionOptions options_;
  std::size_t first_;  // groups from here on are points
  std::vector<double> noise_, radius_;
};

}  // namespace

OrientedParts oriented_parts(const model::PoseLog& log) {
  std::vector<bool> is_point(log.parts.size(), false);
  for (const model::PoseRow& row : log.rows)
    if (!row.q_WP) is_point[row.part] = true;
  OrientedParts result;
  std::vector<int> number(log.parts.size(), -1);
  for (std::size_t k = 0; k < is_point.size(); ++k) {
    if (is_point[k]) continue;
    number[k] = static_cast<int>(result.parts.size());
    result.parts.push_back(static_cast<int>(k));
    result.log.parts.push_back(log.parts[k]);
  }
  for (model::PoseRow row : log.rows) {
    row.part = number[row.part];
    if (row.part >= 0) result.log.rows.push_back(row);
  }
  return result;
}

Discovery with_points(const model::PoseLog& log, const std::string& name, const std::vector<int>& oriented,
                      std::optional<Discovery> of_oriented, const DiscoveryOptions& options) {
  std::vector<bool> is_point(log.parts.size(), true);
  for (const int k : oriented) is_point[k] = false;
  const PartTracks tracks = part_tracks(log, name, options.time_tolerance, true);
  Discovery found;
  if (of_oriented) {
    found = std::move(*of_oriented);
    spread_over_log(found, log, tracks, oriented, options.time_tolerance);
  } else {
    found = single_part(log, tracks, oriented);
  }
  found.times = found.tracks.times = tracks.times;
  found.notes = tracks.notes;
  const std::size_t before = found.joints.size();
  PointParts points(found, tracks, options);
  std::string names;
  for (std::size_t k = 0; k < is_point.size(); ++k) {
    if (!is_point[k]) continue;
    points.add(static_cast<int>(k));
    names += (names.empty() ? "'" : ", '") + log.parts[k] + "'";
  }
  found.notes.push_back(
      names + " seen without orientation: as a point about parts of known orientation" +
      (found.groups[0].parts[0] >= static_cast<int>(log.parts.size()) ? ", here the world" : ""));
  if (found.joints.size() > before && before == 0) {
    // What the others say of themselves ("no part moves against another") is no longer the answer.
    std::erase_if(found.reasons,
                  [](const std::string& reason) { return reason.starts_with("nothing moves"); });
  }
  if (found.joints.empty() && found.reasons.empty())
    found.reasons.push_back("nothing moves: any joints would look like this");
  if (found.noise.position == 0.0) found.noise.position = points.noise();
  found.status = found.reasons.empty() ? DiscoveryStatus::ok : DiscoveryStatus::undetermined;
  return found;
}

}  // namespace prehend::articulation
