  with asked as materialized (
    select a.*, before.repeats, before.same from unnest(
      (select $1::bigint[]), (select $2::bigint[]),
      (select $3::text[]), (select $4::bigint[]),
      (select $5::bytea[]), (select $6::bytea[]),
      (select $7::text[])
    ) with ordinality as a (chat_id, user_id, content, reply_id, key, fingerprint, card, n)
    left join lateral (
      select m.id as repeats, coalesce(m.client_fingerprint = "a"."fingerprint", true) as same from messages m
      where m.user_id = a.user_id and m.client_key = a.key limit 1
    ) before on true
  ), writers as materialized (
    select c.id as chat_id, c.event_id, g.user_id, g.role as standing
    from (select distinct chat_id, user_id from asked where repeats is null) a
    join group_chats c on c.id = a.chat_id
    join members g on g.event_id = c.event_id and g.user_id = a.user_id
    order by g.event_id, g.user_id for share of g
  ), chats as materialized (
    select c.id, c.last_sequence, c.last_attachment_sequence, greatest(clock_timestamp(), c.last_activity_at) as at
    from group_chats c where c.id in (select chat_id from writers) and c.status = 1
    order by c.id for no key update
  ), fit as materialized (
    select a.*, event_id, standing, c.at, c.last_sequence + row_number() over (partition by a.chat_id order by a.n) as sequence
      , coalesce(hanging.pictures, 0) as pictures, c.last_attachment_sequence
        + coalesce(sum(hanging.pictures) over (partition by a.chat_id order by a.n), 0) as last_picture
    from asked a join writers using (chat_id, user_id) join chats c on c.id = a.chat_id left join (
      select n, count(*) as pictures from
unnest((select $8::bigint[]), (select $9::bigint[]))
  with ordinality as p (n, media_id, place) group by n) hanging on hanging.n = a.n
    where a.repeats is null and (a.reply_id is null or exists (
      select from messages p where p.id = a.reply_id and p.group_chat_id = a.chat_id and p.deleted_at is null and p.hidden_at is null))
  ), sent as (
    insert into messages (group_chat_id, sequence, user_id, reply_to_id, content, client_key, client_fingerprint, card,
      attachments_count, created_at, updated_at)
    select chat_id, sequence, user_id, reply_id, content, key, fingerprint, card, pictures, at, at from fit order by n
    returning "messages"."id", "messages"."group_chat_id", "messages"."sequence", "messages"."user_id", "messages"."content", "messages"."reactions", "messages"."created_at", "messages"."updated_at", "messages"."edited_at", "messages"."deleted_at", "messages"."hidden_at", "messages"."card"
  ), hung as (
    insert into attachments (group_chat_id, sequence, message_id, user_id, media_id)
    select f.chat_id, f.last_picture - f.pictures + row_number() over (partition by f.n order by p.place), s.id, f.user_id, p.media_id
    from
unnest((select $10::bigint[]), (select $11::bigint[]))
  with ordinality as p (n, media_id, place) join fit f using (n) join sent s on s.group_chat_id = f.chat_id and s.sequence = f.sequence
    order by p.place
  ), seen as (
    insert into seen_marks (group_chat_id, user_id, seen_sequence)
    select chat_id, user_id, max(sequence) from fit group by chat_id, user_id
    on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
  ), moved as (
    update group_chats c
    set last_sequence = newest.sequence, last_message_id = newest.id, last_activity_at = newest.created_at , last_attachment_sequence = (select max(last_picture) from fit where fit.chat_id = c.id)
    from (select distinct on (group_chat_id) * from sent order by group_chat_id, sequence desc) newest
    where c.id = newest.group_chat_id
  ),
announced as (
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id, detail)
      select 'message.created', 'event', f.event_id, null::bigint, f.user_id, s.id, null::jsonb
      from sent s join fit f on f.chat_id = s.group_chat_id and f.sequence = s.sequence order by f.n returning id
), to_notify as (
  insert into unnotified_changes (change_id) select id from announced where true
)
  select a.n, a.repeats, a.same, f.standing, case when s.id is not null then (select to_json(said) from (select "s"."id", "s"."group_chat_id", "s"."sequence", "s"."user_id", "s"."content", "s"."reactions", "s"."created_at", "s"."updated_at", "s"."edited_at", "s"."deleted_at", "s"."hidden_at", "s"."card") said) end as message, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending
  from asked a left join (
    fit f join sent s on s.group_chat_id = f.chat_id and s.sequence = f.sequence join users u on u.id = f.user_id
  ) on f.n = a.n
  where a.repeats is not null or s.id is not null;
