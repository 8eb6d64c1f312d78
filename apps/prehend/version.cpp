#include "verb.h"

namespace prehend::cli {

Verb version_verb() {
  return {"version", "Print the version", "prehend version", nullptr, [](const Shared&) {
            Answer answer;
            answer.status = "ok";
            answer.document = R"({"status":"ok","version":")" PREHEND_VERSION R"("})";
            answer.text = "prehend " PREHEND_VERSION "\n";
            return answer;
          }};
}

}  // namespace prehend::cli
