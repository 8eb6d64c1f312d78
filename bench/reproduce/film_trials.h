// Films of marked objects with known joints, for asking how well film becomes joints.
#pragma once

#include <cstdint>
#include <string>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/markers/marked_object.h>
#include <prehend/articulation/markers/marker_tracks.h>
#include <prehend/articulation/simulated/object_motion.h>

namespace prehend::reproduce {

struct FilmSpec {
  std::string object{"arm"};  // see articulation::named_object
  double seconds{5.0};
  double azimuth{0.15};  // [rad] of the camera from straight before the object
  double height{0.2};    // [rad] of the camera above it
  std::uint64_t seed{0};
};

struct TrackedFilm {
  articulation::SimulatedMotion motion;
  articulation::MarkedObject marked;
  math::Pose X_CW;
  articulation::MarkerTracks tracks;
};

// Filmed by the virtual camera as `prehend simulate-object --video` does (960 x 720 pixels, blur and noise by default), and tracked;
// nothing is written.
TrackedFilm track_film(const FilmSpec& spec);

// Whether every marker is its own group, and tree and all types are as they were made, without loops.
struct FilmVerdict {
  bool tree{false}, types{false}, loops{false};
  bool right() const { return tree && types && !loops; }
};
FilmVerdict judge_film(const articulation::Discovery& found, const TrackedFilm& film);

}  // namespace prehend::reproduce
