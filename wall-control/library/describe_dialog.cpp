#include "wall-control/library/describe_dialog.h"

#include "wall-control/models/library_model.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace lw {
namespace {

constexpr int text_max = 1000;  // the server takes 1024 bytes

}  // namespace

DescribeDialog::DescribeDialog(const VisualizationRow& row, QWidget* parent) : QDialog(parent), name_(row.name) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Describe %1").arg(row.name));
  title_ = new QLineEdit(row.title);
  tags_ = new QLineEdit(row.tags.join(", "));
  description_ = new QPlainTextEdit(row.description);
  title_->setObjectName("title");
  tags_->setObjectName("tags");
  tags_->setPlaceholderText(tr("Separated by commas"));
  for (auto* edit : {title_, tags_}) edit->setMaxLength(text_max);
  description_->setTabChangesFocus(true);
  description_->setMaximumHeight(90);
  auto* form = new QFormLayout(this);
  form->addRow(tr("&Title"), title_);
  form->addRow(tr("Ta&gs"), tags_);
  form->addRow(tr("&Description"), description_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  save_ = buttons->button(QDialogButtonBox::Save);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  const auto check = [this] { save_->setEnabled(!title_->text().trimmed().isEmpty()); };
  connect(title_, &QLineEdit::textChanged, this, check);
  check();
  resize(460, sizeHint().height());
}

DescribeRequest DescribeDialog::request() const {
  std::vector<std::string> tags;
  for (const auto& tag : tags_->text().split(',', Qt::SkipEmptyParts))
    if (!tag.trimmed().isEmpty()) tags.push_back(tag.trimmed().toStdString());
  return {name_.toStdString(), title_->text().trimmed().toStdString(),
          description_->toPlainText().left(text_max).toStdString(), std::move(tags)};
}

}  // namespace lw
