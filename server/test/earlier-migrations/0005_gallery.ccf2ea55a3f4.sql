-- Lists that are paged deep number their rows 1, 2, 3 … within their parent; a deleted row leaves a gap. Here stands how
-- many gaps each block of 512 numbers has, so that page arithmetic need not walk the rows (platform/sequence-pages.ts).
create table sequence_gaps (
  list text not null,
  parent_id bigint not null,
  block bigint not null,
  gaps integer not null,
  primary key (list, parent_id, block)
);

-- The row's lock gives the photos of an event their one order.
create table galleries (
  event_id bigint primary key references events,
  last_sequence bigint not null default 0
);

create table photos (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  sequence bigint not null,
  media_id bigint not null references media,
  taken_by bigint not null references users,
  -- The chat attachment it was made of. Without one it was uploaded, and counts in guests.photos_count.
  attachment_id bigint,
  -- The attachment still shows the same media, so it must outlive this photo.
  shares_media boolean not null default false,
  caption text,
  alt_text text,
  likes_count integer not null default 0,
  -- Replies included.
  comments_count integer not null default 0,
  last_comment_sequence bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  check (attachment_id is not null or not shares_media)
);
create unique index photos_in_order on photos (event_id, sequence) where deleted_at is null;
create unique index photos_of_person on photos (event_id, taken_by, sequence) where deleted_at is null;
create unique index photos_attachment on photos (attachment_id) where deleted_at is null and attachment_id is not null;

create table photo_likes (
  photo_id bigint not null references photos,
  user_id bigint not null references users,
  created_at timestamptz not null default clock_timestamp(),
  primary key (photo_id, user_id)
);
create index photo_likes_in_order on photo_likes (photo_id, created_at desc, user_id desc);

-- A row with a parent is a reply. Its sequence counts within the parent, that of a comment within the photo.
create table comments (
  id bigint generated always as identity primary key,
  photo_id bigint not null references photos,
  parent_id bigint references comments,
  sequence bigint not null,
  user_id bigint not null references users,
  text text not null,
  replies_count integer not null default 0,
  last_reply_sequence bigint not null default 0,
  edited_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create unique index comments_in_order on comments (photo_id, sequence) where parent_id is null and deleted_at is null;
create unique index replies_in_order on comments (parent_id, sequence) where parent_id is not null and deleted_at is null;

create table comment_reactions (
  id bigint generated always as identity primary key,
  comment_id bigint not null references comments,
  user_id bigint not null references users,
  reaction text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (comment_id, user_id)
);
create index comment_reactions_in_order on comment_reactions (comment_id, created_at desc, id desc);
