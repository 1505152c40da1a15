// Why a server, or this program, would not have the connection. What trying again cannot mend.
#pragma once

#include <QMetaType>
#include <QString>

namespace lw {

struct Refusal {
  enum class Kind : unsigned char {
    none,
    first_use,          // a certificate that nobody has believed yet
    other_certificate,  // not the one that was believed
    bad_certificate,    // not of the authority that --ca names, or not for this address
    token,              // none, or a wrong one
    too_many,           // failures; only time helps
    other
  };
  Kind kind = Kind::none;
  QString words = {};
  QString fingerprint = {};  // what the server showed, with the first two
  QString known = {};        // what was believed, with the second
  int wait_s = 0;            // with too_many
};

}  // namespace lw

Q_DECLARE_METATYPE(lw::Refusal)
