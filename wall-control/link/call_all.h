// Lists that a server sends in pages, up to the last page.
#pragma once

#include "common/messages/library.h"
#include "common/messages/machine.h"
#include "common/messages/requests.h"
#include "wall-control/link/control_link.h"

#include <QJsonObject>
#include <QString>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace lw {

// The part of an answer that continues on the next page. Its entries have a name, after which that page begins.
inline auto& entries_of(LibraryReply& reply) { return reply.visualizations; }
inline auto& entries_of(MachinesReply& reply) { return reply.machines; }

template <class Reply>
struct ListPages {
  QString method;
  Result<Reply> (*read)(const QJsonObject& json);
  std::function<void(const Reply&)> done;
  std::optional<Reply> all{};  // until now
};

template <class Reply>
void ask_for_pages(ControlLink& link, ListPages<Reply> pages, const PageRequest& request) {
  const auto method = pages.method;
  link.call(
      method, request,
      [&link, pages = std::move(pages), after = request.after](const QJsonValue& result, const QString& error) mutable {
        if (!error.isEmpty()) return;
        auto page = pages.read(result.toObject());
        if (!page) return link.report_misread(pages.method, page.error());
        auto& entries = entries_of(*page);
        const auto last = entries.empty() ? std::nullopt : std::optional(entries.back().name);
        const bool more = page->more.value_or(false) && last && last != after;
        if (pages.all)
          std::ranges::move(entries, std::back_inserter(entries_of(*pages.all)));
        else
          pages.all = std::move(*page);
        if (more) return ask_for_pages(link, std::move(pages), PageRequest{last});
        pages.all->more.reset();
        pages.done(*pages.all);
      });
}

// `done` gets the first answer with the entries of all pages; empty if a page fails.
template <class Reply>
void call_all(ControlLink& link, const QString& method, Result<Reply> (*read)(const QJsonObject&),
              std::function<void(const Reply&)> done) {
  ask_for_pages(link, ListPages<Reply>{method, read, std::move(done)}, {});
}

}  // namespace lw
