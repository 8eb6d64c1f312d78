// Any bytes as a contact relation; what is accepted must be one.
// Instrumented: contact_relation.cpp
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <prehend/model/input_error.h>
#include <prehend/observation/contact_relation.h>
#include <prehend/observation/second_order.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const prehend::observation::ContactRelation relation =
        prehend::observation::parse_contact_relation(text, "fuzz.json");
    relation.validate();
    const prehend::observation::SecondOrderContacts contacts(relation);
    (void)contacts.judge(prehend::math::Vector6d::Ones());
  } catch (const std::invalid_argument&) {
    // Contacts whose sides do not fit, or a relation that is none.
  } catch (const prehend::observation::UndecidedError&) {
    // Too many singular contacts.
  } catch (const prehend::model::InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
