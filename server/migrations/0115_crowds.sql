-- How often somebody has left or was removed. Leaving no longer raises the media epoch, which ends everybody's links: what
-- is given to a person opens only while they are in the event.
alter table events add column departures integer not null default 0;
-- When everybody's links ended last, or will: several removals within seconds end them once more, not each time.
alter table events add column links_ended_at timestamptz;

-- Links are proven with the link epoch of who holds them. Only a suspension also ends everybody else's at once.
drop trigger users_end_links on users;
create trigger users_end_links after update of link_epoch on users
  for each row when (old.link_epoch <> new.link_epoch and new.status = 3) execute function end_links_of_events();

-- By which link somebody came in, and by which act they were sent away together with others.
alter table guests add column link_id bigint;
alter table guests add column away_id bigint;
create index guests_of_link on guests (link_id) where link_id is not null;
create index guests_sent_away on guests (away_id) where away_id is not null;

-- A link that many more have joined by than its event can expect pauses until an organizer opens it again. `flow`: how
-- many have joined by it within a day of `flow_since`.
alter table event_links add column paused_at timestamptz;
alter table event_links add column flow integer not null default 0;
alter table event_links add column flow_since timestamptz not null default now();

-- A link was closed, and everybody sent away who came by it since a moment. For an hour it can be undone.
create table links_sent_away (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  link_id bigint not null references event_links on delete cascade,
  since timestamptz not null,
  people integer not null default 0,
  closed_link boolean not null,
  sent_by bigint not null references users,
  created_at timestamptz not null default now(),
  undone_at timestamptz
);
create index links_sent_away_of_event on links_sent_away (event_id, id);
create index links_sent_away_of_link on links_sent_away (link_id);
create index links_sent_away_by on links_sent_away (sent_by);

-- The link that a guest account was made by, as a number: those of one link share what one account has of its own.
alter table users add column came_by bigint;

-- What is announced counts for its owner at once, and for the instance as it arrives: nobody fills a server with promises.
create function add_stored_bytes(whose bigint, more bigint, arrived bigint) returns void language plpgsql as $$
begin
  if more = 0 and arrived = 0 then return; end if;
  -- That of all is locked first, always.
  insert into stored_bytes as s (user_id, bytes) values (0, arrived)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
  insert into stored_bytes as s (user_id, bytes) values (whose, more)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
end $$;

create or replace function count_session() returns trigger language plpgsql as $$
declare
  was boolean := tg_op <> 'INSERT' and old.photo_id is null;
  lasts boolean := tg_op <> 'DELETE' and new.photo_id is null;
begin
  perform add_stored_bytes(
    case when tg_op = 'DELETE' then old.user_id else new.user_id end,
    case when lasts then new.bytes else 0 end - case when was then old.bytes else 0 end,
    case when lasts then new.received else 0 end - case when was then old.received else 0 end);
  return null;
end $$;

drop trigger sessions_counted_anew on upload_sessions;
create constraint trigger sessions_counted_anew after update on upload_sessions deferrable initially deferred for each row
  when ((old.photo_id is null) <> (new.photo_id is null) or old.received <> new.received) execute function count_session();

update stored_bytes set bytes = bytes - (
  select coalesce(sum(bytes - received), 0) from upload_sessions where photo_id is null)
where user_id = 0;

-- The guests of one link share what they may store.
create index users_came_by on users (came_by) where came_by is not null;
