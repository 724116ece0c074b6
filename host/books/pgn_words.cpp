#include "host/books/pgn_words.h"

#include "host/notation/text.h"

namespace hecatomb {

void take_out_typography(std::string_view text, std::string& out) {
  out.clear();
  while (!text.empty()) {
    std::size_t size = 1;
    const auto third = text.size() > 2 ? static_cast<unsigned char>(text[2]) : 0u;
    if ((text.starts_with("\xe2\x80") && third >= 0x90 && third <= 0x95) || text.starts_with("\xe2\x88\x92")) {
      out += '-';
      size = 3;
    } else if (text.starts_with("\xe2\x80\xa6")) {
      out += "...";
      size = 3;
    } else if (text.starts_with("\xc2\xbd")) {
      out += "1/2";
      size = 2;
    } else if (text[0] == '\xbd') {
      out += "1/2";
    } else if (text[0] == '\x96' || text[0] == '\x97') {
      out += '-';
    } else {
      out += text[0];
    }
    text.remove_prefix(size);
  }
}

std::string_view number_of(std::string_view word) {
  std::size_t digits = 0;
  while (digits < word.size() && is_digit(word[digits])) digits++;
  std::size_t number = digits;
  while (number < word.size() && word[number] == '.') number++;
  const bool is_number = number > digits || digits == word.size() || is_letter(word[digits]);
  return is_number ? word.substr(0, number) : std::string_view();
}

bool is_annotation(std::string_view word) {
  if (is_letter(word[0])) return word[0] == 'e' && (word == "e.p." || word == "ep" || word == "e.p");
  return word != "--" && word.find_first_not_of("!?+-=#/~") == std::string_view::npos;
}

std::string_view read_claim(std::string_view text) {
  std::string tight, room;
  for (const char c : text) {
    if (!is_blank(c)) tight += c;
  }
  take_out_typography(tight, room);
  return room == "*" ? "*" : result_of(room);
}

}  // namespace hecatomb
