drop index changes_in_order;
create index changes_by_transaction on changes (xid);
alter table unnotified_changes add tries smallint not null default 0, add due_at timestamptz not null default now();
alter table notifications add ring_at timestamptz, add ring_change_id bigint, add withdrawn_at timestamptz;
drop index notifications_burst;
create unique index notifications_burst on notifications (user_id, tag) where read_at is null and withdrawn_at is null;
drop index notifications_newest;
create index notifications_newest on notifications (user_id, updated_at desc, id desc) where withdrawn_at is null;
create index notifications_updated_at on notifications (updated_at);
drop index notifications_subject;
create index notifications_subject on notifications (kind, subject_id) where withdrawn_at is null;
create index notifications_event on notifications (event_id, user_id) where withdrawn_at is null;
alter table deliveries add outcome text, add tries smallint not null default 0,
  add interruptions smallint not null default 0;
-- Devices register theirs again at their next sign-in.
delete from push_addresses;
alter table push_addresses add fingerprint bytea not null unique;
