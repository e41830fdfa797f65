-- What decides whether a page of messages that somebody keeps is still true: last_sequence (a message more), seen_version
-- (somebody has read further, or is gone) and version (anything else that a page shows, of any message or person).
alter table group_chats
  add column seen_version bigint not null default 0,
  add column last_attachment_sequence bigint not null default 0;

-- A deleted message stays as a tombstone without content, so a chat's sequence has no gaps and a page is a range of it.
-- In this slice nothing refers to users by a foreign key, and messages not to their chat: who writes holds the chat's row
-- and a guest's row, which do. Those keys would cost a quarter of a send, and each a write to the person's row.
create table messages (
  id bigint generated always as identity primary key,
  group_chat_id bigint not null,
  sequence bigint not null,
  user_id bigint not null,
  reply_to_id bigint references messages,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  attachments_count smallint not null default 0,
  content text not null,
  -- [{ id, emoji, count, created_at, updated_at }] in order of first use, equal to a recount of message_reactions.
  reactions jsonb,
  unique (group_chat_id, sequence)
) with (fillfactor = 90);
create index messages_deleted on messages (group_chat_id, sequence) where deleted_at is not null;

create table attachments (
  id bigint generated always as identity primary key,
  group_chat_id bigint not null references group_chats,
  -- Its place among all attachments of the chat.
  sequence bigint not null,
  message_id bigint not null references messages,
  user_id bigint not null,
  media_id bigint not null references media,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create index attachments_of_message on attachments (message_id, id) where deleted_at is null;
create unique index attachments_in_order on attachments (group_chat_id, sequence) where deleted_at is null;
alter table photos add foreign key (attachment_id) references attachments;

create table message_reactions (
  id bigint generated always as identity,
  message_id bigint not null references messages,
  user_id bigint not null,
  emoji text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (message_id, user_id, emoji)
);

-- How far each person has read; one row a person, never one a message. Only people who are in the event have one.
create table seen_marks (
  group_chat_id bigint not null,
  user_id bigint not null,
  seen_sequence bigint not null,
  seen_at timestamptz not null default now(),
  primary key (group_chat_id, user_id)
);
create index seen_marks_furthest on seen_marks (group_chat_id, seen_sequence desc, user_id);

create table chat_mutes (
  group_chat_id bigint not null references group_chats,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (group_chat_id, user_id)
);

-- Nobody who is gone counts among those who have seen a message.
create function forget_seen_mark() returns trigger language plpgsql as $$
begin
  update group_chats set seen_version = seen_version + 1 where event_id = new.event_id;
  delete from seen_marks m using group_chats c
  where c.event_id = new.event_id and m.group_chat_id = c.id and m.user_id = new.user_id;
  return null;
end $$;

create trigger guests_forget_seen_mark after update of ended_at on guests for each row
when (old.ended_at is null and new.ended_at is not null) execute function forget_seen_mark();

-- Pages show names and avatars: those of every chat that the person is or was in are stale. The lock on the person waits
-- for who is just becoming a guest (their row refers to this one), so that no chat is missed.
create function raise_versions_of_chats() returns trigger language plpgsql as $$
begin
  perform from users where id = new.id for update;
  update group_chats set version = version + 1 from (
    select id from group_chats where event_id in (
      select event_id from guests where user_id = new.id and ended_at is null
      union all
      select event_id from guests where user_id = new.id and ended_at is not null
    ) order by id for no key update
  ) theirs where group_chats.id = theirs.id;
  return null;
end $$;
create index guests_former on guests (user_id, event_id) where ended_at is not null;

create trigger users_raise_versions_of_chats
after update of first_name, middle_name, last_name, username, visible, avatar_media_id on users for each row
when ((old.first_name, old.middle_name, old.last_name, old.username, old.visible, old.avatar_media_id)
  is distinct from (new.first_name, new.middle_name, new.last_name, new.username, new.visible, new.avatar_media_id))
execute function raise_versions_of_chats();

-- ---- search ----

create extension if not exists btree_gin;

-- The words of a text as people type them. Scripts written without spaces are taken apart into their characters. Folding
-- is half of the cost and changes nothing but case in plain ASCII, where the dictionary does that.
create function message_words(value text) returns tsvector language sql immutable strict parallel safe return
  to_tsvector('simple', translate(
    case when octet_length(value) = length(value) then value
      else regexp_replace(folded(value), '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u9FFF\uF900-\uFAFF])', ' \1 ', 'g')
    end, '@./\-_:+=''', '         '));

-- Which 8192 messages of which chat a message is among: a search goes back block by block and ends when it has enough.
create function message_block(chat_id bigint, sequence bigint) returns bigint
  language sql immutable strict parallel safe return (chat_id << 24) | (sequence >> 13);

create index messages_words on messages
  using gin (message_block(group_chat_id, sequence), message_words(content)) where deleted_at is null;
