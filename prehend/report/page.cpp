#include <cmath>
#include <cstdio>
#include <utility>

#include <prehend/report/page.h>

namespace prehend::report {

Fact number_fact(const std::string& name, double value, const std::string& unit, int digits) {
  if (std::isnan(value)) return {name, "n/a", "", "not a number: the computation gave no value"};
  if (std::isinf(value)) return {name, value > 0.0 ? "unbounded" : "unbounded below", "", ""};
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return {name, text, unit, ""};
}

BodyIndex Scene3d::add_body(SceneBody body) {
  bodies.push_back(std::move(body));
  return BodyIndex(bodies.size() - 1);
}

MotionIndex Scene3d::add_motion(Motion motion) {
  motions.push_back(std::move(motion));
  return MotionIndex(motions.size() - 1);
}

Page::Page(std::string title) : title_(std::move(title)) {}
Page::Page(const Page& other) = default;
Page::Page(Page&& other) noexcept = default;
Page& Page::operator=(const Page& other) = default;
Page& Page::operator=(Page&& other) noexcept = default;
Page::~Page() = default;

Page& Page::set_subtitle(std::string text) {
  subtitle_ = std::move(text);
  return *this;
}

Page& Page::set_source(const std::string& path) {
  const std::size_t slash = path.find_last_of('/', path.find('#'));
  source_ = slash == std::string::npos ? path : path.substr(slash + 1);
  return *this;
}

std::string Page::subtitle() const {
  // A scene without a name of its own is called after its file.
  if (source_.empty() || subtitle_ == source_) return subtitle_;
  const bool says_more = !subtitle_.empty() && subtitle_ != source_.substr(0, source_.rfind('.'));
  return says_more ? source_ + " · " + subtitle_ : source_;
}

std::string Page::tab_title() const { return source_.empty() ? title_ : source_ + ": " + title_; }

Page& Page::set_verdict(Verdict verdict, std::string sentence) {
  verdict_ = verdict;
  verdict_sentence_ = std::move(sentence);
  return *this;
}

Page& Page::set_footer(std::string text) {
  footer_ = std::move(text);
  return *this;
}

Page& Page::add_heading(std::string heading) {
  sections_.push_back({std::move(heading), {}});
  return *this;
}

Page& Page::append(Content content, Width width) {
  if (sections_.empty()) sections_.emplace_back();
  sections_.back().blocks.push_back({width, std::move(content)});
  return *this;
}

Page& Page::add_text(std::string markup, Width width) { return append(Text{std::move(markup)}, width); }
Page& Page::add(Facts facts, Width width) { return append(std::move(facts), width); }
Page& Page::add(Plot plot, Width width) { return append(std::move(plot), width); }
Page& Page::add(Timeline timeline, Width width) { return append(std::move(timeline), width); }
Page& Page::add(Table table, Width width) { return append(std::move(table), width); }
Page& Page::add(Downloads downloads, Width width) { return append(std::move(downloads), width); }
Page& Page::add(Pictures pictures, Width width) { return append(std::move(pictures), width); }

SceneIndex Page::add(Scene3d scene, Width width) {
  append(std::move(scene), width);
  return SceneIndex(scene_count_++);
}

}  // namespace prehend::report
