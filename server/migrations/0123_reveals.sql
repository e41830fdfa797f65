-- From whom an event's photos are kept until they are revealed: from its guests, or from everybody but each one's own.
alter table galleries add column sealed_from text check (sealed_from in ('guests', 'everybody'));
-- When they are revealed; without a time, when an organizer says so.
alter table galleries add column reveals_at timestamptz;
alter table galleries add column revealed_at timestamptz;
create index galleries_revealing on galleries (reveals_at) where sealed_from is not null;

-- A photo that is kept until then is hidden as well, so that it is nowhere else.
alter table photos add column sealed_from text check (sealed_from in ('guests', 'everybody'));
create index photos_sealed on photos (event_id) where sealed_from is not null;
