// Where another sequence of states explains a recording about as well as the best one, or where the tracker's errors are not those that were meant.
#pragma once

#include <string>
#include <vector>

#include <prehend/observation/sequence/recognition.h>

namespace prehend::observation {

struct Doubt {
  std::size_t first{0}, last{0};  // frames; all of them where it concerns the whole recording
  bool is_whole{false};
  std::string reason;
};

struct DoubtedPath {
  // [nats] By run of frames under one relation: over the best sequence without it.
  std::vector<double> margin;
  std::vector<Doubt> doubts;
};

DoubtedPath doubts_of(const BodyPair& pair, const std::vector<math::Pose>& seen,
                      const Recognised& recognised);

}  // namespace prehend::observation
