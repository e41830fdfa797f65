-- Telling somebody anew is an update in place (HOT), which writes to no index: while a notification is unread no indexed
-- value changes but once an hour, and half of each page is left for the next version of what stands in it.
drop index notifications_newest, notifications_subject, notifications_event, notifications_updated_at;
alter table notifications set (fillfactor = 50);
alter table notifications
  add updated_hour timestamptz not null generated always as (date_bin('1 hour', updated_at, 'epoch')) stored,
  -- What it is about, once that changes no more.
  add read_subject_id bigint generated always as (case when read_at is not null then subject_id end) stored;
create index notifications_newest on notifications (user_id, updated_hour desc);
create index notifications_updated_hour on notifications (updated_hour);
create index notifications_event on notifications (event_id, read_subject_id) where withdrawn_at is null;
