#include "wall-control/library/describe_dialog.h"

#include "wall-control/models/library_model.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace lw {
namespace {

constexpr int text_max = 1000;  // the server takes 1024 bytes
constexpr int description_px = 96;

}  // namespace

DescribeDialog::DescribeDialog(const VisualizationRow& row, QWidget* parent)
    : Question(Icon::edit, tr("Edit the details of \u201c%1\u201d").arg(row.title), parent),
      name_(row.name),
      title_(new QLineEdit(row.title)),
      tags_(new QLineEdit(row.tags.join(", "))),
      description_(new QPlainTextEdit(row.description)) {
  setObjectName("describe");
  add_text(tr("All operators see them. The name \u201c%1\u201d stays.").arg(name_));
  title_->setObjectName("title");
  tags_->setObjectName("tags");
  description_->setObjectName("description");
  tags_->setPlaceholderText(tr("Separated by commas"));
  for (auto* edit : {title_, tags_}) edit->setMaxLength(text_max);
  description_->setTabChangesFocus(true);
  add_field(tr("&Title"), title_);
  add_field(tr("Ta&gs"), tags_);
  add_field(tr("&Description"), description_);
  add_buttons(tr("Save"), tr("Cancel"));
  yes()->setDefault(true);
  const auto check = [this] { yes()->setEnabled(!title_->text().trimmed().isEmpty()); };
  connect(title_, &QLineEdit::textChanged, this, check);
  check();
  fit_fields();
  title_->setFocus();
  title_->selectAll();
}

void DescribeDialog::add_field(const QString& label, QWidget* field) {
  auto* name = new TextLabel(label, 12, Tone::text2);
  name->setBuddy(field);
  add(name);
  add(field);
}

void DescribeDialog::fit_fields() { description_->setFixedHeight(type::scaled(description_px)); }

void DescribeDialog::changeEvent(QEvent* event) {
  Question::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit_fields();
}

DescribeRequest DescribeDialog::request() const {
  std::vector<std::string> tags;
  for (const auto& tag : tags_->text().split(',', Qt::SkipEmptyParts))
    if (!tag.trimmed().isEmpty()) tags.push_back(tag.trimmed().toStdString());
  return {name_.toStdString(), title_->text().trimmed().toStdString(),
          description_->toPlainText().left(text_max).toStdString(), std::move(tags)};
}

}  // namespace lw
