-- How far back the log reaches: every transaction before this one may have been pruned.
create table change_log (
  one boolean primary key default true check (one),
  kept_since xid8 not null default '0'
);
insert into change_log default values;

-- A session that ends is a change too, whoever ends it and however, so that every process closes its sockets.
create function tell_session_ended() returns trigger language plpgsql as $$
begin
  insert into changes (kind, audience, user_id, actor_id, subject_id)
  values ('session.ended', 'user', old.user_id, old.user_id, old.id);
  return null;
end $$;
create trigger devices_deleted after delete on devices
  for each row when (old.token_expires_at > now())
  execute function tell_session_ended();
create trigger devices_changed after update of token_hash, token_expires_at, previous_token_hash, previous_token_expires_at on devices
  for each row when ((old.token_hash, old.token_expires_at, old.previous_token_hash, old.previous_token_expires_at)
    is distinct from (new.token_hash, new.token_expires_at, new.previous_token_hash, new.previous_token_expires_at))
  execute function tell_session_ended();

create function tell_suspended() returns trigger language plpgsql as $$
begin
  insert into changes (kind, audience, user_id, actor_id, subject_id)
  values ('session.ended', 'user', new.id, new.id, new.id);
  return null;
end $$;
create trigger users_suspended after update of status on users
  for each row when (new.status = 3 and old.status <> 3)
  execute function tell_suspended();
