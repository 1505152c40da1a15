// Reports a crash on stderr: a line with the signal and the thread, then the position in the code of every caller. The
// signal then has its usual effect, so that the host gets its core file.
#pragma once

namespace lw {

// Call once, at the start of main. `program` must stay valid; it is the prefix of the lines.
void report_crashes(const char* program);

}  // namespace lw
