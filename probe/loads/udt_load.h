// A UDT load: for each flow a stream from memory to memory, by the library of the reliable protocol over UDP that the
// paper of 2003 measured. Its flow-control window limits it.
#pragma once

#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

namespace lw {

Result<std::unique_ptr<LoadEnd>> make_udt_sender(const LoadSpec& load, const EndAddresses& addresses);
Result<std::unique_ptr<LoadEnd>> make_udt_receiver(const LoadSpec& load, const EndAddresses& addresses);

}  // namespace lw
