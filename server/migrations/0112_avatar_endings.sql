-- What the addresses of a person's and an event's picture end in.
alter table users add column avatar_ending text not null default 'jpg';
alter table events add column avatar_ending text not null default 'jpg';

create function note_avatar_ending() returns trigger language plpgsql as $$
begin
  new.avatar_ending := case
    when exists (select from media m where m.id = new.avatar_media_id and m.variants #>> '{display,type}' = 'image/webp')
      then 'webp' else 'jpg' end;
  return new;
end $$;

create trigger users_avatar_ending before insert or update of avatar_media_id on users
  for each row when (new.avatar_media_id is not null) execute function note_avatar_ending();
create trigger events_avatar_ending before insert or update of avatar_media_id on events
  for each row when (new.avatar_media_id is not null) execute function note_avatar_ending();

update users u set avatar_ending = 'webp' from media m
  where m.id = u.avatar_media_id and m.variants #>> '{display,type}' = 'image/webp';
update events e set avatar_ending = 'webp' from media m
  where m.id = e.avatar_media_id and m.variants #>> '{display,type}' = 'image/webp';
