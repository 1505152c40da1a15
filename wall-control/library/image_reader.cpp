#include "wall-control/library/image_reader.h"

#include "wall-control/messages/told.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace lw {

void read_image(const QJsonValue& answer, QObject* owner, const std::function<void(const QImage&)>& done) {
  const auto told = image_from(answer.toObject());
  if (!told) return;
  QThreadPool::globalInstance()->start(
      [base64 = QByteArray::fromStdString(told->base64), guard = QPointer<QObject>(owner), done] {
        const auto image = QImage::fromData(QByteArray::fromBase64(base64));
        if (image.isNull()) return;
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [image, guard, done] {
              if (guard) done(image);
            },
            Qt::QueuedConnection);
      });
}

}  // namespace lw
