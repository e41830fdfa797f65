select c.*, coalesce(s.seen_sequence, 0) as seen_sequence, greatest(c.last_sequence - greatest(coalesce(s.seen_sequence, 0), c.joined_sequence) - (
select count(*) from messages t
where t.group_chat_id = c.id and (t.deleted_at is not null or t.hidden_at is not null) and t.sequence > greatest(coalesce(s.seen_sequence, 0), c.joined_sequence)) - (
select count(*) from messages t
where exists (select from blocks b where b.blocker_id = $1) and not c.standing in ('owner', 'organizer') and t.group_chat_id = c.id and t.sequence > greatest(coalesce(s.seen_sequence, 0), c.joined_sequence)
  and t.deleted_at is null and t.hidden_at is null
  and t.user_id = any(array(select b.blocked_id from blocks b where b.blocker_id = $2))), 0) as unread,
  exists (select from chat_mutes q where q.group_chat_id = c.id and q.user_id = $3) as muted,
  exists (select from messages l join blocks b on b.blocked_id = l.user_id
    where l.id = c.last_message_id and b.blocker_id = $4) as latest_blocked,
  (
  select to_json(pin) from (
    select p.id as message_id, p.user_id, p.content, p.attachments_count, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending,
      exists (select from blocks b where b.blocker_id = $5 and b.blocked_id = p.user_id) as blocked
    from messages p join users u on u.id = p.user_id where p.id = c.pinned_message_id) pin) as pinned
from (
  select
c.id, c.event_id, e.media_epoch, e.name, e.avatar_media_id, e.avatar_ending, e.theme, c.status, c.last_sequence,
c.last_message_id, c.pinned_message_id, c.pinned_at, c.read_only_from,
e.guests_hidden, g.role as standing, g.joined_sequence,
(select v.hides_seen from users v where v.id = $6) as hides_seen from seats g join group_chats c on c.event_id = g.event_id
  join events e on e.id = g.event_id and e.deleted_at is null
  where g.user_id = $7 and g.role in ('owner', 'organizer', 'guest', 'absent', 'look_chat', 'screen_chat') and c.id = $8) c
left join seen_marks s on s.group_chat_id = c.id and s.user_id = $9;
