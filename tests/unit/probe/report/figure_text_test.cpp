#include "probe/report/figure_text.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

TEST_CASE("a figure's name gives the label of its axis") {
  CHECK(figure_label("gbit_per_s") == "throughput, Gbit/s");
  CHECK(figure_label("jitter_us_p99") == "jitter, 99th percentile, µs");
  CHECK(figure_label("loss_run_max") == "loss run, largest");
  CHECK(figure_label("barrier_wait_ms_mean") == "barrier wait, mean, ms");
  CHECK(figure_label("loss") == "loss, share");
  CHECK(figure_label("bursts_gbit_per_s") == "bursts: throughput, Gbit/s");
  CHECK(figure_label("flow_gbit_per_s_stddev") == "throughput of a flow, standard deviation, Gbit/s");
  CHECK(figure_label("receiver_cpu_s_per_gb") == "receiver's CPU time, s/GB");
  CHECK(figure_label("flow_jitter_us_median") == "mean jitter of a flow, median, µs");
  CHECK(figure_label("bursts_flow_gbit_per_s_median") == "bursts: throughput of a flow, median, Gbit/s");
  CHECK(figure_label("flow_loss_max") == "loss of a flow, share, largest");
  CHECK(figure_label("us") == "µs");
  CHECK(figure_label("bus") == "bus");
  CHECK(figure_label("max") == "max");
}

TEST_CASE("figures are defined if a definition is known") {
  CHECK(figure_definition("jitter_us_p99").find("RFC 3550") != std::string::npos);
  CHECK(figure_definition("reordered").find("RFC 4737") != std::string::npos);
  CHECK(figure_definition("furlongs").empty());
  CHECK(figure_text(26.754321) == "26.754");
}

}  // namespace
}  // namespace lw
