// A trial as a page of a report: the replay with forces, the states over time, and the plots that the source shows.
#pragma once

#include <string>

#include <prehend/assist/scenario.h>
#include <prehend/assist/trial.h>
#include <prehend/report/page.h>

namespace prehend::assist {

report::Page trial_page(const Scenario& scenario, const TrialResult& result);

// What the tablet shows for a contact: robot and person as a schematic figure, the hand that acts and the place it goes to. SVG.
std::string tablet_picture(const ContactSpec& contact);

}  // namespace prehend::assist
