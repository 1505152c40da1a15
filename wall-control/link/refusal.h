// Why a server, or this program, refused the connection, if trying again cannot help.
#pragma once

#include <QMetaType>
#include <QString>

namespace lw {

struct Refusal {
  enum class Kind : unsigned char {
    none,
    first_use,          // a certificate that is not yet trusted
    other_certificate,  // not the trusted certificate
    bad_certificate,    // not from the authority that --ca names, or not for this address
    token,              // missing or wrong
    too_many,           // failures; only time helps
    other
  };
  Kind kind = Kind::none;
  QString words = {};
  QString fingerprint = {};  // of the server's certificate, with the first two
  QString known = {};        // of the trusted certificate, with the second
  int wait_s = 0;            // with too_many
};

}  // namespace lw

Q_DECLARE_METATYPE(lw::Refusal)
