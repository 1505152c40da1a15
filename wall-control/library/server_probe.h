// Asks the server what a source on its host is, before an import there starts: size, length, sound, a preview.
#pragma once

#include "common/messages/import_probe.h"
#include "wall-control/library/ingest_probe.h"

#include <QObject>

#include <optional>

namespace lw {

class ControlLink;

class ServerProbe : public QObject {
  Q_OBJECT

public:
  // `link` must outlive this.
  explicit ServerProbe(ControlLink& link, QObject* parent = nullptr);

  // Servers of earlier versions do not say it.
  [[nodiscard]] bool is_offered() const;
  // Instead of what was asked before.
  void ask(const IngestRequest& request);
  // An answer or a preview that is still on its way is not taken.
  void stop();

signals:
  // The preview follows: it is decoded by another thread.
  void found(const lw::IngestFacts& facts);
  void previewed(const QImage& preview);
  void failed(const QString& words);

private:
  void fail(const QString& words);
  void take(const ImportSourceMessage& source);

  ControlLink& link_;
  std::optional<ImportProbeRequest> asked_;  // and not answered yet
  int asks_ = 0;                             // so far
};

}  // namespace lw
