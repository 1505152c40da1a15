// wall-server --prometheus-targets: the wall's servers for Prometheus, as a file that file_sd_configs reads
// (https://prometheus.io/docs/prometheus/2.42/configuration/configuration/#file_sd_config). Any thread.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"

#include <filesystem>
#include <string>

namespace lw {

// JSON: one target for each server, which is its control port, with the labels `wall`, `server` and `coordinator`
// ("true" or "false"). Off loopback `__scheme__` makes Prometheus use TLS.
Result<std::string> prometheus_targets(const Wall& wall);

// Writes them so that Prometheus, which watches the file, finds the old or the new one.
Result<void> write_prometheus_targets(const Wall& wall, const std::filesystem::path& file);

}  // namespace lw
