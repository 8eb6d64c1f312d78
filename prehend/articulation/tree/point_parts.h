// Discovery where some parts are seen without orientation: points on lines and circles about parts whose orientation is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/discovery_options.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// The parts whose every row has an orientation, as a log of their own.
struct OrientedParts {
  std::vector<int> parts;  // numbers in the whole log
  model::PoseLog log;
};
OrientedParts oriented_parts(const model::PoseLog& log);

// The others as points about what is known of the oriented parts: `of_oriented`, absent where fewer than two have an orientation.
Discovery with_points(const model::PoseLog& log, const std::string& name, const std::vector<int>& oriented,
                      std::optional<Discovery> of_oriented, const DiscoveryOptions& options);

}  // namespace prehend::articulation
