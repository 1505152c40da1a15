// Labels, message boxes and tool tips show text as plain text. By default Qt guesses whether a text is HTML, so that a
// store's title or a host's name could insert images, links and its own sizes into the window. Code that needs HTML
// sets setTextFormat(Qt::RichText) and escapes inserted texts.
#pragma once

class QCoreApplication;

namespace lw {

// For all windows of the program; called once.
void show_text_as_it_stands(QCoreApplication& program);

}  // namespace lw
