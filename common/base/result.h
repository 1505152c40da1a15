// Expected failures are values: a Result<T> holds a T or an Error that says what failed and how to fix it. Programming
// errors assert; exceptions stay inside the folder whose library throws them.
#pragma once

#include <boost/system/result.hpp>

#include <string>
#include <utility>

namespace lw {

// what: what is wrong ("walls/a.toml:12: tile (3, 0) lies outside the wall").
// `mend`: what the user can do about it; may be empty if `what` already says it.
struct Error {
  std::string what;
  std::string mend;

  // One line for stderr: `what; mend`.
  [[nodiscard]] std::string text() const { return mend.empty() ? what : what + "; " + mend; }
  // Adds where the failure happened, on its way up: "where: what".
  [[nodiscard]] Error in(const std::string& where) && { return {where + ": " + what, std::move(mend)}; }
};

// Boost calls this when value() is called on an Error. That is a programming error, so it must not be caught.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace lw
