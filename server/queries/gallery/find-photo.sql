  select u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending, p.hidden_at, p.sealed_from, p.waits, (
select to_json(photo) from (
  select "p"."id", "p"."event_id", "p"."media_id", "p"."taken_by", "p"."picture_epoch", "p"."plays", "p"."endings", "p"."likes_count", "p"."comments_count", "p"."created_at", "p"."updated_at", "p"."approved_name", p.likes_count > 0 and (
    select true from photo_likes l where l.photo_id = p.id and l.user_id = $1) is not null as liked
) photo) as photo, p.attachment_id, e.media_epoch,
coalesce((select m.role from seats m
  where m.event_id = e.id and m.user_id = $2 and
not exists (select from users suspended where suspended.id = $3 and suspended.status = 3) limit 1), 'none') as standing
  from photos p join users u on u.id = p.taken_by join events e on e.id = p.event_id
  where p.id = $4 and p.deleted_at is null and e.deleted_at is null;
