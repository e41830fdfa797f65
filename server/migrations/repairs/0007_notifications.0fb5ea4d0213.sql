drop index changes_in_order;
create index changes_by_transaction on changes (xid);
drop index notifications_subject;
create index notifications_subject on notifications (kind, subject_id) where withdrawn_at is null;
create index notifications_event on notifications (event_id, user_id) where withdrawn_at is null;
