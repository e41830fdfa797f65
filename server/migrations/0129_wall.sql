-- What the screens of an event show. An event without a row has the wall that `untouchedWall` in the contract describes.
create table walls (
  event_id bigint primary key references events on delete cascade,
  layout text not null check (layout in ('one', 'pairs', 'mosaic')),
  seconds integer not null check (seconds between 3 and 120),
  photos text not null check (photos in ('all', 'liked', 'chosen')),
  paused boolean not null,
  -- How often somebody turned it by hand, and to which photo the last time.
  turn integer not null,
  shown_photo_id bigint,
  -- What a screen last said.
  on_wall bigint[] not null default '{}',
  on_wall_at timestamptz
);

-- Photos that organizers have chosen for the wall, or hidden from it.
create table wall_photos (
  photo_id bigint primary key references photos on delete cascade,
  event_id bigint not null references events on delete cascade,
  hidden boolean not null
);
create index wall_photos_of_event on wall_photos (event_id, photo_id);
