-- Where the album is for those who come, whoever has said no or maybe sees of it what is their own.
alter table event_plans add column album_for text not null default 'everybody' check (album_for in ('everybody', 'coming'));
alter table guests drop constraint guests_role_check;
alter table guests
  add constraint guests_role_check check (role in ('owner', 'organizer', 'guest', 'absent', 'drop'));
drop index guests_in_order;
create index guests_in_order on guests (event_id, (role not in ('guest', 'absent')) desc, joined_at, user_id)
  where ended_at is null and role <> 'drop';
create index guests_absent on guests (event_id) where role = 'absent' and ended_at is null;

create or replace function lets_in(organizer bigint, guest bigint, event bigint) returns boolean language sql stable as $$
  select exists (
    select from guests g join users u on u.id = g.user_id join events e on e.id = g.event_id
    where g.event_id = event and g.user_id = guest and g.ended_at is null and g.role in ('guest', 'absent')
      and u.status = 5 and e.deleted_at is null)
  and not exists (select from users o where o.id = organizer and o.status in (3, 4))
  and not exists (
    select from guests g
    where g.user_id = guest and g.ended_at is null and (g.role not in ('guest', 'absent') or not exists (
      select from guests o
      where o.event_id = g.event_id and o.user_id = organizer and o.ended_at is null and o.role in ('owner', 'organizer'))))
$$;

-- What somebody in an event is as a guest, by what they answered.
create function role_of_guest(event bigint, guest bigint) returns text language sql stable as $$
  select case when exists (
    select from event_plans p join answers a on a.event_id = p.event_id
    where p.event_id = event and a.user_id = guest and p.album_for = 'coming' and a.answer in ('no', 'maybe'))
    then 'absent' else 'guest' end
$$;
