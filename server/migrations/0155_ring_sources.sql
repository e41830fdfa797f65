-- Beside older processes.
-- For whose acts a notification rings: those who acted since its last ring, and those of the last.
alter table notifications add column ring_by bigint[] not null default '{}', add column rung_by bigint[] not null default '{}';
