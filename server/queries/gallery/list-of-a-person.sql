  select page.*, gallery.media_epoch, gallery.standing from (
    select e.media_epoch, viewing.standing from events e
join members viewing on viewing.event_id = e.id and viewing.user_id = $1
  and
not exists (select from users suspended where suspended.id = $2 and suspended.status = 3)
    where e.id = $3 and e.deleted_at is null limit 1
  ) gallery cross join lateral (
    select
u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id,
p.id, p.event_id, p.media_id, p.taken_by, p.caption, p.alt_text, p.likes_count, p.comments_count, p.plays,
p.created_at, p.updated_at, p.hidden_at, p.picture_epoch,
case when p.same_as is not null
  then (select s.id from photos s where s.id = p.same_as and s.deleted_at is null) end as same_as,
p.likes_count > 0
  and (select true from photo_likes l where l.photo_id = p.id and l.user_id = $4) is not null as liked, p.sequence from (
      select * from photos p
      where p.event_id = $5 and p.taken_by = $6 and p.deleted_at is null and (p.hidden_at is null or p.taken_by = $7 or gallery.standing = 'organizer')
        and p.sequence <= (select sequence from photos p where p.event_id = $8 and p.deleted_at is null and (p.hidden_at is null or p.taken_by = $9 or gallery.standing = 'organizer') and p.taken_by = $10 order by sequence desc offset $11 limit 1)
      order by p.sequence desc limit 51
    ) p join users u on u.id = p.taken_by
  ) page order by page.sequence desc;
