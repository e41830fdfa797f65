-- Rises when somebody's sessions end in their name: everywhere signed out, a new password, a suspension, an erasure. Links
-- that were made for them alone are signed with it.
alter table users add column link_epoch integer not null default 0;

-- Links to the pictures of an event are the same for everybody in it, so that those of one person die with all: by the
-- event's own epoch, which clients and kept pages go by already.
create function end_links_of_events() returns trigger language plpgsql as $$
begin
  -- In one order, whoever else holds several.
  perform from events where id in (select event_id from guests where user_id = new.id and ended_at is null)
    order by id for no key update;
  update events set media_epoch = media_epoch + 1
    where id in (select event_id from guests where user_id = new.id and ended_at is null);
  return null;
end $$;
create trigger users_end_links after update of link_epoch on users
  for each row when (old.link_epoch <> new.link_epoch) execute function end_links_of_events();

-- When its owner last confirmed the password in this session; that they signed in is created_at.
alter table devices add column proven_at timestamptz;
