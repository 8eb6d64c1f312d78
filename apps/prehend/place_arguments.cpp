#include "place_arguments.h"

#include <sstream>

#include "choice.h"
#include <prehend/math/angles.h>
#include <prehend/placement/grasp_file.h>
#include <prehend/placement/placement.h>

namespace prehend::cli {
namespace {

placement::AxisBox box_of(const std::string& option, const std::vector<std::string>& words,
                          std::size_t first = 0) {
  const placement::AxisBox box{vector_of(option, words, first), vector_of(option, words, first + 3)};
  if (!(box.lower.array() < box.upper.array()).all())
    throw UsageError(option + " is inside out or flat; its first three numbers must be below its last three");
  return box;
}

void read_objective(const std::string& text, placement::PlacementOptions& options) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) throw UsageError("--objective is empty; it must be robust, first, low or near x y z");
  options.objective = choice_of<placement::Objective>("--objective", words.front());
  const bool needs_point = options.objective == placement::Objective::near;
  if (words.size() != (needs_point ? 4u : 1u))
    throw UsageError(needs_point ? "--objective near takes a point: near x y z"
                                 : "--objective " + words.front() + " takes no numbers");
  if (needs_point) options.near_W = vector_of("--objective", words, 1);
}

}  // namespace

placement::PlacementOptions PlaceArguments::options(const Shared& shared) const {
  placement::PlacementOptions options = wanted;
  const std::optional<placement::Planner> chosen = placement::planner_of(planner);
  if (!chosen)
    throw UsageError("--planner: there is no '" + planner +
                     "'; it must be auto, robustness, uniform, drop, slow_drop, heightmap or chance");
  options.planner = *chosen;
  read_objective(objective, options);
  options.touch = touch;
  if (!region.empty()) options.region = box_of("--region", region);
  for (std::size_t k = 0; k < keep_out.size(); k += 6)
    options.keep_out.push_back(box_of("--keep-out", keep_out, k));
  if (!upright.empty()) {
    const double degrees = number_of("--upright", upright);
    if (!(degrees >= 0.0 && degrees <= 180.0))
      throw UsageError("--upright is " + upright + " deg; it must be between 0 and 180 deg");
    options.upright = degrees * math::kPi / 180.0;
  }
  if (!approach.empty()) options.approach_W = vector_of("--approach", approach);
  if (!grasps.empty()) options.grasps = placement::read_grasps(grasps);
  options.seed = shared.seed;
  options.contact = stability.system(shared).contact;
  try {
    options.validate();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  return options;
}

void PlaceArguments::declare(Arguments& arguments) {
  stability.declare(arguments);
  arguments.positional("OBJECT", object,
                       "A movable body of SCENE, MJCF or URDF with one free body, or a closed mesh; several "
                       "apart by commas go one after the other");
  arguments.option("--mass", mass, "Mass of a mesh [kg], instead of --density");
  arguments.option("--unit", unit, "Unit of a mesh: m, cm, mm, in or metres as a number");
  arguments.option("--touch", touch, "Bodies it may touch; without: any");
  arguments.words("--region", "x0 y0 z0 x1 y1 z1", region, "It lies wholly inside [m]");
  arguments.repeated_words("--keep-out", "x0 y0 z0 x1 y1 z1", keep_out,
                           "It lies wholly outside [m]; may be repeated");
  arguments.option("--upright", upright, "Its z axis is within this of the vertical [deg]");
  arguments.option("--clearance", wanted.clearance, "From every body that it does not touch [m]");
  arguments.words("--approach", "dx dy dz", approach, "Direction of the last 0.2 m, which are free");
  arguments.option("--grasps", grasps, "Gripper and grasps, of which at least one is free: JSON");
  arguments.option("--pose-error", wanted.pose_error,
                   "It holds this far off in any horizontal direction [m]");
  arguments.option("--margin", wanted.margin, "Least horizontal acceleration that it withstands [g]");
  arguments.option("--margin-friction", wanted.intervals.friction,
                   "Friction may be lower by this part: it holds all the same");
  arguments.option("--margin-mass", wanted.intervals.mass, "Masses may differ by this part");
  arguments.option("--margin-position", wanted.intervals.position,
                   "Outlines of contacts may be wrong by this [m]");
  arguments.option("--objective", objective, "robust, first, low, or near x y z");
  arguments.option("--count", wanted.count, "Placements, 1 cm or 10 degrees apart, best first");
  arguments.option("--planner", planner, "auto, robustness, uniform, drop, slow_drop, heightmap or chance");
  arguments.option("--time-limit", wanted.time_limit, "Seconds after which the search ends");
}

}  // namespace prehend::cli
