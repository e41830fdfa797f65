-- A code may also be one that a guest without a password keeps, or one by which an organizer lets a guest in again.
alter table account_transfers
  add column kind text not null default 'device' check (kind in ('device', 'own', 'organizer')),
  add column nonce bytea,
  add column event_id bigint references events on delete cascade,
  add column made_by bigint references users on delete cascade,
  alter column device_row drop not null,
  drop constraint account_transfers_pkey,
  add primary key (user_id, kind);
create index account_transfers_event on account_transfers (event_id);
create index account_transfers_maker on account_transfers (made_by);

-- Whether an organizer may let somebody in again as this guest: never an organizer, nobody who has a password, and nobody
-- who would open somebody else's event as well. It must hold when the code is made and when it is used.
create function lets_in(organizer bigint, guest bigint, event bigint) returns boolean language sql stable as $$
  select exists (
    select from guests g join users u on u.id = g.user_id join events e on e.id = g.event_id
    where g.event_id = event and g.user_id = guest and g.ended_at is null and g.role = 'guest' and u.status = 5
      and e.deleted_at is null)
  and not exists (select from users o where o.id = organizer and o.status in (3, 4))
  and not exists (
    select from guests g
    where g.user_id = guest and g.ended_at is null and (g.role <> 'guest' or not exists (
      select from guests o
      where o.event_id = g.event_id and o.user_id = organizer and o.ended_at is null and o.role in ('owner', 'organizer'))))
$$;

-- Somebody in a new browser says that they are a guest who is there, and asks the organizers.
create table return_requests (
  id bigint generated always as identity primary key,
  event_id bigint not null references events on delete cascade,
  first_name text not null,
  last_name text not null,
  platform text not null,
  code_hash bytea not null unique,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  status text not null default 'asked' check (status in ('asked', 'let_in', 'refused')),
  -- As whom, and by whom.
  user_id bigint references users on delete cascade,
  answered_by bigint references users on delete cascade
);
create index return_requests_asked on return_requests (event_id, id) where status = 'asked';
create index return_requests_ending on return_requests (expires_at);
create index return_requests_user on return_requests (user_id);
create index return_requests_answered_by on return_requests (answered_by);
