// Decodes images of a server away from the GUI's thread.
#pragma once

#include <QImage>
#include <QJsonValue>

#include <functional>

class QObject;

namespace lw {

// `done` runs on the GUI thread, unless `owner` is gone or it is not an image.
void read_image(const QJsonValue& answer, QObject* owner, const std::function<void(const QImage&)>& done);

}  // namespace lw
