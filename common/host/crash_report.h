// What a program that crashes leaves behind: a line with the signal and the thread, and where in the code every caller
// was, on stderr. Then the signal does what it does without this, so that the host has its core file.
#pragma once

namespace lw {

// Call once, first thing in main. `program` must last; it is what the lines begin with.
void report_crashes(const char* program);

}  // namespace lw
