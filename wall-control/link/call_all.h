// Requests a list that arrives in pages, up to the last page.
#pragma once

#include "wall-control/link/control_link.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <functional>
#include <utility>

namespace lw {

struct ListPages {
  QString method, member;
  std::function<void(const QJsonObject&)> done;
  QJsonObject first;
  QJsonArray entries;
  QString after;  // the last name of the page before
};

inline void ask_for_pages(ControlLink& link, ListPages pages, const QJsonObject& params) {
  const auto method = pages.method;
  link.call(method, params, [&link, pages = std::move(pages)](const QJsonValue& result, const QString& error) mutable {
    if (!error.isEmpty()) return;
    const auto page = result.toObject();
    if (pages.first.isEmpty()) pages.first = page;
    const auto entries = page[pages.member].toArray();
    for (const auto& entry : entries) pages.entries.append(entry);
    const auto last = entries.isEmpty() ? QString() : entries.last().toObject()["name"].toString();
    if (page["more"].toBool() && !last.isEmpty() && last != pages.after) {
      pages.after = last;
      return ask_for_pages(link, std::move(pages), {{"after", last}});
    }
    pages.first[pages.member] = pages.entries;
    pages.first.remove("more");
    pages.done(pages.first);
  });
}

// `member` is the array that continues; its entries have a name, after which the next page begins. `done` gets the
// first answer with all entries; nothing if a page fails.
inline void call_all(ControlLink& link, const QString& method, const QString& member,
                     std::function<void(const QJsonObject&)> done) {
  ask_for_pages(link, {method, member, std::move(done), {}, {}, {}}, {});
}

}  // namespace lw
