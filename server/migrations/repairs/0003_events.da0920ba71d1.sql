alter table events add over_at timestamptz not null
  generated always as (coalesce(ends_at, (starts_at at time zone 'UTC' + interval '1 day') at time zone 'UTC')) stored;
drop index events_public;
create index events_public on events (over_at, id) where visibility = 1 and status = 1 and deleted_at is null;
alter table invitations drop constraint invitations_status_check;
alter table invitations add check (status in ('open', 'accepted', 'declined', 'withdrawn'));
create or replace view standings as
select event_id, user_id, case when organizer then 'organizer' else 'guest' end as standing
from guests where ended_at is null
union all
select r.event_id, r.user_id, 'asked'
from join_requests r
where r.status = 'asked'
  and not exists (select from guests g where g.event_id = r.event_id and g.user_id = r.user_id and g.ended_at is null)
union all
select i.event_id, i.user_id, 'invited'
from invitations i
where i.status = 'open'
  and not exists (select from guests g where g.event_id = i.event_id and g.user_id = i.user_id and g.ended_at is null)
  and not exists (
    select from join_requests r where r.event_id = i.event_id and r.user_id = i.user_id and r.status = 'asked'
  )
union all
select g.event_id, g.user_id, 'removed'
from guests g
where g.ended_at is not null and g.removed
  and not exists (
    select from join_requests r where r.event_id = g.event_id and r.user_id = g.user_id and r.status = 'asked'
  )
  and not exists (
    select from invitations i where i.event_id = g.event_id and i.user_id = g.user_id and i.status = 'open'
  );
