select
c.id, c.event_id, e.media_epoch, e.name, e.avatar_media_id, e.avatar_ending, e.theme, c.status, c.last_sequence,
c.last_message_id, c.pinned_message_id, c.pinned_at, c.read_only_from,
e.guests_hidden , c.standing, c.hides_seen from (
  select c.*, g.role as standing, g.joined_sequence,
(select v.hides_seen from users v where v.id = $1) as hides_seen from members g join group_chats c on c.event_id = g.event_id
  where g.user_id = $2 and c.status <> 3
  order by c.last_activity_at desc, c.id desc offset $3 limit 51
) c join events e on e.id = c.event_id and e.deleted_at is null order by c.last_activity_at desc, c.id desc;
