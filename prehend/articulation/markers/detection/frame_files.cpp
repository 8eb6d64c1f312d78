#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <dlfcn.h>

#include <prehend/articulation/markers/detection/frame_codec.h>
#include <prehend/articulation/markers/detection/frame_files.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

namespace fs = std::filesystem;
using Factory = FrameCodec* (*)(int);

FrameCodec& load_codec() {
  const std::string name = "libprehend_frames.so";
  std::vector<std::string> places;
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&load_codec), &self) != 0 && self.dli_fname != nullptr) {
    std::error_code ignored;
    // dli_fname may be a bare program name; the system knows where the program lies.
    fs::path file = fs::path(self.dli_fname).has_parent_path() ? fs::path(self.dli_fname)
                                                               : fs::read_symlink("/proc/self/exe", ignored);
    const fs::path folder = fs::absolute(file, ignored).parent_path();
    places.push_back((folder / name).string());
    places.push_back((folder / PREHEND_FRAME_MODULE_FOLDER / name).lexically_normal().string());
  }
  places.push_back(name);  // the loader's own search path
  std::string reasons;
  for (const std::string& place : places) {
    if (place.find('/') != std::string::npos && !fs::exists(place)) continue;
    void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      reasons += std::string("; ") + dlerror();
      continue;
    }
    const auto factory = reinterpret_cast<Factory>(dlsym(module, "prehend_frame_codec"));
    if (FrameCodec* codec = factory != nullptr ? factory(FrameCodec::kVersion) : nullptr) return *codec;
    reasons += "; " + place + " is of another version";
  }
  throw std::runtime_error("the module for image and video files, " + name +
                           ", was not found beside the program, in " PREHEND_FRAME_MODULE_FOLDER
                           " seen from there, or on the loader's path" +
                           reasons);
}

FrameCodec& codec() {
  static FrameCodec& loaded = load_codec();
  return loaded;
}

bool is_image_name(const fs::path& path) {
  std::string end = path.extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return std::tolower(c); });
  static const std::vector<std::string> kEnds = {".png", ".jpg", ".jpeg", ".bmp",
                                                 ".pgm", ".tif", ".tiff", ".webp"};
  return std::find(kEnds.begin(), kEnds.end(), end) != kEnds.end();
}

void check_size(const GreyImage& image, const GreyImage& first, const std::string& name) {
  if (image.width == first.width && image.height == first.height) return;
  throw model::InputError(name, 0,
                          "is " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                              " pixels, the first picture is " + std::to_string(first.width) + " x " +
                              std::to_string(first.height) + "; all must have the same size");
}

class ImageFolder : public FrameSource {
 public:
  ImageFolder(std::vector<std::string> files, double frame_time)
      : files_(std::move(files)), frame_time_(frame_time) {}
  bool next(GreyImage& image, double& time) override {
    if (next_ == files_.size()) return false;
    image = read_image(files_[next_]);
    if (next_ == 0) first_.width = image.width, first_.height = image.height;
    check_size(image, first_, files_[next_]);
    time = static_cast<double>(next_++) * frame_time_;
    return true;
  }

 private:
  std::vector<std::string> files_;
  double frame_time_;
  GreyImage first_;
  std::size_t next_{0};
};

class VideoFile : public FrameSource {
 public:
  VideoFile(std::string path, std::unique_ptr<VideoReader> reader)
      : path_(std::move(path)), reader_(std::move(reader)) {}
  bool next(GreyImage& image, double& time) override {
    if (!reader_->next(image, time)) {
      if (count_ == 0) throw model::InputError(path_, 0, "is a video without a picture that can be read");
      return false;
    }
    if (count_++ == 0) first_.width = image.width, first_.height = image.height;
    check_size(image, first_, path_);
    return true;
  }

 private:
  std::string path_;
  std::unique_ptr<VideoReader> reader_;
  GreyImage first_;
  int count_{0};
};

}  // namespace

std::unique_ptr<FrameSource> open_frames(const std::string& path, double frame_time) {
  if (!(frame_time > 0)) throw std::invalid_argument("frame_time must be above 0 s");
  std::error_code error;
  if (!fs::exists(path, error)) throw model::InputError(path, 0, "no such file or folder");
  if (fs::is_directory(path, error)) {
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
      if (is_image_name(entry.path())) files.push_back(entry.path().string());
    if (error) throw model::InputError(path, 0, "the folder cannot be read: " + error.message());
    if (files.empty())
      throw model::InputError(path, 0, "the folder has no images (png, jpg, bmp, pgm, tif, webp)");
    std::sort(files.begin(), files.end());
    return std::make_unique<ImageFolder>(std::move(files), frame_time);
  }
  if (is_image_name(path)) return std::make_unique<ImageFolder>(std::vector<std::string>{path}, frame_time);
  std::unique_ptr<VideoReader> reader = codec().read_video(path);
  if (!reader)
    throw model::InputError(path, 0,
                            "cannot be read as a video; expected a video file or a folder of images");
  return std::make_unique<VideoFile>(path, std::move(reader));
}

GreyImage read_image(const std::string& path) {
  GreyImage image;
  if (!codec().read_image(path, image)) throw model::InputError(path, 0, "cannot be read as an image");
  return image;
}

void write_png(const std::string& path, const GreyImage& image) {
  std::string bytes;
  if (!codec().encode_png(image, bytes)) throw std::invalid_argument("the picture has no pixels");
  model::write_file(path, bytes);
}

struct FilmWriter::Video {
  std::string partial;
  std::unique_ptr<VideoWriter> writer;
};

FilmWriter::FilmWriter(std::string path, double frame_time)
    : path_(std::move(path)), frame_time_(frame_time) {
  if (fs::path(path_).extension() == ".avi") {
    video_ = std::make_unique<Video>();
    video_->partial = path_.substr(0, path_.size() - 4) + ".partial.avi";
    return;
  }
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw model::WriteError(path_ + ": error: the folder cannot be made: " + error.message());
}

FilmWriter::~FilmWriter() {
  if (!video_) return;
  video_->writer.reset();
  std::error_code ignored;
  fs::remove(video_->partial, ignored);
}

void FilmWriter::add(const GreyImage& image) {
  if (!video_) {
    char name[32];
    std::snprintf(name, sizeof name, "/frame_%04d.png", frames_++);
    write_png(path_ + name, image);
    return;
  }
  if (!video_->writer) {
    video_->writer = codec().write_video(video_->partial, 1.0 / frame_time_, image.width, image.height);
    if (!video_->writer) throw model::WriteError(path_ + ": error: the video cannot be written");
  }
  if (!video_->writer->add(image)) throw model::WriteError(path_ + ": error: a picture cannot be written");
  ++frames_;
}

void FilmWriter::finish() {
  if (!video_ || !video_->writer) return;
  video_->writer->close();
  video_->writer.reset();
  std::error_code error;
  fs::rename(video_->partial, path_, error);
  if (error) throw model::WriteError(path_ + ": error: the video cannot be written: " + error.message());
}

}  // namespace prehend::articulation
