  with asked as materialized (
    select chat_id, user_id, max(sequence) as sequence from unnest(
      $1::bigint[], $2::bigint[],
      $3::bigint[]
    ) as asked (chat_id, user_id, sequence) group by chat_id, user_id
  ), readers as materialized (
    select a.*, c.event_id, case
      when e.guests_count <= 100 and not exists (select from users hiding where hiding.id = a.user_id and hiding.hides_seen) then 'event' else 'user' end as audience
    from asked a
    join group_chats c on c.id = a.chat_id
    join events e on e.id = c.event_id
    join members g on g.event_id = c.event_id and g.user_id = a.user_id
    order by g.event_id, g.user_id for share of g
  ), chats as materialized (
    select id, last_sequence from group_chats where id in (select chat_id from readers) order by id for no key update
  ), moved as (
    insert into seen_marks as mark (group_chat_id, user_id, seen_sequence)
    select chat_id, user_id, sequence from readers join chats on chats.id = chat_id
    on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
    where mark.seen_sequence < excluded.seen_sequence returning group_chat_id, user_id, seen_sequence
  ),
announced as (
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id, detail)
      select kind, told.audience, m.event_id, case when told.audience = 'user' then m.user_id end, m.user_id, m.chat_id,
        detail
      from moved join readers m on m.chat_id = moved.group_chat_id and m.user_id = moved.user_id
      join chats on chats.id = m.chat_id cross join lateral (
        select 'message.seen' as kind, m.audience, jsonb_build_object('sequence', moved.seen_sequence) as detail
        union all
        select 'group.updated', 'user', null where moved.seen_sequence < chats.last_sequence
      ) told returning id
), to_notify as (
  insert into unnotified_changes (change_id) select id from announced where false
)
  select chat_id, user_id from readers;
