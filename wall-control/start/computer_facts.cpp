#include "wall-control/start/computer_facts.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

namespace lw {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;
constexpr double demo_memory_gib = 2;
constexpr int demo_cpus = 2;
constexpr qsizetype fix_length_max = 500;

struct ComputerWords {
  Q_DECLARE_TR_FUNCTIONS(ComputerFacts)
};

std::optional<ComputerFact> cpus_and_memory(const QJsonObject& facts) {
  qsizetype cpus = 0;
  for (const auto& core : facts["topology"]["cores"].toArray()) cpus += core.toObject()["cpus"].toArray().size();
  const double memory = facts["limits"]["memory_available_bytes"].toDouble() / gib;
  if (cpus <= 0 || memory <= 0) return std::nullopt;
  const bool enough = cpus >= demo_cpus && memory >= demo_memory_gib;
  const auto count = cpus == 1 ? ComputerWords::tr("1 CPU") : ComputerWords::tr("%1 CPUs").arg(cpus);
  return ComputerFact{enough ? State::ok : State::warn,
                      ComputerWords::tr("%1, %2 GiB free").arg(count).arg(memory, 0, 'f', memory < 100 ? 1 : 0),
                      enough ? ComputerWords::tr("Enough for a 2 \u00d7 2 wall")
                             : ComputerWords::tr("A 2 \u00d7 2 wall may stutter here")};
}

std::optional<ComputerFact> receive_buffers(const QJsonObject& report) {
  const double bytes = report["facts"]["limits"]["rmem_max_bytes"].toDouble();
  if (bytes <= 0) return std::nullopt;
  const auto size = bytes < 1024 * 1024 ? ComputerWords::tr("%1 KiB").arg(bytes / 1024, 0, 'f', 0)
                                        : ComputerWords::tr("%1 MiB").arg(bytes / 1024 / 1024, 0, 'f', 0);
  ComputerFact fact{State::ok, ComputerWords::tr("Receive buffers of %1").arg(size),
                    ComputerWords::tr("As large as a wall needs")};
  for (const auto& entry : report["findings"].toArray()) {
    const auto finding = entry.toObject();
    if (finding["what"].toString() != "net.core.rmem_max" || finding["level"].toString() == "ok") continue;
    fact.state = State::warn;
    fact.about = ComputerWords::tr("Fine here; too small above 1 Gbit/s");
    fact.fix = finding["mend"].toString().left(fix_length_max);
  }
  return fact;
}

}  // namespace

std::vector<ComputerFact> computer_facts(const QByteArray& doctor) {
  const auto report = QJsonDocument::fromJson(doctor).object();
  std::vector<ComputerFact> facts;
  if (const auto fact = cpus_and_memory(report["facts"].toObject())) facts.push_back(*fact);
  if (const auto fact = receive_buffers(report)) facts.push_back(*fact);
  return facts;
}

ComputerFact port_fact(bool in_use) {
  if (in_use)
    return {State::note, ComputerWords::tr("Port 9010 is in use"),
            ComputerWords::tr("A server may run on this computer already")};
  return {State::ok, ComputerWords::tr("Port 9010 is free"), ComputerWords::tr("For a server on this computer")};
}

}  // namespace lw
