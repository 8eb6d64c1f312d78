#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <stdexcept>

#include <Eigen/Dense>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/parts/segmentation.h>

namespace prehend::parts {
namespace {

// Centroids closer to a plane (a line) than this share of their own extent are taken as lying in it: a lever of half a
// percent of a 20 cm tool is 1 mm, which torques of a wrist sensor (0.0067 N m against some newtons) do not resolve.
constexpr double kFlat = 0.005;

bool are_coplanar(const std::vector<SegmentedPart>& parts, const std::vector<VolumeSample>& samples) {
  const int count = static_cast<int>(parts.size());
  if (count < 3) return false;
  Eigen::MatrixXd centroids(3, count);
  for (int i = 0; i < count; ++i) centroids.col(i) = parts[i].centroid;
  centroids.colwise() -= centroids.rowwise().mean().eval();
  Eigen::Vector3d lower = samples.front().point, upper = lower;
  for (const VolumeSample& sample : samples) {
    lower = lower.cwiseMin(sample.point);
    upper = upper.cwiseMax(sample.point);
  }
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(centroids).singularValues();
  const int needed = std::min(count - 1, 3);  // dimensions that independent centroids span
  return values[needed - 1] < kFlat * (upper - lower).norm() * std::sqrt(static_cast<double>(count));
}

std::string counted(int count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

const char* to_string(SegmentMethod method) {
  return method == SegmentMethod::htc_cold ? "htc-cold" : enum_text(method);
}
SegmentMethod segment_method(std::string_view text) {
  for (const SegmentMethod method : {SegmentMethod::ours, SegmentMethod::htc, SegmentMethod::htc_cold})
    if (text == to_string(method)) return method;
  throw std::invalid_argument("SegmentOptions::method is '" + std::string(text) +
                              "'; it must be ours, htc or htc-cold");
}
const char* to_string(SegmentStatus status) { return enum_text(status); }

void SegmentOptions::validate() const {
  const math::OptionCheck check("SegmentOptions");
  if (parts) check.at_least("parts", *parts, 1);
  if (support) {
    check.holds(support->allFinite() && support->head<3>().norm() > 0.0, "support", "zero or not finite",
                "a normal x y z, not zero, and an offset d [m]");
  }
}

std::vector<int> PartTree::cut(int parts) const {
  if (parts < 1 || parts > leaves)
    throw std::invalid_argument("parts is " + std::to_string(parts) + "; it must be from 1 to " +
                                std::to_string(leaves) + ", the leaves of this object's tree");
  std::vector<int> parent(leaves + merges.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (int k = 0; k < leaves - parts; ++k) parent[merges[k].a] = parent[merges[k].b] = leaves + k;
  for (int node = static_cast<int>(parent.size()) - 1; node >= 0; --node) parent[node] = parent[parent[node]];
  std::map<int, int> number;
  std::vector<int> part_of(leaves);
  for (int leaf = 0; leaf < leaves; ++leaf)
    part_of[leaf] = number.try_emplace(parent[leaf], static_cast<int>(number.size())).first->second;
  return part_of;
}

void Segmentation::cut(int count) {
  if (samples.empty()) throw std::invalid_argument("there are no parts to cut: " + reason);
  const std::vector<int> part_of = tree.cut(count);
  std::vector<SegmentedPart> found(count);
  for (const VolumeSample& sample : samples) {
    SegmentedPart& part = found[part_of[sample.leaf]];
    part.volume += sample.volume;
    part.centroid += sample.volume * sample.point;
  }
  for (SegmentedPart& part : found) part.centroid /= part.volume;
  for (const VolumeSample& sample : samples) {
    SegmentedPart& part = found[part_of[sample.leaf]];
    const Eigen::Vector3d r = sample.point - part.centroid;
    part.second_moments += sample.volume * r * r.transpose();
  }
  std::vector<int> order(count), label(count);
  std::iota(order.begin(), order.end(), 0);
  // Volumes in single precision: those that differ by rounding only are in the order of the leaves.
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return static_cast<float>(found[a].volume) > static_cast<float>(found[b].volume);
  });
  for (int i = 0; i < count; ++i) label[order[i]] = i;
  std::vector<Eigen::Vector3d> colour(count, Eigen::Vector3d::Zero());
  labels.assign(leaf_of.size(), -1);
  for (std::size_t i = 0; i < leaf_of.size(); ++i) {
    if (leaf_of[i] < 0) continue;
    const int part = part_of[leaf_of[i]];
    labels[i] = label[part];
    ++found[part].points;
    if (!colours.empty()) colour[part] += colours[i];
  }
  parts.clear();
  for (const int i : order) {
    found[i].label = static_cast<int>(parts.size());
    if (!colours.empty() && found[i].points > 0) found[i].colour = colour[i] / found[i].points;
    parts.push_back(found[i]);
  }
  coplanar = are_coplanar(parts, samples);
}

std::vector<int> Segmentation::leaf_labels() const {
  // Labels are by falling volume, the numbers of the cut by first leaf.
  std::vector<int> label_of = tree.cut(static_cast<int>(parts.size()));
  std::vector<int> label(parts.size(), 0);
  for (std::size_t i = 0; i < leaf_of.size(); ++i)
    if (leaf_of[i] >= 0) label[label_of[leaf_of[i]]] = labels[i];
  for (int& part : label_of) part = label[part];
  return label_of;
}

std::string Segmentation::brief_report() const {
  if (status != SegmentStatus::ok) return reason + "\n";
  std::string text = counted(static_cast<int>(parts.size()), "part") + " of " +
                     counted(tree.leaves, is_mesh && tree.leaves == shells ? "shell" : "leaf region") + "\n";
  model::TextTable table({{"part"},
                          {is_mesh ? "triangles" : "points"},
                          {"volume [cm^3]"},
                          {"share [%]"},
                          {"centroid [m]", model::Align::left}});
  for (const SegmentedPart& part : parts) {
    const auto number = [](double value) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.4g", value);
      return std::string(digits);
    };
    table.row(
        {std::to_string(part.label), std::to_string(part.points), number(1e6 * part.volume),
         number(100.0 * part.volume / volume),
         number(part.centroid.x()) + " " + number(part.centroid.y()) + " " + number(part.centroid.z())});
  }
  text += table.text();
  if (coplanar)
    text += "The centroids lie in one " + std::string(parts.size() > 3 ? "plane" : "line") +
            ": weight and centre of mass alone do not determine all masses.\n";
  text += model::problem_lines(problems, "  problem: ");
  return text;
}

std::string Segmentation::hierarchy_json() const {
  model::JsonWriter json;
  json.object().field("leaves", tree.leaves).key("merges").array();
  for (const PartMerge& merge : tree.merges)
    json.array().value(merge.a).value(merge.b).value(merge.cost).end();
  return json.end().end().text();
}

std::string Segmentation::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("method", to_string(method));
  if (status == SegmentStatus::ok) {
    json.key("parts").array();
    for (const SegmentedPart& part : parts) {
      json.object().field("label", part.label).field("points", part.points);
      json.field("volume_m3", part.volume).field("centroid_m", part.centroid).end();
    }
    json.end().field("volume_m3", volume).field("leaves", tree.leaves).field("coplanar", coplanar);
    json.field("shells", shells);
  }
  json.field("problems", problems);
  return json.end().text();
}

}  // namespace prehend::parts
