-- The message that an organizer put on top of its chat.
alter table group_chats
  add pinned_message_id bigint,
  add pinned_at timestamptz;
