// The language of the program's texts: that of the system, or the one chosen, saved between runs. The panels make their
// texts once, so that a choice has its effect at the next start. GUI thread.
#pragma once

#include <QStringList>

#include <array>

namespace lw {

enum class Language : unsigned char { system, english, german };
inline constexpr std::array languages{Language::system, Language::english, Language::german};

// English or German for a system that asks for `wanted`, the most wanted first. Only the first counts: English is as
// good as any further one.
Language language_for(const QStringList& wanted);
Language chosen_language();
void choose_language(Language language);
// Before the first widget is made. Texts that come from elsewhere (servers, nodes, the operating system) stay as they
// are, as do numbers: with a decimal point, like those in documents, exports and the terminal.
void use_language(Language language);

}  // namespace lw
