-- Whatever the log tells of a message that was there already makes kept pages of its chat stale. A new message does not:
-- the chat's last sequence tells of it. Who holds the chat anyway waits for nobody here.
create function raise_version_of_chat() returns trigger language plpgsql as $$
begin
  update group_chats set version = version + 1 where event_id = new.event_id;
  return null;
end $$;
create trigger changes_raise_version after insert on changes for each row
  when (new.kind in ('message.updated', 'message.deleted', 'message.reacted'))
  execute function raise_version_of_chat();
