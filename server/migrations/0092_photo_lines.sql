create function iso_time(at timestamptz) returns text language sql immutable strict parallel safe
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- What everybody sees of a photo, as the values of a JSON array: put together for each reader anew, fifty of them took
-- longer than all else of a page.
alter table photos add column line text not null generated always as (
  id::text || ',' || event_id::text || ',' || media_id::text || ',' || taken_by::text || ',' || picture_epoch::text || ',' ||
  plays::text || ',' || likes_count::text || ',' || comments_count::text ||
  ',"' || iso_time(created_at) || '","' || iso_time(updated_at) || '"'
) stored;
