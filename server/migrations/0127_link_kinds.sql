-- What a link makes of whoever opens it: a guest; somebody who adds photos and sees only their own; or nobody, who sees
-- what the link shows. The people behind a link that makes nobody share one row of `users`, with the status 6: it is in
-- no event, no list, no count and no audience of people, and its sessions end with the link.
alter table event_links
  add column role text not null default 'guest'
    check (role in ('guest', 'drop', 'look', 'look_chat', 'screen', 'screen_chat')),
  add column viewer_id bigint references users;
create unique index event_links_viewer on event_links (viewer_id, event_id) where viewer_id is not null;
create index event_links_viewed on event_links (event_id) where viewer_id is not null;

alter table users drop constraint users_status_check;
alter table users add constraint users_status_check check (status between 1 and 6);
-- A guest account that came by a link for adding photos alone.
alter table users add column came_to_add boolean not null default false;

alter table guests drop constraint guests_role_check;
alter table guests add constraint guests_role_check check (role in ('owner', 'organizer', 'guest', 'drop'));

drop view standings;
drop view members;
drop index guests_in_order;
create index guests_in_order on guests (event_id, (role <> 'guest') desc, joined_at, user_id)
  where ended_at is null and role <> 'drop';

-- The people of an event, and as what.
create view members as
select event_id, user_id, role, joined_at, joined_sequence, photos_count, photos_max
from guests where ended_at is null and role <> 'drop';

-- Whoever has a role in an event: its people, those who only add photos, and the viewers of links. To a viewer nothing
-- of a chat is unread.
create view seats as
select event_id, user_id, role, joined_sequence from guests where ended_at is null
union all
select event_id, viewer_id, role, 9007199254740991 from event_links
where viewer_id is not null and revoked_at is null and coalesce(expires_at > now(), true);

create view standings as
select event_id, user_id, role as standing from seats
union all
select r.event_id, r.user_id, 'asked' from join_requests r
where r.status = 'asked'
  and not exists (select from guests g where g.event_id = r.event_id and g.user_id = r.user_id and g.ended_at is null)
union all
select i.event_id, i.user_id, 'invited' from invitations i
where i.status = 'open'
  and not exists (select from guests g where g.event_id = i.event_id and g.user_id = i.user_id and g.ended_at is null)
  and not exists (select from join_requests r
    where r.event_id = i.event_id and r.user_id = i.user_id and r.status = 'asked')
union all
select g.event_id, g.user_id, 'removed' from guests g
where g.ended_at is not null and g.removed
  and not exists (select from join_requests r
    where r.event_id = g.event_id and r.user_id = g.user_id and r.status = 'asked')
  and not exists (select from invitations i
    where i.event_id = g.event_id and i.user_id = g.user_id and i.status = 'open');

-- A session may end before its thirty days: those of a link's viewers end with the link.
drop function open_session;
create function open_session(
  for_user bigint, on_device text, on_platform text, in_timezone text, with_hash bytea, sessions_max integer,
  until timestamptz default null
) returns table (expires_at timestamptz, ended boolean, person_status smallint) language plpgsql as $$
declare
  dropped integer;
begin
  select status into person_status from users where id = for_user for no key update;
  update users set timezone = in_timezone where id = for_user and timezone <> in_timezone;
  insert into devices as d (user_id, device_id, platform, timezone, token_hash, token_expires_at)
  values (for_user, on_device, on_platform, in_timezone, with_hash, least(now() + interval '30 days', until))
  on conflict (user_id, device_id) do update set
    platform = excluded.platform, timezone = excluded.timezone,
    token_hash = excluded.token_hash, token_expires_at = excluded.token_expires_at,
    previous_token_hash = null, previous_token_expires_at = null,
    last_used_at = now(), created_at = now(), updated_at = now()
  -- A row that was there has been updated by this transaction, one that is new by none.
  returning d.token_expires_at, d.xmax <> 0 into expires_at, ended;
  delete from devices where id in (
    select id from devices where user_id = for_user order by last_used_at desc, id desc offset sessions_max);
  get diagnostics dropped = row_count;
  ended := ended or dropped > 0;
  return next;
end $$;
