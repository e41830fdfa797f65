-- Beside older processes.
-- Where each ring of the last hour came from: one source takes no more than its share of them.
alter table ring_budgets add column rung_by text[] not null default '{}';
