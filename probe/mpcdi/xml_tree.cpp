#include "probe/mpcdi/xml_tree.h"

#include "common/base/printable.h"
#include "common/base/short_text.h"
#include "probe/mpcdi/id_text.h"

#include <fmt/format.h>
#include <libxml/parser.h>

#include <algorithm>
#include <memory>

namespace lw {
namespace {

std::string text_of(const xmlChar* text) { return text == nullptr ? "" : reinterpret_cast<const char*>(text); }

std::string trimmed(const std::string& text) {
  constexpr const char* white = " \t\r\n";
  const auto first = text.find_first_not_of(white);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(white) - first + 1);
}

// The values of all texts in an attribute or an element. Without a document type there are no entities among them.
std::string texts_in(const xmlNode* first) {
  std::string text;
  for (const auto* node = first; node != nullptr; node = node->next)
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) text += text_of(node->content);
  return trimmed(text);
}

// Elements lie at most 256 deep: libxml2 refuses more.
XmlElement copied(const xmlNode& from) {
  XmlElement element{lower_case(text_of(from.name)), from.line, {}, texts_in(from.children), {}};
  for (const auto* attribute = from.properties; attribute != nullptr; attribute = attribute->next)
    element.attributes.emplace_back(lower_case(text_of(attribute->name)), texts_in(attribute->children));
  for (const auto* node = from.children; node != nullptr; node = node->next)
    if (node->type == XML_ELEMENT_NODE) element.children.push_back(copied(*node));
  return element;
}

// libxml2 calls this at a DOCTYPE, before it reads what that defines.
void refuse_document_type(void* context, const xmlChar* /*name*/, const xmlChar* /*id*/, const xmlChar* /*system*/) {
  auto* parser = static_cast<xmlParserCtxt*>(context);
  *static_cast<bool*>(parser->_private) = true;
  xmlStopParser(parser);
}

Error not_xml(const xmlParserCtxt& parser) {
  auto problem = trimmed(parser.lastError.message == nullptr ? "it ends early" : parser.lastError.message);
  std::ranges::replace(problem, '\n', ' ');
  return {fmt::format("{}: is not XML: {}", std::max(parser.lastError.line, 1), printable(short_text(problem, 160))),
          "export the file again"};
}

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const {
  const auto found = std::ranges::find(attributes, wanted, &std::pair<std::string, std::string>::first);
  return found == attributes.end() ? nullptr : &found->second;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  const auto found = std::ranges::find(children, wanted, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

Result<XmlElement> parse_xml(std::string_view text) {
  if (text.size() > xml_bytes_max)
    return Error{fmt::format("1: has more than {} MiB", xml_bytes_max >> 20U), "export fewer projectors in one file"};
  xmlInitParser();
  const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxtPtr)> parser(xmlNewParserCtxt(), xmlFreeParserCtxt);
  if (!parser) return Error{"1: no memory is left to read it", "stop other programs"};
  bool has_type = false;
  parser->_private = &has_type;
  parser->sax->internalSubset = refuse_document_type;
  const std::unique_ptr<xmlDoc, void (*)(xmlDocPtr)> document(
      xmlCtxtReadMemory(parser.get(), text.data(), static_cast<int>(text.size()), nullptr, nullptr,
                        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING),
      xmlFreeDoc);
  if (has_type)
    return Error{fmt::format("{}: has a DOCTYPE, which can define entities", parser->input ? parser->input->line : 1),
                 "remove it: MPCDI has none"};
  const auto* root = document ? xmlDocGetRootElement(document.get()) : nullptr;
  if (root == nullptr) return not_xml(*parser);
  return copied(*root);
}

}  // namespace lw
