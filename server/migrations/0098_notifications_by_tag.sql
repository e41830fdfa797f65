-- What is deleted takes its notifications along: they were looked for among all of its event's.
create index notifications_tagged on notifications (event_id, tag) where withdrawn_at is null;
