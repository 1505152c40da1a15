// The URL of a server's control plane: plain on this machine, TLS everywhere else (docs/protocol.md).
#pragma once

#include <QString>
#include <QUrl>

namespace lw {

// For "HOST:PORT": ws:// for a loopback address, else wss://. "wss://HOST:PORT" is taken literally, for a port that is
// forwarded to another machine. The URL is invalid if the address is.
QUrl control_url(const QString& address);
// HOST:PORT of such a URL, as the known servers are listed.
QString host_and_port(const QUrl& url);

}  // namespace lw
