// A camera that exists only in the program: pictures of marked objects in motion, for tests and figures.
//
// Every picture is the mean of `samples` sharp pictures, each with its own shift within the pixel and its own instant within
// the exposure: edges are anti-aliased and motion is blurred by the same sum. Rays follow the lens model exactly at pixel centres
// and linearly within a pixel (below 1e-4 px for any usual lens). Then come lens blur and sensor noise. The light is one distant lamp, ambient
// light, and a gradient over the picture. Parts are boxes; markers lie on them.
//
// Cost: about 30 ms for 640 x 480 with 16 samples on one core.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/markers/grey_image.h>
#include <prehend/articulation/markers/marked_object.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/math/pose.h>
#include <prehend/model/camera.h>

namespace prehend::articulation {

struct VirtualCameraOptions {
  int samples{16};             // per pixel; 16 give edges 17 grey steps
  double exposure{0.3};        // share of the frame time in which the shutter is open; 0: no motion blur
  double lens_blur{0.5};       // [px] standard deviation of the lens's Gaussian blur
  double read_noise{1.5};      // [grey levels] standard deviation in the dark; that of a webcam
  double shot_noise{0.02};     // [grey levels] variance added per grey level
  double light_gradient{0.3};  // relative change of the light from the left to the right of the picture
  // Unit, in the camera's frame, towards the lamp: above, left, behind the camera.
  Eigen::Vector3d light_C{Eigen::Vector3d(-0.4, -0.5, -0.77).normalized()};
  std::uint64_t seed{0};

  void validate() const;
};

class VirtualCamera {
 public:
  // Throws std::invalid_argument on options or a camera out of range.
  VirtualCamera(const model::CameraModel& camera, const VirtualCameraOptions& options = {});

  // `X_CP(u)` gives the parts' poses in the camera's frame at u in [-0.5, 0.5] of the exposure. `frame` numbers the picture: its
  // noise depends on the seed and on it.
  GreyImage picture(const MarkedObject& marked, const std::function<std::vector<math::Pose>(double)>& X_CP,
                    int frame) const;
  // Nothing moves.
  GreyImage picture(const MarkedObject& marked, const std::vector<math::Pose>& X_CP, int frame = 0) const;

  const model::CameraModel& camera() const { return camera_; }

 private:
  model::CameraModel camera_;
  VirtualCameraOptions options_;
  std::vector<Eigen::Vector2f> rays_;  // normalised, by pixel; not-a-number where the lens shows nothing
};

// The whole motion as a film: `show` gets every frame in order. The exposure of frame i is centred on times[i]; between frames
// parts move as the interpolated screw. X_CW: the motion's world in the camera's frame.
void film_motion(const SimulatedMotion& motion, const MarkedObject& marked, const VirtualCamera& camera,
                 const math::Pose& X_CW, double exposure,
                 const std::function<void(int, const GreyImage&)>& show);

// A camera at `eye_W` that looks at `target_W`, z of the world up in the picture [m].
math::Pose look_at(const Eigen::Vector3d& eye_W, const Eigen::Vector3d& target_W);  // X_CW

}  // namespace prehend::articulation
