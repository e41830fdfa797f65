alter table media
  -- Of the file as it came, where what stood behind its end was cut off: a client that asks whether it is here knows no other.
  add column upload_sha256 text,
  -- How it is cut out of the original without its metadata: bytes, crc32, pieces. Nobody has looked yet where it is null;
  -- of 0 bytes it is for a file that cannot be handed out.
  add column full_size jsonb,
  -- As its uploader's device called it.
  add column file_name text;
create index media_of_upload on media (event_id, upload_sha256) where upload_sha256 is not null;
