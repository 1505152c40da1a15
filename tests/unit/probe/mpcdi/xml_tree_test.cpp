#include "probe/mpcdi/xml_tree.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

std::string error_of(const std::string& text) {
  const auto parsed = parse_xml(text);
  REQUIRE_FALSE(parsed.has_value());
  CHECK_FALSE(parsed.error().mend.empty());
  CHECK(parsed.error().text().find('\n') == std::string::npos);
  return parsed.error().text();
}

}  // namespace

TEST_CASE("an XML document becomes a tree with names in lower case") {
  const auto root = parse_xml(
      "<?xml version=\"1.0\"?>\n<A:Top Xsize=' 1&#50; ' xmlns:A='u'>\n <In>\n one <![CDATA[<two>]]> "
      "<!-- no -->three </In><in/>\n</A:Top>");
  REQUIRE(root.has_value());
  CHECK(root->name == "top");
  CHECK(root->line == 2);
  REQUIRE(root->attribute("xsize") != nullptr);
  CHECK(*root->attribute("xsize") == "12");
  CHECK(root->attribute("ysize") == nullptr);
  REQUIRE(root->children.size() == 2);
  CHECK(root->child("in") == &root->children[0]);
  CHECK(root->child("in")->text == "one <two> three");
  CHECK(root->child("in")->line == 3);
  CHECK(root->child("out") == nullptr);
}

TEST_CASE("a document type is refused before it defines anything") {
  std::string laughs = "<?xml version=\"1.0\"?>\n<!DOCTYPE MPCDI [\n<!ENTITY a \"ha\">\n";
  for (char name = 'b'; name <= 'z'; ++name) {
    laughs += std::string("<!ENTITY ") + name + " \"";
    for (int i = 0; i < 20; ++i) laughs += std::string("&") + static_cast<char>(name - 1) + ";";
    laughs += "\">\n";
  }
  const auto refused = "has a DOCTYPE, which can define entities; remove it: MPCDI has none";
  CHECK(error_of(laughs + "]>\n<MPCDI x='&z;'>&z;</MPCDI>").find(refused) != std::string::npos);
  for (const auto* type :
       {"<!DOCTYPE MPCDI SYSTEM \"file:///etc/passwd\">", "<!DOCTYPE MPCDI PUBLIC \"x\" \"http://127.0.0.1:9/\">",
        "<!DOCTYPE MPCDI [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>", "<!DOCTYPE MPCDI>"})
    CHECK(error_of(std::string(type) + "<MPCDI>&e;</MPCDI>").find(refused) != std::string::npos);
}

TEST_CASE("what is not XML is an error with its line") {
  CHECK(error_of("").find("is not XML") != std::string::npos);
  CHECK(error_of("<a>\n<b>\n</a>").starts_with("3: is not XML: "));
  CHECK(error_of("<a>&e;</a>").find("is not XML") != std::string::npos);
  CHECK(error_of("<a x='1' x='2'/>").find("is not XML") != std::string::npos);
  CHECK(error_of(std::string("<a>\0</a>", 8)).find("is not XML") != std::string::npos);
  CHECK(error_of("<a b\xff='1'/>").find("is not XML") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<a>";
  CHECK(error_of(deep).find("is not XML") != std::string::npos);
  CHECK(error_of("<a>" + std::string(xml_bytes_max, ' ') + "</a>").find("more than 2 MiB") != std::string::npos);
}
