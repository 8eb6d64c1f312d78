// Pictures from a video file or a folder of images, and back.
//
// The codecs live in a module that is loaded at the first use (docs/articulation_input.md says why). A folder's images are taken in the
// order of their names and get times from a frame time; a video brings its own.
#pragma once

#include <memory>
#include <string>

#include <prehend/articulation/markers/grey_image.h>

namespace prehend::articulation {

class FrameSource {
 public:
  virtual ~FrameSource() = default;
  // False at the end. Throws model::InputError, naming the file, on a picture that cannot be read or has another size than
  // the first.
  virtual bool next(GreyImage& image, double& time) = 0;
};

// `frame_time` [s]: for folders. Throws model::InputError: no such file, a folder without images, not a video.
std::unique_ptr<FrameSource> open_frames(const std::string& path, double frame_time = 1.0 / 30.0);

GreyImage read_image(const std::string& path);
// The file is complete or absent. Throws model::WriteError.
void write_png(const std::string& path, const GreyImage& image);

// A film as it is made: a video file (name ends in .avi: motion JPEG, lossy) or a folder of PNG images, frame_0000.png and on.
// A video has its name when finish() returned, not before.
class FilmWriter {
 public:
  FilmWriter(std::string path, double frame_time);
  ~FilmWriter();
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;
  void add(const GreyImage& image);
  void finish();

 private:
  struct Video;
  std::string path_;
  double frame_time_;
  int frames_{0};
  std::unique_ptr<Video> video_;
};

}  // namespace prehend::articulation
