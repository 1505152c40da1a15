#include "wall-control/sessions/record_once.h"

#include "common/base/print.h"
#include "wall-control/sessions/recorder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cstdio>

namespace lw {
namespace {

void fail(const QString& words) {
  print_error("wall-control: {}", qUtf8Printable(words));
  QCoreApplication::exit(1);
}

}  // namespace

int record_once(const QString& address, const Access& access, const QString& folder, double seconds) {
  ControlLink link;
  link.set_trust(access.trust);
  Recorder recorder(link);
  const auto problem = recorder.start(folder, address);
  if (!problem.isEmpty()) {
    print_error("wall-control: {}", qUtf8Printable(problem));
    return 1;
  }
  QObject::connect(&recorder, &Recorder::failed, &link, fail);
  QObject::connect(&link, &ControlLink::state_changed, &link, [&](ControlLink::State state, const QString& text) {
    if (state != ControlLink::State::refused) return;
    if (!believe_aloud(link.refusal(), address, access.trust.known)) return fail(text);
    link.connect_to(address, access.token);
  });
  QTimer::singleShot(static_cast<int>(seconds * 1000), &link, [] { QCoreApplication::exit(0); });
  QTimer::singleShot(0, &link, [&] { link.connect_to(address, access.token); });
  const int status = QCoreApplication::exec();
  if (status != 0) return status;
  if (recorder.statistics() > 0) {
    print_out("{} statistics recorded to {}\n", static_cast<long long>(recorder.statistics()), qUtf8Printable(folder));
    return 0;
  }
  recorder.stop();
  QFile::remove(QDir(folder).filePath(session_file));  // so that the same command works once the server runs
  print_error("wall-control: nothing was heard from {} ({}); is the wall-server running there?",
              qUtf8Printable(address), qUtf8Printable(link.state_text()));
  return 1;
}

}  // namespace lw
