select l.kept_after <= $1 as kept, c.* from change_log l left join (
  select c.id, c.place, c.kind, c.audience, c.event_id, c.user_id, c.actor_id, c.subject_id, c.detail from changes c
  where c.event_id = any($2::bigint[]) and (c.audience = 'event'
    or (c.audience = 'organizers' and c.event_id = any($3::bigint[]))) and c.kind = any($4::text[]) and c.place > $5 and c.place <= $6
  union all
  select c.id, c.place, c.kind, c.audience, c.event_id, c.user_id, c.actor_id, c.subject_id, c.detail from changes c
  where c.user_id = $7 and c.audience = 'user' and c.kind = any($8::text[]) and c.place > $9 and c.place <= $10
  order by place limit $11
) c on true order by c.place;
