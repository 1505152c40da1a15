#include "wall-control/start/start_page.h"

#include "wall-control/start/card.h"
#include "wall-control/start/computer_strip.h"
#include "wall-control/start/demo_card.h"
#include "wall-control/start/start_row.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/question.h"
#include "wall-control/ui/sign.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>

#include <algorithm>

namespace lw {
namespace {

constexpr int page_px = 1176, page_margin_px = 24, rows_max = 4, row_height_px = 67, check_after_ms = 300;
constexpr auto shown_key = "show_start_page";

QPushButton* link_button(Icon meaning, const QString& text, const char* name) {
  auto* button = new QPushButton(icon(meaning), text);
  button->setObjectName(name);
  button->setProperty("link", true);
  return button;
}

QStringList paths_in(const QMimeData* data) {
  QStringList paths;
  for (const auto& url : data->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

}  // namespace

StartPage::StartPage(Connection& connection, Discovery& discovery, DemoWall& demo, QWidget* parent)
    : QScrollArea(parent), connection_(connection), discovery_(discovery), demo_(demo), walls_(connection, discovery) {
  setObjectName("start-page");
  setAccessibleName(tr("Start page"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAcceptDrops(true);
  // It has the focus until a field is chosen, so that the window's keys are not typed into one.
  setFocusPolicy(Qt::StrongFocus);
  auto* page = new QWidget;
  page->setMaximumWidth(std::max(page_px, type::scaled(page_px)));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(page_margin_px, 16, page_margin_px, 16);
  layout->setSpacing(0);
  layout->addStretch(2);
  layout->addWidget(new TextLabel(tr("No wall is connected yet"), 26, Tone::text, true));
  layout->addSpacing(6);
  layout->addWidget(
      new TextLabel(tr("Connect to one, try the demo on this computer, or drop in a video."), 14, Tone::text2));
  layout->addSpacing(20);
  auto* right = new QVBoxLayout;
  right->setSpacing(20);
  right->addWidget(new DemoCard(demo_), 1);
  right->addWidget(make_drop(), 1);
  auto* cards = new QHBoxLayout;
  cards->setSpacing(20);
  cards->addWidget(make_walls(), 8);
  cards->addLayout(right, 7);
  layout->addLayout(cards);
  layout->addSpacing(20);
  layout->addWidget(new Rule);
  layout->addSpacing(16);
  computer_ = new ComputerStrip;
  layout->addWidget(computer_);
  layout->addSpacing(20);
  layout->addLayout(make_links());
  layout->addStretch(3);
  auto* holder = new QWidget;
  auto* row = new QHBoxLayout(holder);
  row->setContentsMargins(0, 0, 0, 0);
  row->addStretch(1);
  row->addWidget(page, 1000);
  row->addStretch(1);
  setWidget(holder);
  connect(&walls_, &StartWalls::changed, this, &StartPage::show_walls);
  connect(&discovery_, &Discovery::changed, this, &StartPage::show_walls);
  connect(&connection_, &Connection::changed, this, &StartPage::follow_link);
  connect(&demo_, &DemoWall::ready, this, [this](const QString& address) { connection_.connect_to(address); });
  // Not for a page that is only passed on the way to a wall.
  check_.setSingleShot(true);
  check_.setInterval(check_after_ms);
  connect(&check_, &QTimer::timeout, computer_, &ComputerStrip::check);
  show_walls();
}

bool StartPage::wanted() { return QSettings().value(shown_key, true).toBool(); }

bool StartPage::may_close() {
  if (demo_.stage() == DemoWall::Stage::idle) return true;
  auto* dialog = new Question(Icon::none, tr("End the demo wall?"), window());
  dialog->setObjectName("end-demo");
  dialog->add_text(tr("Its server and its windows end with this window."));
  dialog->add_buttons(tr("End and close"), tr("Cancel"));
  connect(dialog, &QDialog::accepted, this, [this] {
    demo_.stop();
    window()->close();
  });
  dialog->setModal(true);
  dialog->show();
  return false;
}

QWidget* StartPage::make_walls() {
  auto* card = new Card;
  auto* layout = new QVBoxLayout(card);
  layout->setContentsMargins(1, 1, 1, 14);
  layout->setSpacing(0);
  auto* header = new QHBoxLayout;
  header->setContentsMargins(14, 12, 14, 12);
  header->setSpacing(8);
  header->addWidget(new Sign(Icon::monitor, 16));
  header->addWidget(new TextLabel(tr("Connect to a wall"), 14, Tone::text, true), 1);
  looking_ = new TextLabel({}, 12, Tone::text3);
  looking_->setObjectName("looking");
  header->addWidget(looking_);
  layout->addLayout(header);
  layout->addWidget(new Rule);
  none_ = new TextLabel(
      tr("No wall is known yet. A wall is listed here once you were connected to it, or if it announces itself on this "
         "network."),
      12, Tone::text2);
  none_->setWordWrap(true);
  none_->setContentsMargins(14, 14, 14, 14);
  none_->setAlignment(Qt::AlignTop);
  layout->addWidget(none_, 1);
  auto* list = new QWidget;
  rows_layout_ = new QVBoxLayout(list);
  rows_layout_->setContentsMargins(0, 0, 0, 0);
  rows_layout_->setSpacing(0);
  auto* scroll = new QScrollArea;
  scroll->setObjectName("walls");
  scroll->setAccessibleName(tr("Known walls"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(list);
  for (auto* part : QList<QWidget*>{scroll, scroll->viewport(), list}) part->setAutoFillBackground(false);
  layout->addWidget(scroll, 1);
  layout->addWidget(make_address());
  return card;
}

QWidget* StartPage::make_address() {
  auto* part = new QWidget;
  auto* layout = new QVBoxLayout(part);
  layout->setContentsMargins(14, 14, 14, 0);
  layout->setSpacing(8);
  layout->addWidget(new TextLabel(tr("Not listed? Enter the address of its server."), 12, Tone::text2));
  address_ = new QLineEdit;
  address_->setObjectName("address");
  address_->setPlaceholderText("wall-hub.lab:9010");
  address_->setAccessibleName(tr("Address of a server, HOST:PORT"));
  address_->setMinimumHeight(type::scaled(32));
  auto* go = new QPushButton(tr("Connect"));
  go->setObjectName("connect");
  go->setMinimumHeight(type::scaled(32));
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(address_, 1);
  row->addWidget(go);
  layout->addLayout(row);
  hint_ = new TextLabel(
      tr("Over the network the connection is encrypted. You are asked once to check the server's fingerprint."), 12,
      Tone::text3);
  hint_->setWordWrap(true);
  layout->addWidget(hint_);
  problem_ = new TextLabel({}, 12);
  problem_->setObjectName("address-problem");
  problem_->setWordWrap(true);
  problem_->hide();
  layout->addWidget(problem_);
  connect(go, &QPushButton::clicked, this, &StartPage::connect_to_typed);
  connect(address_, &QLineEdit::returnPressed, this, &StartPage::connect_to_typed);
  connect(address_, &QLineEdit::textEdited, this, [this] { show_problem({}); });
  return part;
}

QWidget* StartPage::make_drop() {
  drop_ = new Card(true);
  auto* row = new QHBoxLayout(drop_);
  row->setContentsMargins(22, 18, 22, 18);
  row->setSpacing(18);
  row->addWidget(new Sign(Icon::film, 38));
  auto* texts = new QVBoxLayout;
  texts->setSpacing(8);
  texts->addStretch(1);
  texts->addWidget(new TextLabel(tr("Drop a video to import it"), 14, Tone::text, true));
  auto* about = new TextLabel(tr("MP4, MOV, MKV, or a folder of PNG, TIFF or EXR images. It is cut to the tiles of the "
                                 "wall you choose next."),
                              13, Tone::text2);
  about->setWordWrap(true);
  texts->addWidget(about);
  auto* choose = new QPushButton(icon(Icon::open), tr("Choose files\u2026"));
  choose->setObjectName("choose-files");
  texts->addWidget(choose, 0, Qt::AlignLeft);
  texts->addStretch(1);
  row->addLayout(texts, 1);
  connect(choose, &QPushButton::clicked, this, &StartPage::choose_files);
  return drop_;
}

QLayout* StartPage::make_links() {
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->setContentsMargins(-5, 0, 0, 0);  // the texts of links begin at the edge
  auto* guide = link_button(Icon::book, tr("Set up a wall of your own"), "guide");
  auto* session = link_button(Icon::history, tr("Open a recorded session\u2026"), "open-session");
  auto* keys = link_button(Icon::keyboard, tr("Keyboard shortcuts"), "keys");
  for (auto* button : {guide, session, keys}) row->addWidget(button);
  row->addStretch(1);
  auto* shown = new QCheckBox(tr("Show this page when no wall is connected"));
  shown->setObjectName("show-start-page");
  shown->setChecked(wanted());
  row->addWidget(shown);
  connect(guide, &QPushButton::clicked, this, &StartPage::guide_wanted);
  connect(session, &QPushButton::clicked, this, &StartPage::session_wanted);
  connect(keys, &QPushButton::clicked, this, &StartPage::keys_wanted);
  connect(shown, &QCheckBox::toggled, this, [](bool wanted) { QSettings().setValue(shown_key, wanted); });
  return row;
}

void StartPage::show_walls() {
  const auto& walls = walls_.all();
  while (rows_.size() < walls.size()) {
    auto* row = new StartRow;
    connect(row, &StartRow::connect_wanted, this, [this](const QString& address) {
      typed_ = false;
      show_problem({});
      connection_.connect_to(address);
    });
    rows_layout_->addWidget(row);
    rows_.push_back(row);
  }
  while (rows_.size() > walls.size()) {
    rows_.back()->deleteLater();
    rows_.pop_back();
  }
  const auto ready = std::ranges::find_if(
      walls, [](const StartWall& wall) { return wall.answer && wall.answer->kind == WallAnswer::Kind::ready; });
  for (std::size_t i = 0; i < walls.size(); ++i)
    rows_[i]->show_wall(walls[i], walls.begin() + static_cast<std::ptrdiff_t>(i) == ready);
  looking_->setText(discovery_.searching() ? tr("Looking on this network") : QString());
  none_->setVisible(walls.empty());
  auto* scroll = findChild<QScrollArea*>("walls");
  scroll->setVisible(!walls.empty());
  scroll->setMinimumHeight(static_cast<int>(std::min<std::size_t>(walls.size(), rows_max)) *
                           type::scaled(row_height_px));
}

void StartPage::connect_to_typed() {
  const auto address = address_->text().trimmed();
  if (const auto problem = address_problem(address); !problem.isEmpty()) return show_problem(problem);
  typed_ = true;
  show_problem({});
  connection_.connect_to(address);
}

// The result of a typed address appears below its field.
void StartPage::follow_link() {
  if (!typed_) return;
  const auto shape = connection_.shape();
  show_problem(shape == State::warn ? connection_.words() : QString());
}

void StartPage::show_problem(const QString& words) {
  problem_->setText(words);
  problem_->setVisible(!words.isEmpty());
  hint_->setVisible(words.isEmpty());
  const auto style = words.isEmpty() ? QString() : QString("border-color: %1;").arg(colors::crit.name());
  if (address_->styleSheet() != style) address_->setStyleSheet(style);
}

void StartPage::choose_files() {
  auto* dialog = new QFileDialog(this, tr("Choose videos to import"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, &StartPage::files_dropped);
  dialog->open();
}

void StartPage::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  walls_.set_watched(true);
  check_.start();
  setFocus();
}

void StartPage::hideEvent(QHideEvent* event) {
  QScrollArea::hideEvent(event);
  walls_.set_watched(false);
  check_.stop();
}

void StartPage::dragEnterEvent(QDragEnterEvent* event) {
  if (paths_in(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  drop_->set_marked(true);
}

void StartPage::dragLeaveEvent(QDragLeaveEvent*) { drop_->set_marked(false); }

void StartPage::dropEvent(QDropEvent* event) {
  drop_->set_marked(false);
  const auto paths = paths_in(event->mimeData());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  emit files_dropped(paths);
}

}  // namespace lw
