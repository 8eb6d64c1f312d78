// What the module for image and video files offers; frame_files.h loads it. Nothing but this interface passes between the
// two, and no exceptions.
#pragma once

#include <memory>
#include <string>

#include <prehend/articulation/markers/grey_image.h>

namespace prehend::articulation {

class VideoReader {
 public:
  virtual ~VideoReader() = default;
  // False at the end. Time from the file's own stamps, in seconds.
  virtual bool next(GreyImage& image, double& time) = 0;
};

class VideoWriter {
 public:
  virtual ~VideoWriter() = default;
  virtual bool add(const GreyImage& image) = 0;
  virtual void close() = 0;
};

class FrameCodec {
 public:
  static constexpr int kVersion = 1;
  virtual ~FrameCodec() = default;
  virtual bool read_image(const std::string& path, GreyImage& image) = 0;
  virtual bool encode_png(const GreyImage& image, std::string& bytes) = 0;
  // Null: not a video that can be read or written.
  virtual std::unique_ptr<VideoReader> read_video(const std::string& path) = 0;
  // Motion JPEG in AVI.
  virtual std::unique_ptr<VideoWriter> write_video(const std::string& path, double frames_per_second,
                                                   int width, int height) = 0;
};

}  // namespace prehend::articulation
