-- Deleted by an organizer who did not upload it: only organizers put it back.
alter table photos add column taken_down boolean not null default false;
update photos p set taken_down = true
where deleted_at is not null and exists (
  select from audit_entries a
  where a.event_id = p.event_id and a.act = 'photo.deleted' and a.subject_id = p.id and a.created_at >= p.deleted_at);
