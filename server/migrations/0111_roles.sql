-- Standing is the role itself; what a role may do is said in contract/src/capabilities.ts alone.
drop view standings;
drop view members;

-- Who is in an event, and as what: the one place that says that a row of `guests` has not ended.
create view members as
select event_id, user_id, role, joined_at, joined_sequence, photos_count, photos_max
from guests where ended_at is null;

create view standings as
select event_id, user_id, role as standing from members
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
