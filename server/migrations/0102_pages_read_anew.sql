-- Nobody keeps pages of messages any more, so nothing has to tell that one is stale.
drop trigger changes_raise_version on changes;
drop function raise_version_of_chat();
drop trigger users_raise_versions_of_chats on users;
drop function raise_versions_of_chats();
create or replace function forget_seen_mark() returns trigger language plpgsql as $$
begin
  delete from seen_marks m using group_chats c
  where c.event_id = new.event_id and m.group_chat_id = c.id and m.user_id = new.user_id;
  return null;
end $$;
alter table group_chats drop column version, drop column seen_version;
