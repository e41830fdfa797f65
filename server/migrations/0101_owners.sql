-- What somebody is in an event, in one word. The owner is an organizer whom no other demotes or removes.
alter table guests add column role text not null default 'guest' check (role in ('owner', 'organizer', 'guest'));
update guests set role = 'organizer' where organizer;

-- The owner of an event from before is whoever made it, if they still organize it; else its organizer of longest
-- standing. Somebody who is suspended comes last.
update guests set role = 'owner' from (
  select distinct on (g.event_id) g.event_id, g.user_id from guests g
  join events e on e.id = g.event_id join users u on u.id = g.user_id
  where g.organizer and g.ended_at is null
  order by g.event_id, u.status = 3 or u.erased_at is not null, g.user_id <> e.created_by, g.joined_at, g.user_id
) first where guests.event_id = first.event_id and guests.user_id = first.user_id;
create unique index guests_owner on guests (event_id) where role = 'owner' and ended_at is null;

drop view standings;
drop view members;
drop index guests_user;
drop index guests_in_order;
alter table guests drop column organizer;
create index guests_user on guests (user_id, event_id) include (role) where ended_at is null;
create index guests_in_order on guests (event_id, (role <> 'guest') desc, joined_at, user_id) where ended_at is null;

-- Who is in an event, and as what: the one place that says that a row of `guests` has not ended.
create view members as
select event_id, user_id, role, role <> 'guest' as organizer,
  case when role = 'guest' then 'guest' else 'organizer' end as standing,
  joined_at, joined_sequence, photos_count, photos_max
from guests where ended_at is null;

create view standings as
select event_id, user_id, standing from members
union all
select r.event_id, r.user_id, 'asked' from join_requests r
where r.status = 'asked'
  and not exists (select from members m where m.event_id = r.event_id and m.user_id = r.user_id)
union all
select i.event_id, i.user_id, 'invited' from invitations i
where i.status = 'open'
  and not exists (select from members m where m.event_id = i.event_id and m.user_id = i.user_id)
  and not exists (select from join_requests r
    where r.event_id = i.event_id and r.user_id = i.user_id and r.status = 'asked')
union all
select g.event_id, g.user_id, 'removed' from guests g
where g.ended_at is not null and g.removed
  and not exists (select from join_requests r
    where r.event_id = g.event_id and r.user_id = g.user_id and r.status = 'asked')
  and not exists (select from invitations i
    where i.event_id = g.event_id and i.user_id = g.user_id and i.status = 'open');

-- To whom the owner has offered the event, until that person takes it or the owner changes.
alter table events add column offered_to bigint references users;
