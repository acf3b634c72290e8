// Reads the JSON of vector files, which is trusted: what is not as expected ends the test.
#ifndef PHALANX_TESTS_JSON_HPP
#define PHALANX_TESTS_JSON_HPP

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace json {

[[noreturn]] inline void fail(const std::string& what) { throw std::runtime_error("json: " + what); }

/// A value. Numbers, true, false and null keep their text.
class Value {
 public:
  enum class Kind { text, string, list, object };

  Kind kind = Kind::text;
  std::string text;
  /// Of a list, or of an object by the names beside them.
  std::vector<Value> items;
  std::vector<std::string> names;

  const Value* find(std::string_view name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return &items[i];
    return nullptr;
  }
  const Value& operator[](std::string_view name) const {
    const Value* found = find(name);
    if (found == nullptr) fail("no member " + std::string(name));
    return *found;
  }
  const std::vector<Value>& list() const {
    if (kind != Kind::list) fail("no list: " + text);
    return items;
  }
  bool is_null() const { return kind == Kind::text && text == "null"; }
  bool is_true() const { return kind == Kind::text && text == "true"; }

  /// A decimal number, quoted or not.
  std::uint64_t number() const {
    std::size_t used = 0;
    const std::uint64_t value = std::stoull(text, &used, 10);
    if (used != text.size() || text.front() == '-') fail("no number: " + text);
    return value;
  }
  /// Decimal numbers.
  std::vector<std::uint64_t> numbers() const {
    std::vector<std::uint64_t> all;
    for (const Value& item : list()) all.push_back(item.number());
    return all;
  }
  /// The bytes of hexadecimal digits.
  std::vector<std::uint8_t> bytes() const {
    if (kind != Kind::string || text.size() % 2 != 0) fail("no hexadecimal digits: " + text);
    const auto digit = [this](char c) -> unsigned {
      if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
      if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
      if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
      fail("no hexadecimal digits: " + text);
    };
    std::vector<std::uint8_t> all;
    for (std::size_t i = 0; i < text.size(); i += 2)
      all.push_back(static_cast<std::uint8_t>(digit(text[i]) * 16 + digit(text[i + 1])));
    return all;
  }
};

class Parser {
 public:
  explicit Parser(std::string_view source) : source_(source) {}

  Value document() {
    Value value = this->value();
    skip();
    if (at_ != source_.size()) fail("more than one value");
    return value;
  }

 private:
  std::string_view source_;
  std::size_t at_ = 0;

  void skip() {
    while (at_ < source_.size() && std::string_view(" \t\r\n").find(source_[at_]) != std::string_view::npos) ++at_;
  }
  char peek() {
    skip();
    if (at_ == source_.size()) fail("ends early");
    return source_[at_];
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void want(char c) {
    if (!take(c)) fail(std::string("wanted ") + c + " at byte " + std::to_string(at_));
  }

  Value value() {
    Value value;
    switch (peek()) {
      case '{':
        value.kind = Value::Kind::object;
        ++at_;
        for (bool more = !take('}'); more; more = !take('}')) {
          if (!value.names.empty()) want(',');
          value.names.push_back(string());
          want(':');
          value.items.push_back(this->value());
        }
        break;
      case '[':
        value.kind = Value::Kind::list;
        ++at_;
        for (bool more = !take(']'); more; more = !take(']')) {
          if (!value.items.empty()) want(',');
          value.items.push_back(this->value());
        }
        break;
      case '"':
        value.kind = Value::Kind::string;
        value.text = string();
        break;
      default:
        while (at_ < source_.size() && std::string_view(",]} \t\r\n").find(source_[at_]) == std::string_view::npos)
          value.text += source_[at_++];
        if (value.text.empty()) fail("no value at byte " + std::to_string(at_));
    }
    return value;
  }

  std::string string() {
    want('"');
    std::string text;
    while (at_ < source_.size() && source_[at_] != '"') {
      // Escapes stand in remarks only; they are kept as they are.
      if (source_[at_] == '\\') text += source_[at_++];
      if (at_ < source_.size()) text += source_[at_++];
    }
    want('"');
    return text;
  }
};

/// All of a file.
inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The value in a file.
inline Value read(const std::string& path) { return Parser(contents(path)).document(); }

}  // namespace json

#endif
