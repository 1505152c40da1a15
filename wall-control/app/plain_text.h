// Labels, message boxes and tool tips show text as it stands. Qt guesses by default whether a text is HTML, so that a
// store's title or a host's name could bring pictures, links and sizes of its own into the window. Whoever wants HTML
// says so (setTextFormat(Qt::RichText)) and escapes what is inserted.
#pragma once

class QCoreApplication;

namespace lw {

// For all windows of the program, at once and once.
void show_text_as_it_stands(QCoreApplication& program);

}  // namespace lw
