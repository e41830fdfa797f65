-- How many bytes each person's files take on disk, and all of them together (user 0): counted when the transaction that
-- changes them commits, so that nobody waits for the row of all while another's transaction goes on.

create function variant_bytes(original_sha256 text, variants jsonb) returns bigint language sql immutable
  return (select coalesce(sum(bytes), 0)::bigint from (
    select distinct on (file ->> 'sha256') (file ->> 'bytes')::bigint as bytes from jsonb_each(variants) variant(name, file)
    where file ->> 'sha256' <> original_sha256) files);

-- When its files were given up: they count no more.
alter table media add column given_up_at timestamptz;
-- What was uploaded, where more came behind the picture's end than is kept of it.
alter table media add column uploaded_sha256 text;
create index media_uploaded on media (event_id, uploaded_sha256) where uploaded_sha256 is not null;
create index media_to_give_up on media (removed_at) where removed_at is not null and given_up_at is null;

create table stored_bytes (
  user_id bigint primary key,
  bytes bigint not null
);

create function add_stored_bytes(whose bigint, more bigint) returns void language plpgsql as $$
begin
  if more = 0 then return; end if;
  -- That of all is locked first, always.
  insert into stored_bytes as s (user_id, bytes) values (0, more)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
  insert into stored_bytes as s (user_id, bytes) values (whose, more)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
end $$;

create function count_media() returns trigger language plpgsql as $$
declare
  films bigint := 0;
begin
  if tg_op = 'INSERT' then
    perform add_stored_bytes(new.owner_id, new.original_bytes + variant_bytes(new.original_sha256, new.variants));
  elsif tg_op = 'DELETE' then
    if old.given_up_at is null then
      perform add_stored_bytes(old.owner_id, -old.original_bytes - variant_bytes(old.original_sha256, old.variants));
    end if;
  else
    if (old.given_up_at is null) <> (new.given_up_at is null) then
      select coalesce(sum(original_bytes), 0) into films from videos where media_id = new.id;
    end if;
    perform add_stored_bytes(new.owner_id,
      case when new.given_up_at is null
        then new.original_bytes + variant_bytes(new.original_sha256, new.variants) + films else 0 end
      - case when old.given_up_at is null
        then old.original_bytes + variant_bytes(old.original_sha256, old.variants) + films else 0 end);
  end if;
  return null;
end $$;

create function count_film() returns trigger language plpgsql as $$
declare
  owner bigint;
begin
  select owner_id into owner from media
    where id = case when tg_op = 'DELETE' then old.media_id else new.media_id end and given_up_at is null;
  if owner is not null then
    perform add_stored_bytes(owner, case when tg_op = 'DELETE' then 0 else new.original_bytes end
      - case when tg_op = 'INSERT' then 0 else old.original_bytes end);
  end if;
  return null;
end $$;

-- What was announced counts until it has become a photo.
create function count_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_stored_bytes(new.user_id, new.bytes);
  elsif tg_op = 'UPDATE' then
    perform add_stored_bytes(new.user_id, case when new.photo_id is null then new.bytes else 0 end
      - case when old.photo_id is null then old.bytes else 0 end);
  elsif old.photo_id is null then
    perform add_stored_bytes(old.user_id, -old.bytes);
  end if;
  return null;
end $$;

create constraint trigger media_counted after insert or delete on media
  deferrable initially deferred for each row execute function count_media();
create constraint trigger media_counted_anew after update on media
  deferrable initially deferred for each row
  when (old.given_up_at is distinct from new.given_up_at or old.variants <> new.variants
    or old.original_sha256 <> new.original_sha256)
  execute function count_media();
create constraint trigger films_counted after insert or delete on videos
  deferrable initially deferred for each row execute function count_film();
create constraint trigger films_counted_anew after update on videos
  deferrable initially deferred for each row when (old.original_bytes <> new.original_bytes)
  execute function count_film();
create constraint trigger sessions_counted after insert or delete on upload_sessions
  deferrable initially deferred for each row execute function count_session();
create constraint trigger sessions_counted_anew after update on upload_sessions
  deferrable initially deferred for each row when ((old.photo_id is null) <> (new.photo_id is null))
  execute function count_session();

update media m set given_up_at = now()
  where removed_at <= now() - interval '31 days'
    or exists (select from events e where e.id = m.event_id and e.deleted_at <= now() - interval '31 days');

insert into stored_bytes (user_id, bytes)
  select user_id, sum(bytes)::bigint from (
    select owner_id, original_bytes + variant_bytes(original_sha256, variants) from media where given_up_at is null
    union all
    select m.owner_id, v.original_bytes from videos v join media m on m.id = v.media_id where m.given_up_at is null
    union all
    select user_id, bytes from upload_sessions where photo_id is null
  ) counted (user_id, bytes) group by user_id;
insert into stored_bytes (user_id, bytes) select 0, coalesce(sum(bytes), 0)::bigint from stored_bytes;
