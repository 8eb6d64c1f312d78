// Seats: the object flush on two faces of the scene at once. Grooves, corners, slopes with a stop, walls.
//
// Two faces of the object that enclose the same angle as the two of the scene fix its orientation; the two planes leave it one freedom, along their
// common line, on which free translations are stretches. (N, 5.5.3 turns one normal across the line of two points and meets both faces only
// where that line happens to be square to both normals.) A can lies in a groove along the common line. On a slope too steep for its friction the object slides
// down on one face until something stops it.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include <prehend/placement/search/lying.h>

namespace prehend::placement {

struct SeatOptions {
  std::size_t most{24};  // poses on two faces
  bool slides{true};     // also down slopes
};

class Seats {
 public:
  Seats(const Problem& problem, Parts& parts, const LoadPolygons& loads,
        const std::vector<RestingFace>& faces, const SeatOptions& options);
  // The next pose, the one that touches most first; none: there is no other.
  std::optional<math::Pose> next();
  long found() const { return found_; }

 private:
  // Both faces of the object on both of the scene, in the middle of what the two share.
  struct Match {
    double touching{0.0};  // [m^2] of both faces there
    Slot slot;
    Eigen::Vector2d t0{Eigen::Vector2d::Zero()}, along{Eigen::Vector2d::Zero()};  // t0: in the middle
    double low{0.0}, high{0.0};  // [m] along, about the middle
  };
  void match(const SupportPlane& support, const SupportPlane& wall);
  // False: it is no slope, or friction holds the object anywhere on it.
  bool slide_down(const SupportPlane& slope);
  void lay_round(const SupportPlane& support, const SupportPlane& wall);
  void open(const Match& match);

  const Problem& problem_;
  Parts& parts_;
  const LoadPolygons& loads_;
  const std::vector<RestingFace>& faces_;
  std::size_t most_;
  std::vector<SupportPlane> planes_;
  std::vector<Match> matches_;  // most touching first
  std::size_t next_match_{0};
  std::deque<math::Pose> poses_;
  long found_{0};
};

}  // namespace prehend::placement
