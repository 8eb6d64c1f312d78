// The module for image and video files: OpenCV's codecs behind FrameCodec. Loaded on demand, see frame_files.cpp.
#include <cstdlib>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

#include <prehend/articulation/markers/detection/frame_codec.h>

namespace prehend::articulation {
namespace {

cv::Mat view_of(const GreyImage& image) {
  return cv::Mat(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data()));
}

bool take(const cv::Mat& from, GreyImage& image) {
  cv::Mat grey;
  if (from.empty() || from.depth() != CV_8U) return false;
  if (from.channels() == 1) {
    grey = from;
  } else {
    cv::cvtColor(from, grey, from.channels() == 4 ? cv::COLOR_BGRA2GRAY : cv::COLOR_BGR2GRAY);
  }
  if (!grey.isContinuous()) grey = grey.clone();
  image.width = grey.cols;
  image.height = grey.rows;
  image.pixels.assign(grey.data, grey.data + grey.total());
  return true;
}

class OpenCvReader : public VideoReader {
 public:
  // By what reads files alone: asked for anything, OpenCV takes a file that is no film for a camera's name and looks through all USB devices (and
  // their drivers leak).
  bool open(const std::string& path) {
    for (const int reader : {cv::CAP_FFMPEG, cv::CAP_GSTREAMER, cv::CAP_OPENCV_MJPEG})
      if (capture_.open(path, reader)) return true;
    return false;
  }
  bool next(GreyImage& image, double& time) override try {
    cv::Mat frame;
    if (!capture_.read(frame) || !take(frame, image)) return false;
    // Some containers carry no stamps: then all are zero, and the frame rate has to do.
    const double stamp = 1e-3 * capture_.get(cv::CAP_PROP_POS_MSEC), rate = capture_.get(cv::CAP_PROP_FPS);
    time = count_ > 0 && stamp <= last_ ? last_ + (rate > 0 ? 1.0 / rate : 1.0 / 30) : stamp;
    last_ = time;
    ++count_;
    return true;
  } catch (const cv::Exception&) {
    return false;
  }

 private:
  cv::VideoCapture capture_;
  double last_{0};
  int count_{0};
};

class OpenCvWriter : public VideoWriter {
 public:
  bool open(const std::string& path, double rate, int width, int height) {
    const int codec = cv::VideoWriter::fourcc('M', 'J', 'P', 'G');
    if (!writer_.open(path, cv::CAP_OPENCV_MJPEG, codec, rate, cv::Size(width, height), true)) return false;
    writer_.set(cv::VIDEOWRITER_PROP_QUALITY, 95);
    return true;
  }
  bool add(const GreyImage& image) override try {
    cv::Mat colour;  // the built-in encoder takes three channels
    cv::cvtColor(view_of(image), colour, cv::COLOR_GRAY2BGR);
    writer_.write(colour);
    return true;
  } catch (const cv::Exception&) {
    return false;
  }
  void close() override { writer_.release(); }

 private:
  cv::VideoWriter writer_;
};

class OpenCvCodec : public FrameCodec {
 public:
  OpenCvCodec() {
    // What is wrong with a file is said once, by us.
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    ::setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0);
  }
  bool read_image(const std::string& path, GreyImage& image) override try {
    return take(cv::imread(path, cv::IMREAD_GRAYSCALE), image);
  } catch (const cv::Exception&) {
    return false;
  }
  bool encode_png(const GreyImage& image, std::string& bytes) override try {
    std::vector<std::uint8_t> buffer;
    if (!cv::imencode(".png", view_of(image), buffer)) return false;
    bytes.assign(buffer.begin(), buffer.end());
    return true;
  } catch (const cv::Exception&) {
    return false;
  }
  std::unique_ptr<VideoReader> read_video(const std::string& path) override try {
    auto reader = std::make_unique<OpenCvReader>();
    if (!reader->open(path)) return nullptr;
    return reader;
  } catch (const cv::Exception&) {
    return nullptr;
  }
  std::unique_ptr<VideoWriter> write_video(const std::string& path, double rate, int width,
                                           int height) override try {
    auto writer = std::make_unique<OpenCvWriter>();
    if (!writer->open(path, rate, width, height)) return nullptr;
    return writer;
  } catch (const cv::Exception&) {
    return nullptr;
  }
};

}  // namespace
}  // namespace prehend::articulation

extern "C" prehend::articulation::FrameCodec* prehend_frame_codec(int version) {
  static prehend::articulation::OpenCvCodec codec;
  return version == prehend::articulation::FrameCodec::kVersion ? &codec : nullptr;
}
