-- Organizers may let a chat become read-only at a moment to come.
alter table group_chats add column read_only_from timestamptz;
create index group_chats_read_only_from on group_chats (read_only_from) where read_only_from is not null;
