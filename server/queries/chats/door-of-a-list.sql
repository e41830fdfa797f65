  select asked.n,
c.id, c.event_id, c.status, c.version, c.seen_version, c.last_sequence,
e.status as event_state, e.media_epoch, e.attachments_to_album,
coalesce((select m.standing from members m
  where m.event_id = c.event_id and m.user_id = "asked"."viewer_id" and
not exists (select from users suspended where suspended.id = "asked"."viewer_id" and suspended.status = 3)), 'none') as standing,
array(select b.blocked_id::float8 from blocks b where b.blocker_id = "asked"."viewer_id") as blocked,
(select v.hides_seen from users v where v.id = "asked"."viewer_id") as hides_seen, a.sequence as anchor
  from unnest(
    (select $1::bigint[]), (select $2::bigint[]),
    (select $3::bigint[])
  ) with ordinality as asked (chat_id, viewer_id, anchor_id, n)
  join group_chats c on c.id = asked.chat_id join events e on e.id = c.event_id and e.deleted_at is null
  left join messages a on a.id = asked.anchor_id and a.group_chat_id = c.id;
