// The box above a plot in which the operator chooses what it shows.
#pragma once

#include "wall-control/models/quantity.h"

#include <QComboBox>

namespace lw {

// All quantities by their titles; the data is the Quantity as int. Lies at the top left of `plot`.
QComboBox* make_quantity_choice(QWidget* plot);

}  // namespace lw
