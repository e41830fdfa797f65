-- ---- who runs the instance, and what it decides on accounts ----

alter table users
  add column operator boolean not null default false,
  -- What the status was before a suspension or a deletion, and goes back to.
  add column status_before smallint check (status_before in (1, 2, 5)),
  -- When everything personal is erased, unless its owner signs in before; and when that was done.
  add column erase_at timestamptz,
  add column erased_at timestamptz,
  -- Whether what they said and showed goes as well.
  add column erases_content boolean not null default false;
create index users_to_erase on users (erase_at) where erase_at is not null and erased_at is null;

-- What people take along: a zip, kept and handed out like a picture, as a row of media of its own.
create table account_exports (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  media_id bigint references media,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  check ((state = 'ready') = (media_id is not null))
);
create index account_exports_of_user on account_exports (user_id, id desc);
create index account_exports_expiring on account_exports (expires_at);
-- One at a time: who asks again while one is made gets that one.
create unique index account_exports_waiting on account_exports (user_id) where state = 'waiting';

-- ---- who is leaving is found no more than who is suspended ----

create or replace function line_of(person users) returns text language plpgsql immutable parallel safe as $$
declare
  words constant record := words_of_person(person);
begin
  if person.status in (3, 4) then return ''; end if;
  return left(array_to_string(words.names, ' '), 150) || ' '
    || array_to_string(words.besides || lower(person.username), ' ');
end $$;

create or replace function pairs_of(person users) returns table (lead text, other text)
language plpgsql immutable parallel safe as $$
declare
  words constant record := words_of_person(person);
begin
  if not person.visible or person.status in (3, 4) then return; end if;
  return query
    select a.word, b.word from unnest(words.names) as a (word), unnest(words.names) as b (word) where a.word <> b.word
    union
    select alone.word, '~' from unnest(words.besides) as alone (word)
    union
    select min(n.word), '~' from unnest(words.names) as n (word) having count(distinct n.word) = 1
    union
    select lower(person.username), '';
end $$;

drop trigger users_rewrite_words on users;
create trigger users_rewrite_words after update of first_name, middle_name, last_name, username, visible, status on users
  for each row when (
    (old.first_name, old.middle_name, old.last_name, old.username, old.visible, old.status in (3, 4))
      is distinct from (new.first_name, new.middle_name, new.last_name, new.username, new.visible, new.status in (3, 4)))
  execute function rewrite_words();
