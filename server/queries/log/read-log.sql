  with placed as materialized (
    select c.id, c.place, c.kind, c.audience, c.event_id, c.user_id, c.actor_id, c.subject_id, c.detail from changes c where c.place > $1 and c.place <= $2
      and case c.audience when 'user' then c.user_id = any($3::bigint[]) else c.event_id = any($4::bigint[]) end
  )
  select c.*, case when c.place = (select min(place) from placed)
    then (
select json_agg(json_build_object('id', e.id, 'version', e.departures || ' ' || e.guests_count, 'roles', (
  select json_object_agg(m.user_id, m.role) from members m where m.event_id = e.id and (m.role not in ('guest', 'absent') or m.role = 'absent')
), 'viewers', (
  select json_object_agg(o.id, o.role) from (
    select l.viewer_id as id, l.role from event_links l
    where l.event_id = e.id and l.viewer_id is not null and l.revoked_at is null and coalesce(l.expires_at > now(), true)
    union all
    select s.user_id, s.role from event_links l join guests g on g.link_id = l.id
      join seats s on s.event_id = g.event_id and s.user_id = g.user_id and s.role = l.role
    where l.event_id = e.id and l.role = 'drop') o)))
from events e where e.id = any(array(select distinct event_id from placed where event_id is not null)) and e.deleted_at is null) end as within
  from placed c order by c.place;
