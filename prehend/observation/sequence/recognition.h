// From poses to a sequence of relations: noise, candidates, evidence, the best path.
#pragma once

#include <optional>
#include <vector>

#include <prehend/observation/recording.h>
#include <prehend/observation/sequence/state_path.h>

namespace prehend::observation {

struct Recognised {
  TrackNoise noise;
  double staying{0.0};  // variance of errors that stay for many frames, as a share of that of the others
  CorrectionOptions correction;             // without directions
  std::vector<NoiseDirections> directions;  // by frame, in the fixed body's axes
  NoiseDirections directions_W;             // in the tracker's
  PathPrices prices;
  RelationTable table;
  std::vector<math::Pose> track;  // the poses that were compared: as seen, or averaged
  StatePath path;
  // By frame: the least motion from what was seen, where the table has averages.
  std::vector<FrameFit> chosen;
  std::optional<TrackOffset> offset;  // constant error that was taken out of the track
  // [nats] Over this answer, of one with another constant error and states that leave other rotations or, where this one has an offset, translations.
  std::optional<double> offset_rival_lead;
  bool offset_rival_has_other_gaps{false};  // other translations
  bool touches_if_slow{
      false};  // nothing touches here, and with errors that stay, of four times the jitter, a good part of it would
};

// [nats] What a relation is worth for each freedom that it takes: the logarithm of the range of poses over the noise.
double reward_of(const BodyPair& pair, const TrackNoise& noise);
// Where the noise of positions acts: the moving body's origin, or its middle where the origin is far away from it.
Eigen::Vector3d reference_point(const BodyPair& pair);

Recognised recognise(const BodyPair& pair, const Recording& recording, const TrackNoise* noise);

}  // namespace prehend::observation
