// The part of the library that is shown, and its order.
#pragma once

#include <QSortFilterProxyModel>

namespace lw {

class LibraryFilter : public QSortFilterProxyModel {
  Q_OBJECT

public:
  enum class Order { title, rate, size, newest };
  Q_ENUM(Order)

  explicit LibraryFilter(QObject* parent = nullptr);

  void set_words(const QString& words);  // each must occur in name, title, description or tags
  void set_tag(const QString& tag);      // empty: any
  void set_only_fitting(bool only);
  void set_order(Order order);

protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
  QStringList words_;
  QString tag_;
  bool only_fitting_ = false;
  Order order_ = Order::title;
};

}  // namespace lw
