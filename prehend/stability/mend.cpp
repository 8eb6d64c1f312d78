#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include <prehend/geometry/round_shape.h>
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/progress.h>
#include <prehend/math/so3.h>
#include <prehend/model/body_names.h>
#include <prehend/model/friction.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/text_table.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/mend.h>
#include <prehend/stability/mending/pose_fit.h>

namespace prehend::stability {
namespace {

using Pair = std::pair<model::BodyIndex, model::BodyIndex>;

// [m] No two bodies overlap by more than this afterwards, where their shapes are exact.
constexpr double kMostOverlap = 1e-6;
// Rounds of choosing anew at the poses found; the choice repeats itself after two or three.
constexpr int kRounds = 6;
// Scales that are tried where none is given: a good fit in CAD to a poor camera.
constexpr PoseNoise kScales[] = {{1e-4, 0.06 * math::kDegree},
                                 {3e-4, 0.2 * math::kDegree},
                                 {1e-3, 0.5 * math::kDegree},
                                 {3e-3, 1.0 * math::kDegree}};

// Fewer residuals do not tell the noise between the scales.
constexpr int kLeastRows = 6;

bool bodies_may_touch(const model::Scene& scene, model::BodyIndex a, model::BodyIndex b) {
  for (model::GeomIndex i(0); i < scene.bodies[a].geoms.size(); ++i) {
    for (model::GeomIndex k(0); k < scene.bodies[b].geoms.size(); ++k) {
      if (may_touch(scene, {a, i}, {b, k})) return true;
    }
  }
  return false;
}

// A body that a joint ties to another stays where it is: moving it alone would break the joint.
bool has_joint(const model::Scene& scene, model::BodyIndex body) {
  const auto ties = [&](const model::Joint& joint) {
    return joint.type != model::JointType::free && (joint.parent == body || joint.child == body);
  };
  return std::any_of(scene.joints.begin(), scene.joints.end(), ties) ||
         std::any_of(scene.loop_joints.begin(), scene.loop_joints.end(), ties);
}

class Mender {
 public:
  Mender(const model::Scene& scene, const MendOptions& options) : scene_(scene), options_(options) {
    for (const model::Body& body : scene.bodies) features_.push_back(body_features(body));
    for (std::size_t b = 0; b < features_.size(); ++b) {
      const model::Body& body = scene.bodies[b];
      start_.bodies.push_back({&features_[b], body.X_WB});
      start_.observed.push_back(body.X_WB);
      start_.node.push_back(body.movable && !has_joint(scene, model::BodyIndex(b)) ? start_.nodes() : -1);
    }
    if (scene.gravity_W.norm() > 0.0) start_.up_W = -scene.gravity_W.normalized();
  }

  MendResult run() {
    MendResult result;
    result.body_names = model::body_names(scene_);
    result.noise_was_given = options_.noise.has_value();
    if (!options_.noise && is_exact()) {
      result.noise = {0.0, 0.0};
      problem_ = start_;
      holds_ = true;
      report(result);
      return result;
    }
    math::Progress progress("mend", options_.noise ? 4 : 5);
    result.noise = options_.noise ? *options_.noise : likeliest_noise();
    if (!options_.noise) progress.advance();
    mend_with(result.noise, &progress);
    if (!options_.noise && !holds_) mend_standing(result.noise);
    report(result);
    return result;
  }

 private:
  // Whether the scene stands as it is, every contact as exact as its shapes: there is no noise to find, and nothing to move.
  bool is_exact() const {
    ContactSystemOptions options;
    options.contact = strict();
    const model::SceneContacts exact = model::find_scene_contacts(scene_, options.contact);
    if (!exact.penetrations.empty() || !exact.floating.empty() || exact.interfaces.empty() ||
        touching(exact) != touching(model::find_scene_contacts(scene_, options_.contact)))
      return false;
    LimitOptions limit;
    limit.keep_proofs = false;
    return LimitAnalysis(build_contact_system(scene_, exact, options), limit).stability() ==
           Stability::stable;
  }

  void mend_with(const PoseNoise& noise, math::Progress* progress) {
    const auto advance = [&] {
      if (progress != nullptr) progress->advance();
    };
    problem_ = with_noise(noise);
    choice_ = {};
    holds_ = false;
    settle_choice();
    advance();
    open_overlaps();
    advance();
    stop_falls();
    advance();
    keep_if_no_worse();
  }

  // Few contacts tell little of the noise, and what was seen stood: the least of the larger scales with which it does, if any.
  void mend_standing(PoseNoise& noise) {
    if (!(scene_.gravity_W.norm() > 0.0)) return;
    const ChoiceProblem problem = problem_;
    const Choice choice = choice_;
    for (const PoseNoise& more : kScales) {
      if (more.position <= noise.position) continue;
      mend_with(more, nullptr);
      if (!holds_) continue;
      noise = more;
      return;
    }
    problem_ = problem;
    choice_ = choice;
    holds_ = false;
  }

  ChoiceProblem with_noise(const PoseNoise& noise) const {
    ChoiceProblem problem = start_;
    problem.noise = {noise.position, noise.angle};
    // What is farther apart than the largest motion need not be looked at.
    const double reach = std::max(problem.gate().gap, options_.most);
    for (std::size_t a = 0; a < features_.size(); ++a) {
      for (std::size_t b = a + 1; b < features_.size(); ++b) {
        if (problem.node[a] < 0 && problem.node[b] < 0) continue;
        if ((problem.bodies[a].com() - problem.bodies[b].com()).norm() >
            features_[a].radius + features_[b].radius + reach)
          continue;
        if (bodies_may_touch(scene_, model::BodyIndex(a), model::BodyIndex(b)))
          problem.pairs.emplace_back(static_cast<int>(a), static_cast<int>(b));
      }
    }
    return problem;
  }

  PoseNoise likeliest_noise() const {
    PoseNoise likeliest = kScales[0];
    double best = -1.0;
    math::Progress progress("noise of the poses", std::size(kScales) + 2);
    for (const PoseNoise& noise : kScales) {
      const double evidence = choose_closures(with_noise(noise)).evidence;
      if (evidence > best) {
        best = evidence;
        likeliest = noise;
      }
      progress.advance();
    }
    // Between the scales: residuals of the closed contacts are as large as the noise says, on average.
    for (int round = 0; round < 2; ++round) {
      const Choice choice = choose_closures(with_noise(likeliest));
      if (choice.rows < kLeastRows) break;
      const double factor = std::clamp(std::sqrt(choice.strain / choice.rows), 0.6, 1.8);
      likeliest = {factor * likeliest.position, factor * likeliest.angle};
      progress.advance();
    }
    return likeliest;
  }

  // Chooses and fits until the choice stays.
  void settle_choice() {
    for (int round = 0; round < kRounds; ++round) {
      Choice choice = choose_closures(problem_);
      const bool same = round > 0 && is_same(choice.closed, choice_.closed);
      choice_ = std::move(choice);
      problem_.forced.insert(problem_.forced.end(), choice_.aligned.begin(), choice_.aligned.end());
      if (same) break;
      fit_poses(choice_.closed, problem_);
      problem_.coarse = false;
    }
  }
  static bool is_same(const std::vector<ChosenClosure>& x, const std::vector<ChosenClosure>& y) {
    if (x.size() != y.size()) return false;
    return std::all_of(x.begin(), x.end(), [&](const ChosenClosure& c) {
      return std::any_of(y.begin(), y.end(), [&](const ChosenClosure& d) { return c.closure == d.closure; });
    });
  }

  model::Scene posed_scene() const {
    model::Scene scene = scene_;
    for (std::size_t b = 0; b < features_.size(); ++b) {
      if (problem_.node[b] >= 0) scene.bodies[b].X_WB = problem_.bodies[b].X_WB;
    }
    // A free joint says where its body stands, too: writers take it from there.
    for (model::Joint& joint : scene.joints) {
      if (joint.type == model::JointType::free)
        joint.X_PC = scene.bodies[joint.parent].X_WB.inverse() * scene.bodies[joint.child].X_WB;
    }
    return scene;
  }
  geometry::ContactOptions strict() const {
    geometry::ContactOptions strict = options_.contact;
    strict.set_tolerance(shapes_known());
    return strict;
  }
  // [m] Nothing is closed better than the vertices of a turned mesh lie on its surface, on both sides of a contact.
  double shapes_known() const {
    double deviation = 0.0;
    for (const model::Body& body : scene_.bodies) {
      for (const model::Geom& geom : body.geoms) {
        if (!geom.turned) continue;
        for (const geometry::TurnedMesh::Part& part : geom.turned->parts)
          deviation = std::max(deviation, part.round.deviation);
      }
    }
    return std::clamp(2.0 * deviation, kMostOverlap, std::max(kMostOverlap, options_.contact.gap_tolerance));
  }

  // Pairs that overlap although neither chose to touch: the cheapest of their hypotheses closes.
  void open_overlaps() {
    for (int round = 0; round < kRounds; ++round) {
      const model::SceneContacts contacts = model::find_scene_contacts(posed_scene(), strict());
      bool is_forced = false;
      for (const model::ScenePenetration& overlap : contacts.penetrations) {
        const int a = overlap.body_a.value(), b = overlap.body_b.value();
        is_forced = force_cheapest(hypotheses(a, b), nullptr) || is_forced;
      }
      if (!is_forced) return;
      settle_choice();
    }
  }

  // Shapes that fit nowhere may end deeper in each other than they were: then they stay where they were.
  void keep_if_no_worse() {
    const double after = deepest(posed_scene());
    if (after <= shapes_known() || after <= deepest(scene_)) return;
    set_poses(problem_.observed);
    holds_ = false;
  }
  double deepest(const model::Scene& scene) const {
    double depth = 0.0;
    for (const model::ScenePenetration& p : model::find_scene_contacts(scene, strict()).penetrations)
      depth = std::max(depth, p.depth);
    return depth;
  }

  // Where a body falls, the nearest contact that it falls towards closes.
  void stop_falls() {
    if (!(scene_.gravity_W.norm() > 0.0)) return;
    const int most = 2 + problem_.nodes();
    for (int round = 0; round < most; ++round) {
      ContactSystemOptions options;
      options.contact = options_.contact;
      LimitOptions limit;
      limit.keep_proofs = false;
      const LimitAnalysis analysis(build_contact_system(posed_scene(), options), limit);
      holds_ = analysis.stability() == Stability::stable;
      if (analysis.stability() != Stability::unstable) return;
      const Motion fall(analysis);
      std::vector<PosedClosure> near;
      for (const auto& [a, b] : problem_.pairs) {
        const std::vector<PosedClosure> of_pair = hypotheses(a, b);
        near.insert(near.end(), of_pair.begin(), of_pair.end());
      }
      const std::vector<math::Pose> before = poses();
      if (!force_cheapest(near, [&](const PosedClosure& c) { return fall.closes(c, problem_); })) return;
      settle_choice();
      open_overlaps();
      if (farthest() > options_.most) {  // too far: rather say that it falls
        problem_.forced.pop_back();
        set_poses(before);
        return;
      }
    }
  }

  // How the statics say that the scene begins to fall.
  struct Motion {
    std::vector<math::Vector6d> twists;  // by body of the scene, about the origin
    Eigen::Vector3d origin;
    explicit Motion(const LimitAnalysis& analysis) : origin(analysis.system().origin_W) {
      for (const NodeIndex node : analysis.system().node_of_body)
        twists.push_back(node.is_valid() ? analysis.falling()[node] : math::Vector6d(math::Vector6d::Zero()));
    }
    bool closes(const PosedClosure& c, const ChoiceProblem& problem) const {
      const int k = c.rows.count - 1;
      double rate = 0.0;
      for (const bool is_a : {true, false}) {
        const auto body = static_cast<std::size_t>(is_a ? c.closure.a : c.closure.b);
        if (problem.node[body] < 0) continue;
        math::Vector6d x = twists[body];
        x.tail<3>() += x.head<3>().cross(problem.bodies[body].com() - origin);
        rate += (is_a ? c.rows.J_a[k] : c.rows.J_b[k]).dot(x);
      }
      return rate < -1e-3;
    }
  };

  std::vector<PosedClosure> hypotheses(int a, int b) const {
    std::vector<PosedClosure> found;
    ClosureGate gate = problem_.gate();
    gate.gap = std::max(gate.gap, options_.most);
    find_closures(a, b, problem_.bodies, gate, found);
    return found;
  }
  template <class Admits>
  bool force_cheapest(const std::vector<PosedClosure>& near, Admits&& admits) {
    const PosedClosure* best = nullptr;
    double least = 0.0;
    for (const PosedClosure& c : near) {
      if (is_closed(c.closure)) continue;
      if constexpr (!std::is_same_v<std::decay_t<Admits>, std::nullptr_t>) {
        if (!admits(c)) continue;
      }
      // Faces before edges before corners, where they cost alike.
      const double tilt =
          c.rows.count > 1 ? c.rows.r.head(c.rows.count - 1).norm() / problem_.noise.angle : 0.0;
      const double cost = std::hypot(c.rows.gap() / problem_.noise.position, tilt) + (3 - c.rows.count);
      if (best != nullptr && cost >= least) continue;
      best = &c;
      least = cost;
    }
    if (best == nullptr) return false;
    problem_.forced.push_back(best->closure);
    return true;
  }
  bool is_closed(const Closure& closure) const {
    return std::any_of(choice_.closed.begin(), choice_.closed.end(),
                       [&](const ChosenClosure& c) { return c.closure == closure; }) ||
           std::find(problem_.forced.begin(), problem_.forced.end(), closure) != problem_.forced.end();
  }

  std::vector<math::Pose> poses() const {
    std::vector<math::Pose> poses;
    for (const PosedBody& body : problem_.bodies) poses.push_back(body.X_WB);
    return poses;
  }
  void set_poses(const std::vector<math::Pose>& poses) {
    for (std::size_t b = 0; b < poses.size(); ++b) problem_.bodies[b].X_WB = poses[b];
  }
  MendedBody moved(std::size_t b) const {
    const Eigen::Quaterniond turn = problem_.bodies[b].X_WB.q() * problem_.observed[b].q().conjugate();
    return {model::BodyIndex(b), (problem_.bodies[b].com() - problem_.observed[b] * features_[b].com).norm(),
            math::log_so3(turn).norm()};
  }
  double farthest() const {
    double farthest = 0.0;
    for (std::size_t b = 0; b < features_.size(); ++b) {
      if (problem_.node[b] >= 0) farthest = std::max(farthest, moved(b).moved);
    }
    return farthest;
  }

  static std::set<Pair> touching(const model::SceneContacts& contacts) {
    std::set<Pair> pairs;
    for (const model::SceneInterface& i : contacts.interfaces) pairs.emplace(i.body_a, i.body_b);
    for (const model::ScenePenetration& p : contacts.penetrations) pairs.emplace(p.body_a, p.body_b);
    return pairs;
  }

  void report(MendResult& result) const {
    result.scene = posed_scene();
    result.holds = holds_;
    const model::SceneContacts before = model::find_scene_contacts(scene_, options_.contact),
                               after = model::find_scene_contacts(result.scene, options_.contact),
                               exact = model::find_scene_contacts(result.scene, strict());
    const std::set<Pair> touched = touching(before);
    for (const Pair& pair : touching(after)) {
      if (!touched.contains(pair)) result.closed.push_back(pair);
    }
    for (const model::ScenePenetration& p : before.penetrations) {
      result.opened.emplace_back(p.body_a, p.body_b);
      result.deepest_before = std::max(result.deepest_before, p.depth);
    }
    char text[160];
    for (const model::ScenePenetration& p : exact.penetrations) {
      result.deepest_after = std::max(result.deepest_after, p.depth);
      std::snprintf(text, sizeof text, "still overlap by %.3g mm", 1e3 * p.depth);
      result.problems.push_back("bodies '" + scene_.bodies[p.body_a].name + "' and '" +
                                scene_.bodies[p.body_b].name + "' " + text);
    }
    for (std::size_t b = 0; b < features_.size(); ++b) {
      if (problem_.node[b] < 0) continue;
      result.bodies.push_back(moved(b));
      if (result.bodies.back().moved <= options_.most) continue;
      std::snprintf(text, sizeof text,
                    "would have to move by %.3g mm, more than the %.3g mm allowed (--most)",
                    1e3 * result.bodies.back().moved, 1e3 * options_.most);
      result.problems.push_back("body '" + scene_.bodies[b].name + "' " + text);
    }
    for (const model::BodyIndex b : after.floating) {
      if (scene_.bodies[b].movable && has_joint(scene_, b)) {
        result.problems.push_back(
            "body '" + scene_.bodies[b].name +
            "' floats and hangs on a joint: jointed bodies are not moved; move it in the scene");
        continue;
      }
      std::snprintf(text, sizeof text, "floats: nothing that could hold it is within %.3g mm (--most)",
                    1e3 * options_.most);
      result.problems.push_back("body '" + scene_.bodies[b].name + "' " + text);
    }
    result.status = result.problems.empty() ? MendStatus::ok : MendStatus::failed;
  }

  const model::Scene& scene_;
  const MendOptions& options_;
  std::vector<BodyFeatures> features_;
  ChoiceProblem start_, problem_;
  Choice choice_;
  bool holds_{false};
};

}  // namespace

const char* to_string(MendStatus status) { return enum_text(status); }

void MendOptions::validate() const {
  const math::OptionCheck check("MendOptions");
  check.above("most", most, 0.0, "m");
  if (!noise) return;
  check.above("noise.position", noise->position, 0.0, "m");
  check.above("noise.angle", noise->angle, 0.0, "rad");
  check.between("noise.angle", noise->angle, 0.0, 0.2, "rad");
}

MendResult mend(const model::Scene& scene, const MendOptions& options) {
  options.validate();
  return Mender(scene, options).run();
}

std::string MendResult::counts_text() const {
  const auto counted = [](std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  return counted(closed.size(), "contact") + " closed, " + counted(opened.size(), "overlap") + " opened";
}

std::string MendResult::brief_report() const {
  model::TextTable table({{"body", model::Align::left}, {"moved [mm]"}, {"turned [deg]"}});
  char text[200];
  for (const MendedBody& body : bodies) {
    char moved[32], turned[32];
    std::snprintf(moved, sizeof moved, "%.3f", 1e3 * body.moved);
    std::snprintf(turned, sizeof turned, "%.3f", math::degrees(body.turned));
    table.row({model::name_of(body_names, body.body), moved, turned});
  }
  std::snprintf(text, sizeof text, "%s: %s (deepest %.3g mm, now %.3g mm)\n",
                status == MendStatus::ok ? "mended" : "not mended", counts_text().c_str(),
                1e3 * deepest_before, 1e3 * deepest_after);
  std::string report = text;
  std::snprintf(text, sizeof text, "pose noise %s: %.3g mm, %.3g deg; as it now stands it %s\n",
                noise_was_given ? "given" : "found", 1e3 * noise.position, math::degrees(noise.angle),
                holds ? "holds" : "does not hold by itself");
  report += text;
  if (!table.empty()) report += table.text();
  report += model::problem_lines(problems, "  problem: ");
  return report;
}

std::string MendResult::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status));
  json.key("noise").object().field("position_m", noise.position).field("angle_rad", noise.angle);
  json.field("given", noise_was_given).end().key("bodies").array();
  for (const MendedBody& body : bodies) {
    json.object().field("name", model::name_of(body_names, body.body)).field("moved_m", body.moved);
    json.field("turned_rad", body.turned).field("X_WB", scene.bodies[body.body].X_WB).end();
  }
  json.end();
  for (const auto* pairs : {&closed, &opened}) {
    json.key(pairs == &closed ? "closed" : "opened").array();
    for (const auto& [a, b] : *pairs) {
      json.array().value(model::name_of(body_names, a)).value(model::name_of(body_names, b)).end();
    }
    json.end();
  }
  json.key("overlap_m").object().field("before", deepest_before).field("after", deepest_after).end();
  return json.field("holds", holds).field("problems", problems).end().text();
}

}  // namespace prehend::stability
