-- When somebody outside a person's circle last rang: they share one ring an hour. In milliseconds, as rung_at.
alter table ring_budgets add column stranger_rung_at bigint;
