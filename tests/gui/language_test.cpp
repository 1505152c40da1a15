// Every text of the program has a finished German translation with the same places for values, and the window asks for
// no text that has none.
#include "tests/gui/fake_server.h"
#include "tests/gui/own_language.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "tests/gui/texts_file.h"
#include "wall-control/app/main_window.h"
#include "wall-control/ui/within_sentence.h"

#include <QAction>
#include <QActionGroup>
#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>

#include <memory>

using namespace lw;

namespace {

const QString german_file = "wall-control/translations/wall-control_de.ts";

// As in wall-control/translations/README.md.
const QStringList update{"wall-control",     "-I", ".",       "-locations",       "none",  "-no-obsolete",
                         "-source-language", "en", "-silent", "-target-language", "de_DE", "-ts"};

QStringList found(const QString& text, const char* pattern) {
  QStringList all;
  for (auto match = QRegularExpression(pattern).globalMatch(text); match.hasNext();) all << match.next().captured();
  all.sort();
  return all;
}

// Asked last, for what no other translator has.
class Missing : public QTranslator {
public:
  [[nodiscard]] bool isEmpty() const override { return false; }
  [[nodiscard]] QString translate(const char* context, const char* source, const char*, int) const override {
    // Qt's own texts are those of another package.
    if (*context != 'Q' || QByteArray(context) == "QObject") texts_ << QString("%1: %2").arg(context, source);
    return {};
  }
  [[nodiscard]] const QStringList& texts() const { return texts_; }

private:
  mutable QStringList texts_;
};

}  // namespace

class LanguageTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QDir source_{qEnvironmentVariable("LW_SOURCE")};

private slots:
  void initTestCase() {
    test::keep_settings_in(folder_.path());
    if (!source_.exists(german_file)) QSKIP("LW_SOURCE is not set to the sources");
  }
  void cleanup() {
    QSettings().clear();
    test::speak(Language::english);
  }

  void every_text_of_the_sources_is_translated() {
    const auto copy = folder_.filePath("wall-control_de.ts");
    QVERIFY(QFile::copy(source_.filePath(german_file), copy));
    QProcess lupdate;
    lupdate.setWorkingDirectory(source_.path());
    lupdate.start(qEnvironmentVariable("LW_LUPDATE"), QStringList(update) << copy);
    QVERIFY2(lupdate.waitForFinished(60'000), qPrintable(lupdate.errorString()));
    QVERIFY2(lupdate.exitCode() == 0, lupdate.readAllStandardError());
    QStringList wrong;
    const auto texts = test::texts_of(copy);
    for (const auto& text : texts)
      if (!text.finished || text.translation.isEmpty())
        wrong << QString("not translated: %1: %2").arg(text.context, text.source);
    const auto kept = [&](const test::Text& old) {
      return std::ranges::any_of(
          texts, [&](const test::Text& text) { return text.context == old.context && text.source == old.source; });
    };
    for (const auto& old : test::texts_of(source_.filePath(german_file)))
      if (!kept(old)) wrong << QString("no longer in the sources: %1: %2").arg(old.context, old.source);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
  }

  void values_and_keys_have_their_places_in_both_languages() {
    const auto texts = test::texts_of(source_.filePath(german_file));
    QVERIFY(texts.size() > 1000);
    for (const auto& text : texts) {
      for (const char* pattern :
           {"%[0-9n]", "</?[a-z]+>", "\n", "\t", "\u2026", "\\.(csv|json|png|svg|pdf|html|toml)\\b"})
        QVERIFY2(found(text.source, pattern) == found(text.translation, pattern),
                 qPrintable(QString("%1: %2: %3").arg(pattern, text.source, text.translation)));
      // "&&" is the character itself.
      for (const auto& words : {text.source, text.translation})
        QVERIFY2(found(words, "&(?!&)").size() <= 1, qPrintable(words));
      QCOMPARE(found(text.source, "&[^& ]").size(), found(text.translation, "&[^& ]").size());
      for (const auto edge : {text.source.front(), text.source.back()})
        if (edge == ' ')
          QVERIFY2(text.translation.startsWith(' ') || text.translation.endsWith(' '), qPrintable(text.source));
      QVERIFY2(!text.translation.contains("  ") || text.source.contains("  "), qPrintable(text.translation));
    }
  }

  void the_window_is_german_throughout() {
    auto missing = std::make_unique<Missing>();
    QCoreApplication::installTranslator(missing.get());
    test::speak(Language::german);
    FakeServer server;
    {
      MainWindow window;
      window.resize(1600, 1000);
      window.show();
      QVERIFY(QTest::qWaitForWindowExposed(&window));
      window.connect_to(server.address());
      QTRY_COMPARE(window.link().state(), ControlLink::State::ready);
      server.tell("state", playing_state);
      for (int tenth = 0; tenth < 12; ++tenth) server.tell("stats", stats(1000 * tenth, 3 * tenth));
      QStringList mnemonics;
      for (const auto* menu : window.findChild<QMenuBar*>()->actions())
        mnemonics << found(menu->text(), "&.").join("").toLower();
      QCOMPARE(mnemonics.size(), 8);
      QCOMPARE(mnemonics.removeDuplicates(), 0);
      QVERIFY(window.findChild<QMenuBar*>()->actions().first()->text() == "&Datei");
      for (int workspace = 0; workspace < 3; ++workspace) {
        window.use_workspace(workspace);
        QTest::qWait(600);
        QVERIFY(window.grab().save(test::picture(QString("german-%1.png").arg(workspace))));
        for (auto* tabs : window.findChildren<QTabWidget*>(QRegularExpression("^network-"))) {
          tabs->setCurrentIndex(tabs->count() - 1);
          QTest::qWait(100);
        }
      }
    }
    QCoreApplication::removeTranslator(missing.get());
    auto texts = missing->texts();
    texts.removeDuplicates();
    QVERIFY2(texts.isEmpty(), qPrintable(texts.join('\n')));
  }

  void a_choice_is_remembered() {
    QCOMPARE(chosen_language(), Language::system);
    for (const auto language : languages) {
      choose_language(language);
      QCOMPARE(chosen_language(), language);
    }
    QSettings().setValue("language", "klingon");
    QCOMPARE(chosen_language(), Language::system);
    MainWindow window;
    QActionGroup* group = nullptr;
    for (auto* action : window.actions())
      if (action->text() == "Deutsch") {
        QVERIFY(!action->isChecked());
        action->trigger();
        group = action->actionGroup();
      }
    QVERIFY(group != nullptr && group->actions().size() == 3 && group->checkedAction()->text() == "Deutsch");
    QCOMPARE(chosen_language(), Language::german);
    test::speak(chosen_language());
    QCOMPARE(MainWindow::tr("Quit"), QString("Beenden"));
    QCOMPARE(within_sentence("Kachel 0,1"), QString("Kachel 0,1"));
    test::speak(Language::english);
    QCOMPARE(MainWindow::tr("Quit"), QString("Quit"));
    QCOMPARE(within_sentence("Tile 0,1"), QString("tile 0,1"));
  }

  void the_systems_language_is_taken() {
    QCOMPARE(language_for({"de-AT", "en-US"}), Language::german);
    QCOMPARE(language_for({"de"}), Language::german);
    // German is less wanted than English here, and not at all there.
    QCOMPARE(language_for({"en-US", "de-DE"}), Language::english);
    QCOMPARE(language_for({"fr-FR"}), Language::english);
    QCOMPARE(language_for({"C"}), Language::english);
    QCOMPARE(language_for({}), Language::english);
  }
};

QTEST_MAIN(LanguageTest)
#include "language_test.moc"
