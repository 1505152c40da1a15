#include "wall-control/library/server_probe.h"

#include "wall-control/library/image_reader.h"
#include "wall-control/library/server_import.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/rate_number.h"

#include <QPointer>

#include <algorithm>

namespace lw {
namespace {

constexpr const char* probe_method = "import.probe";
constexpr const char* answer_method = "import.source";

IngestFacts facts_of(const ImportSourceMessage& source) {
  IngestFacts facts;
  facts.name = QString::fromStdString(source.name);
  facts.width = static_cast<int>(source.width);
  facts.height = static_cast<int>(source.height);
  facts.frames_per_s = rate_number(QString::fromStdString(source.frame_rate));
  if (source.frames) facts.frames = static_cast<qint64>(*source.frames);
  if (source.input_bytes) facts.input_bytes = static_cast<double>(*source.input_bytes);
  if (source.bytes) facts.bytes = static_cast<double>(*source.bytes);
  facts.sound_channels = static_cast<int>(source.sound_channels);
  facts.hidden = source.hidden_share;
  facts.hdr = source.hdr;
  return facts;
}

}  // namespace

ServerProbe::ServerProbe(ControlLink& link, QObject* parent) : QObject(parent), link_(link) {
  connect(&link, &ControlLink::told, this, [this](const QString& method, const QJsonObject& params) {
    if (method != answer_method || !asked_) return;
    if (const auto source = import_source_from(params))
      take(*source);
    else
      fail(QString::fromStdString(source.error().what));
  });
  connect(&link, &ControlLink::state_changed, this, [this](ControlLink::State state) {
    if (state != ControlLink::State::ready) fail(tr("The connection to the server was lost"));
  });
}

bool ServerProbe::is_offered() const {
  const auto& methods = link_.info().methods;
  return std::ranges::find(methods, probe_method) != methods.end();
}

void ServerProbe::stop() {
  asked_.reset();
  ++asks_;
}

void ServerProbe::ask(const IngestRequest& request) {
  stop();
  const auto message = import_request_of(request);
  asked_ = ImportProbeRequest{message.input, message.fit, message.format};
  link_.call(probe_method, *asked_,
             [this, alive = QPointer(this), ask = asks_](const QJsonValue& /*result*/, const QString& error) {
               if (alive && ask == asks_ && !error.isEmpty()) fail(error);
             });
}

void ServerProbe::fail(const QString& words) {
  if (!asked_) return;
  asked_.reset();
  emit failed(words);
}

void ServerProbe::take(const ImportSourceMessage& source) {
  if (source.input != asked_->input || source.fit != asked_->fit || source.format != asked_->format)
    return;  // asked before
  if (!source.reason.empty()) return fail(QString::fromStdString(source.reason));
  asked_.reset();
  emit found(facts_of(source));
  if (source.preview.empty()) return;
  const QJsonObject image{{"mime", "image/jpeg"}, {"base64", QString::fromStdString(source.preview)}};
  read_image(image, this, [this, ask = asks_](const QImage& preview) {
    if (ask == asks_) emit previewed(preview);
  });
}

}  // namespace lw
