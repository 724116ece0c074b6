// Errors of the environment: a file, a device, memory, a setting of the machine.
//
// The one idea: such an error is nobody's bug and no bad input, so it is an exception, caught in main() and turned
// into exit code 3. It always says four things: where (path), what was attempted, why it failed, and what to do.
// Bugs are assertions; bad input is a value (see the README of host/notation).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace hecatomb {

/// The exit code of the program when an EnvironmentError reaches main().
inline constexpr int kExitEnvironment = 3;

/// Something outside the program failed. what() is one line, ready to print after "error: ".
class EnvironmentError : public std::runtime_error {
 public:
  /// `where`: a path or the name of a setting; `attempted`: "open for writing", as in "cannot open for writing";
  /// `reason`: why; `remedy`: what the user can do, or empty.
  EnvironmentError(std::string where, std::string attempted, std::string reason, std::string remedy)
      : std::runtime_error(compose(where, attempted, reason, remedy)),
        path_(std::move(where)),
        attempted_(std::move(attempted)),
        reason_(std::move(reason)),
        remedy_(std::move(remedy)) {}

  /// The same with the text of an errno value as the reason.
  EnvironmentError(std::string where, std::string attempted, int error_number, std::string remedy)
      : EnvironmentError(std::move(where), std::move(attempted), std::generic_category().message(error_number),
                         std::move(remedy)) {}

  const std::string& path() const noexcept { return path_; }
  const std::string& attempted() const noexcept { return attempted_; }
  const std::string& reason() const noexcept { return reason_; }
  const std::string& remedy() const noexcept { return remedy_; }

 private:
  static std::string compose(std::string_view where, std::string_view attempted, std::string_view reason,
                             std::string_view remedy) {
    std::string text;
    text.append(where).append(": cannot ").append(attempted).append(": ").append(reason);
    if (!remedy.empty()) text.append(". ").append(remedy);
    return text;
  }

  std::string path_;
  std::string attempted_;
  std::string reason_;
  std::string remedy_;
};

}  // namespace hecatomb
