-- What was decided about photos that waited, for a day, so that it can be undone whole.
create table photo_decisions (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  user_id bigint not null references users,
  refused boolean not null,
  -- Those that waited before the album, and those that waited before the wall.
  album_ids bigint[] not null,
  wall_ids bigint[] not null,
  decided_at timestamptz not null default now()
);
create index photo_decisions_by_event on photo_decisions (event_id);
create index photo_decisions_by_user on photo_decisions (user_id);
create index photo_decisions_by_age on photo_decisions (decided_at);

-- Refused for the wall: it is in the album, and goes on waiting where screens are concerned.
alter table photos add column off_wall boolean not null default false check (not off_wall or waits);

-- By a photographer's link photos come in approved, unless it says otherwise; so do those of people who are trusted.
alter table event_links add column photos_wait boolean not null default true check (photos_wait or photographer);
update event_links set photos_wait = false where photographer;
alter table guests add column trusted boolean not null default false;
create or replace view members as
  select event_id, user_id, role, joined_at, joined_sequence, photos_count, photos_max, trusted from guests
  where ended_at is null and role <> 'drop';

-- Up to which photo those who may approve were told that photos wait.
alter table galleries add column waiting_told_at timestamptz;
-- Whether guests who added few photos are asked for more on the second day.
alter table galleries add column asks_for_photos boolean not null default true;
alter table told_moments drop constraint told_moments_kind_check;
alter table told_moments add constraint told_moments_kind_check check (kind in ('day', 'hours', 'recap', 'wanted'));

-- An announcement is also a message in the chat of its event, unless the event says otherwise.
alter table group_chats add column announces boolean not null default true;
alter table announcements add column message_id bigint references messages on delete set null;
create index announcements_message on announcements (message_id) where message_id is not null;

-- The text of a poll's message carries the choices below the question.
update messages m set content = m.content || (
  select string_agg(E'\n• ' || choice, '' order by n) from unnest(p.choices) with ordinality c (choice, n))
from polls p where p.message_id = m.id and m.deleted_at is null;
