#include "wall-control/link/control_url.h"

#include <QHostAddress>

namespace lw {
namespace {

bool is_this_machine(const QString& host) {
  return host.compare("localhost", Qt::CaseInsensitive) == 0 || QHostAddress(host).isLoopback();
}

}  // namespace

QUrl control_url(const QString& address) {
  const bool says_so = address.startsWith("wss://");
  QUrl url(says_so ? address : "wss://" + address);
  if (!url.isValid() || url.host().isEmpty() || url.port() <= 0 || !url.path().isEmpty() || !url.userInfo().isEmpty() ||
      url.hasQuery() || url.hasFragment())
    return {};
  if (!says_so && is_this_machine(url.host())) url.setScheme("ws");
  return url;
}

QString host_and_port(const QUrl& url) {
  const auto host = url.host().toLower();
  return QString(host.contains(':') ? "[%1]:%2" : "%1:%2").arg(host).arg(url.port());
}

}  // namespace lw
