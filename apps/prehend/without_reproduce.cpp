#include <memory>

#include "verb.h"

namespace prehend::cli {

// Stands for reproduce.cpp in a program that was built by `make demo`.
Verb reproduce_verb() {
  const auto id = std::make_shared<std::string>();
  return {"reproduce", "Compute a published table or figure again, theirs and ours side by side",
          "prehend reproduce table-4.1",
          [id](Arguments& arguments) { arguments.optional("ID", *id, "Which; without it, what there is"); },
          [](const Shared&) -> Answer {
            throw UsageError("this program was built without the tables and figures; `make build` adds them");
          }};
}

}  // namespace prehend::cli
