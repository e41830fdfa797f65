  select
e.id, e.name, e.description, e.starts_at, e.ends_at, e.timezone, e.location, e.visibility, e.join_mode, e.status,
e.attachments_to_album, e.guests_may_share, e.greetings_on_wall, e.location_hidden, e.guests_hidden, e.page_lives, e.photo_approval, e.theme, e.avatar_media_id, e.avatar_ending, e.guests_count, e.media_epoch, e.offered_to, e.again_of,
e.created_at, e.updated_at, e.deleted_at, c.id as chat_id, (e.barred is null and coalesce((
select u.status not in (3, 4) or u.status = 4 and exists (
  select from members m join users other on other.id = m.user_id
  where m.event_id = e.id and m.user_id <> o.user_id and m.role not in ('guest', 'absent') and m.role in ('owner', 'organizer')
    and other.status not in (3, 4))
from members o join users u on u.id = o.user_id
where o.event_id = e.id and o.role in ('owner')), true)) as listed,
(select o.user_id from members o where o.event_id = e.id and o.role in ('owner')) as owner_id,
coalesce((select s.standing from standings s where s.event_id = e.id and s.user_id = $1
  and
not exists (select from users suspended where suspended.id = $2 and suspended.status = 3)), 'none') as standing,
not exists (select from members o where o.event_id = e.id and o.role not in ('guest', 'absent') and o.role in ('owner', 'organizer')
  and o.user_id <> $3) as no_other_organizer,
coalesce(e.offered_to = $4, false) as offered from events e join group_chats c on c.event_id = e.id
  where e.id = $5 and e.deleted_at is null;
