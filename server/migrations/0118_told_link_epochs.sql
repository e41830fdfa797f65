-- Whoever keeps a session in memory keeps its link epoch with it: the log says that it has risen, also where no session ended.
create function tell_links_ended() returns trigger language plpgsql as $$
begin
  insert into changes (kind, audience, user_id, actor_id, subject_id) values ('session.ended', 'user', new.id, new.id, new.id);
  return null;
end $$;
create trigger users_tell_links_ended after update of link_epoch on users
  for each row when (old.link_epoch <> new.link_epoch) execute function tell_links_ended();
