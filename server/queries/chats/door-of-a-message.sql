  select
c.id, c.event_id, c.status, c.last_sequence,
e.status as event_state, e.media_epoch, e.attachments_to_album, e.guests_hidden, e.photo_approval <> 'none' as approves_photos,
coalesce((select m.role from seats m
  where m.event_id = c.event_id and m.user_id = $1 and
not exists (select from users suspended where suspended.id = $2 and suspended.status = 3) limit 1), 'none') as standing,
array(select b.blocked_id::float8 from blocks b where b.blocker_id = $3) as blocked,
(select v.hides_seen from users v where v.id = $4) as hides_seen, m.sequence, m.user_id, m.attachments_count, m.deleted_at, m.hidden_at, m.card
  from messages m join group_chats c on c.id = m.group_chat_id join events e on e.id = c.event_id and e.deleted_at is null
  where m.id = $5;
