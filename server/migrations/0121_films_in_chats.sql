-- A film belongs to its media, whichever photo or message shows it.
update jobs j
set payload = (j.payload::jsonb - 'photoId' || jsonb_build_object('mediaId', v.media_id))::json
from videos v
where j.task = 'convertVideo' and j.payload ->> 'photoId' = v.photo_id::text;

alter table videos
  drop constraint videos_pkey,
  drop constraint videos_media_id_key,
  drop constraint videos_photo_id_fkey,
  drop column photo_id,
  add constraint videos_pkey primary key (media_id);

-- What a resumable upload brought stays known for a day after a photo or a message was made of it: a repeat is known by it.
alter table upload_sessions
  add column content_sha256 text,
  add column used_at timestamptz;
update upload_sessions set used_at = touched_at where photo_id is not null;

drop index upload_sessions_waiting;
create index upload_sessions_waiting on upload_sessions (event_id, user_id) where used_at is null;

create or replace function count_session() returns trigger language plpgsql as $$
declare
  was boolean := tg_op <> 'INSERT' and old.used_at is null;
  lasts boolean := tg_op <> 'DELETE' and new.used_at is null;
begin
  perform add_stored_bytes(
    case when tg_op = 'DELETE' then old.user_id else new.user_id end,
    case when lasts then new.bytes else 0 end - case when was then old.bytes else 0 end,
    case when lasts then new.received else 0 end - case when was then old.received else 0 end);
  return null;
end $$;

drop trigger sessions_counted_anew on upload_sessions;
create constraint trigger sessions_counted_anew after update on upload_sessions deferrable initially deferred for each row
  when ((old.used_at is null) <> (new.used_at is null) or old.received <> new.received) execute function count_session();
