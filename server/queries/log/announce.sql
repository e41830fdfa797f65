with given as materialized (
  select nextval(pg_get_serial_sequence('changes', 'id')) as id, g.*
  from json_to_recordset($1::json) g (kind text, audience text, "eventId" bigint,
    "userId" bigint, "actorId" bigint, "subjectId" bigint, detail jsonb, notify boolean)
), logged as (
  insert into changes (id, kind, audience, event_id, user_id, actor_id, subject_id, detail)
  overriding system value
  select id, kind, audience, "eventId", "userId", "actorId", "subjectId", detail from given
)
insert into unnotified_changes (change_id) select id from given where notify;
