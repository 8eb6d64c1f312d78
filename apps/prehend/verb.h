// What a verb of the command line is: a name, arguments, and a function from them to an Answer.
//
// Verbs know neither the argument parser nor how answers are printed; main.cpp knows both. A verb calls one function
// of the library and turns its Result into an Answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/contact_system.h>
#include <prehend/stability/mend.h>

namespace prehend::cli {

// Options that every verb has.
struct Shared {
  bool json{false};
  bool quiet{false};
  std::string out;  // folder for report and artefacts; empty: none
  std::uint64_t seed{0};
  int threads{0};  // 0: as many as the machine has cores
};

// Declares arguments; values are written through the references before the verb runs.
class Arguments {
 public:
  virtual ~Arguments() = default;
  virtual void positional(const std::string& name, std::string& value, const std::string& help) = 0;
  virtual void optional(const std::string& name, std::string& value, const std::string& help) = 0;
  virtual void flag(const std::string& name, bool& value, const std::string& help) = 0;
  virtual void option(const std::string& name, std::string& value, const std::string& help) = 0;
  virtual void option(const std::string& name, double& value, const std::string& help) = 0;
  virtual void option(const std::string& name, int& value, const std::string& help) = 0;
  // Comma-separated or repeated.
  virtual void option(const std::string& name, std::vector<std::string>& values, const std::string& help) = 0;
  // As many words as `what` names, apart by spaces: words("--at", "BODY x y z", ...).
  virtual void words(const std::string& name, const std::string& what, std::vector<std::string>& values,
                     const std::string& help) = 0;
  // The same, any number of times: the words of all, one after the other.
  virtual void repeated_words(const std::string& name, const std::string& what,
                              std::vector<std::string>& values, const std::string& help) = 0;
};

enum class ExitCode { answer = 0, defect = 1, bad_input = 2, no_answer = 3, interrupted = 130 };

struct Answer {
  ExitCode code{ExitCode::answer};
  std::string status;                  // JSON `status`
  double time_ms{0.0};                 // computation alone, without loading
  std::string document;                // a JSON object with the verb's own fields: the result's to_json()
  std::string text;                    // the readable form
  std::string error{};                 // one sentence, where the code is not `answer`
  std::vector<std::string> written{};  // files under --out; filled after the verb has run
};

// What a verb says of a result of the library; exit code 3 where it is no answer, for the reason given.
template <class Result>
Answer answer_of(const Result& result, double time_ms, bool is_answer, const std::string& reason) {
  return {is_answer ? ExitCode::answer : ExitCode::no_answer,
          to_string(result.status),
          time_ms,
          result.to_json(),
          result.brief_report(),
          is_answer ? "" : reason};
}

// The same where the status `ok`, and no other, is an answer.
template <class Result>
Answer answer_of(const Result& result, double time_ms, const std::string& reason) {
  return answer_of(result, time_ms, result.status == decltype(result.status)::ok, reason);
}

// Adds `files{name: path}` to the answer's document, without those whose path is empty.
void add_files(Answer& answer, const std::vector<std::pair<std::string, std::string>>& paths);

// A usage mistake found by the verb itself; exit code 2, like what the parser finds.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// No answer, and the reason; exit code 3.
class NoAnswerError : public std::runtime_error {
 public:
  NoAnswerError(std::string status, const std::string& reason)
      : std::runtime_error(reason), status_(std::move(status)) {}
  const std::string& status() const { return status_; }

 private:
  std::string status_;
};

struct Verb {
  std::string name;
  std::string summary;
  std::string example;  // one command line that works where data/ is; help has the installed files' paths
  std::function<void(Arguments&)> declare;
  std::function<Answer(const Shared&)> run;
  std::vector<Verb> parts{};  // `prehend NAME PART ...`; a verb with parts declares and runs nothing itself
  bool until_interrupted{false};  // Ctrl-C is its usual end, which it sees to itself; no progress is shown
};

// The options of every verb that reads a scene.
struct SceneArguments {
  double friction{model::SceneOptions{}.friction};
  double density{model::SceneOptions{}.density};
  std::vector<std::string> fixed, movable, joint_torque;
  bool keep_facets{false};

  void declare(Arguments& arguments);
  model::SceneOptions options() const;
};

// How a scene is mended.
struct MendArguments {
  std::vector<std::string> noise;  // two words, or none
  double most{stability::MendOptions{}.most};

  void declare(Arguments& arguments);
  stability::MendOptions options(const std::string& contact_tolerance) const;
};

// --mend of verbs that ask something else: the scene is mended first, and the answer says so.
class MendFlag {
 public:
  bool asked{false};
  MendArguments mend;

  void declare(Arguments& arguments);
  // The scene as it is where it was not asked for. Throws NoAnswerError where it cannot be mended.
  model::Scene mended(model::Scene scene, const std::string& contact_tolerance);
  // Adds what was mended: "mended" in the document, a line in the text.
  Answer with_repairs(Answer answer) const;

 private:
  std::string document_, text_;
};

// --interfaces: true for `stored`, false for `computed`; a UsageError otherwise.
bool takes_stored_interfaces(const std::string& word);
inline constexpr char kInterfacesHelp[] = "computed, or stored: those that a COMPAS file holds";

inline constexpr char kToleranceHelp[] =
    "Bodies this close touch [m]; without: 1e-4, or 5e-4 of the smaller body's diagonal where that is more";

// The arguments of every verb that asks how a scene holds.
struct StabilityArguments {
  std::string file;
  SceneArguments scene;
  std::string contact_tolerance;  // [m] empty: as the library chooses
  bool settle{false};
  MendFlag mend;
  double fixed_above{0.0};
  std::vector<std::string> acceleration;

  void declare(Arguments& arguments);
  stability::ContactSystemOptions system(const Shared& shared) const;
  // The scene as written, mended or settled; throws NoAnswerError when it cannot be mended or does not come to rest.
  model::Scene read();
  // The same of a scene that was read.
  model::Scene prepared(model::Scene as_written);
};

// The sentences in one line, apart by "; ": each once, five at most and how many more.
std::string joined(const std::vector<std::string>& sentences);

// Three words as a vector; a UsageError names the option.
Eigen::Vector3d vector_of(const std::string& option, const std::vector<std::string>& words,
                          std::size_t first = 0);

double number_of(const std::string& option, const std::string& word);

// [m] Of a unit's name, or of a number.
double metres_of(const std::string& option, const std::string& unit);

// One function per verb, each in its own file.
Verb identify_verb();
Verb inspect_verb();
Verb contacts_verb();
Verb mend_verb();
Verb forces_verb();
Verb robustness_verb();
Verb transport_verb();
Verb place_verb();
Verb disassemble_verb();
Verb excite_verb();
Verb segment_verb();
Verb joint_verb();
Verb discover_verb();
Verb topology_verb();
Verb simulate_object_verb();
Verb markers_verb();
Verb freedom_verb();
Verb watch_verb();
Verb execute_verb();
Verb assist_verb();
Verb demo_verb();
Verb reproduce_verb();
Verb version_verb();
Verb view_verb();
// With parts, each a verb in its own file: knot read is knot_read_verb() in knot_read.cpp.
Verb knot_verb();
Verb knot_read_verb();
Verb knot_moves_verb();
Verb knot_draw_verb();
Verb knot_name_verb();
Verb knot_plan_verb();
// Knows the other verbs.
Verb completion_verb(const std::vector<Verb>& verbs);

class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_{std::chrono::steady_clock::now()};
};

}  // namespace prehend::cli
