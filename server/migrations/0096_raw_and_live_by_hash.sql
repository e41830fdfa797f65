-- Whether an upload is a raw or live part that the event already has. It was looked for in all of an event's media, a
-- function's call for each: 23 µs a photo and upload until the table was analyzed for the first time.
create index media_of_raw on media (event_id, (variants -> 'raw' ->> 'sha256'))
  where variants -> 'raw' ->> 'sha256' is not null;
create index media_of_live on media (event_id, (variants -> 'live' ->> 'sha256'))
  where variants -> 'live' ->> 'sha256' is not null;
