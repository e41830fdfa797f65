-- The kind of what another slice has hung on a message.
alter table messages add column card text;

create table polls (
  message_id bigint primary key references messages on delete cascade,
  choices text[] not null,
  multiple boolean not null,
  anonymous boolean not null,
  closes_at timestamptz
);

create table poll_votes (
  message_id bigint not null references polls on delete cascade,
  -- The position among the choices, from 1.
  choice integer not null,
  user_id bigint not null references users on delete cascade,
  voted_at timestamptz not null default now(),
  primary key (message_id, choice, user_id)
);
create index poll_votes_of_user on poll_votes (user_id);

-- A poll goes with its message, by whatever road that is deleted.
create function remove_poll() returns trigger language plpgsql as $$
begin
  delete from polls where message_id = new.id;
  return null;
end $$;
create trigger messages_remove_poll after update of deleted_at on messages for each row
  when (old.card is not null and old.deleted_at is null and new.deleted_at is not null) execute function remove_poll();
