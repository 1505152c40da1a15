// Where a server's control plane is: plain on this machine, TLS everywhere else (docs/protocol.md).
#pragma once

#include <QString>
#include <QUrl>

namespace lw {

// Of "HOST:PORT": ws:// for a loopback address, else wss://; of "wss://HOST:PORT" as it says, for a port that is
// forwarded to another machine. Not valid where that is no address.
QUrl control_url(const QString& address);
// HOST:PORT of such a URL, as the known servers are listed.
QString host_and_port(const QUrl& url);

}  // namespace lw
