-- ---- joining by link ----

create table event_links (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  -- SHA-256 of the code. The code itself follows from the nonce and a key that is not in the database, so that
  -- organizers can print it again and a dump of the database lets nobody in.
  code_hash bytea not null unique,
  nonce bytea not null,
  -- HMAC of the PIN under the same key; null: none is asked for.
  pin_mac bytea,
  -- Of all who ever tried; past a bound the link is shut, so that guessing gets nowhere.
  wrong_pins integer not null default 0,
  uses integer not null default 0,
  uses_max integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_by bigint not null references users,
  created_at timestamptz not null default clock_timestamp(),
  check (uses <= uses_max)
);
create index event_links_newest on event_links (event_id, id desc);

-- ---- what organizers did ----

create table audit_entries (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  actor_id bigint not null references users,
  act text not null,
  -- A row of what the act names: a user, photo, comment, message, attachment, link, report or the event.
  subject_id bigint not null,
  -- Whom it befell: who was removed, whose photo was hidden.
  user_id bigint references users,
  created_at timestamptz not null default clock_timestamp()
);
create index audit_entries_newest on audit_entries (event_id, id desc);

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end $$;
create trigger audit_entries_stay before update or delete or truncate on audit_entries
  for each statement execute function refuse_change_of_audit();

-- ---- reports that somebody answers ----

alter table reports drop constraint reports_status_check;
update reports set status = 'resolved' where status = 'closed';
alter table reports
  add constraint reports_status_check check (status in ('open', 'resolved')),
  -- Whose photo, comment or message it is, or who is reported: never shown their own. Null for an event.
  add column about_user_id bigint references users,
  -- Null once resolved: by the operator.
  add column resolved_by bigint references users,
  add column resolved_at timestamptz;
update reports set about_user_id = target_id where type = 'user';
create index reports_of_event on reports (event_id, id desc) where type <> 'event';
create index reports_open on reports (id desc) where status = 'open';

-- ---- hidden from all but their authors and the organizers ----

alter table photos add column hidden_at timestamptz;
alter table comments add column hidden_at timestamptz;
alter table messages add column hidden_at timestamptz;
-- Equal to their message's.
alter table attachments add column hidden_at timestamptz;
create index photos_hidden on photos (event_id, sequence) where hidden_at is not null and deleted_at is null;
create index comments_hidden on comments (photo_id, sequence)
  where hidden_at is not null and parent_id is null and deleted_at is null;
create index replies_hidden on comments (parent_id, sequence)
  where hidden_at is not null and parent_id is not null and deleted_at is null;
create index attachments_hidden on attachments (group_chat_id, sequence)
  where hidden_at is not null and deleted_at is null;

-- Nobody is told that these wait unread.
drop index messages_deleted;
create index messages_uncounted on messages (group_chat_id, sequence)
  where deleted_at is not null or hidden_at is not null;

-- Counts on top of the event's media epoch: rises when one picture is hidden, so that its URLs die and no others.
-- Photos and attachments repeat that of their media, which a page would otherwise have to join.
alter table media add column epoch integer not null default 0;
alter table photos add column picture_epoch integer not null default 0;
alter table attachments add column picture_epoch integer not null default 0;
create index photos_of_media on photos (media_id) where deleted_at is null;
create index attachments_of_media on attachments (media_id) where deleted_at is null;

create function repeat_media_epoch() returns trigger language plpgsql as $$
begin
  update photos set picture_epoch = new.epoch where media_id = new.id and deleted_at is null;
  update attachments set picture_epoch = new.epoch where media_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger media_repeat_epoch after update of epoch on media for each row execute function repeat_media_epoch();
