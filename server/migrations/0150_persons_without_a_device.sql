-- A person whom an organizer added to an event and who has no device; null once somebody has come as them.
alter table users add column added_to bigint references events (id);
create index users_added on users (added_to) where added_to is not null;

-- How many others an answer may bring at most; null: as many as anywhere.
alter table event_plans add column plus_max integer check (plus_max >= 0);
-- Guests see of its people only the organizers.
alter table events add column guests_hidden boolean not null default false;

-- Why, in the words of an organizer. The rest of an entry never changes; words are erased with whom they are about.
alter table audit_entries add column reason text;
create index audit_entries_reasons on audit_entries (user_id) where reason is not null;
drop trigger audit_entries_stay on audit_entries;
create trigger audit_entries_stay before update of id, event_id, actor_id, act, subject_id, user_id, created_at or delete or truncate
  on audit_entries for each statement execute function refuse_change_of_audit();

-- Somebody in the event who says that they are a person whom an organizer added. `claims`: nobody had come as them before.
alter table return_requests
  add column asked_by bigint references users (id) on delete cascade,
  add column claims boolean not null default false;
create index return_requests_asked_by on return_requests (asked_by) where asked_by is not null;

-- A person with a device is found like everybody else.
create or replace function open_session(for_user bigint, on_device text, on_platform text, in_timezone text, with_hash bytea, sessions_max integer, until timestamp with time zone default null)
returns table (expires_at timestamp with time zone, ended boolean, person_status smallint) language plpgsql as $$
declare
  dropped integer;
begin
  select status into person_status from users where id = for_user for no key update;
  update users set timezone = in_timezone, visible = visible or added_to is not null, added_to = null
  where id = for_user and (timezone <> in_timezone or added_to is not null);
  insert into devices as d (user_id, device_id, platform, timezone, token_hash, token_expires_at)
  values (for_user, on_device, on_platform, in_timezone, with_hash, least(now() + interval '30 days', until))
  on conflict (user_id, device_id) do update set
    platform = excluded.platform, timezone = excluded.timezone,
    token_hash = excluded.token_hash, token_expires_at = excluded.token_expires_at,
    previous_token_hash = null, previous_token_expires_at = null, let_in_by = null, let_in_event = null,
    last_used_at = now(), created_at = now(), updated_at = now()
  -- A row that was there has been updated by this transaction, one that is new by none.
  returning d.token_expires_at, d.xmax <> 0 into expires_at, ended;
  delete from devices where id in (
    select id from devices where user_id = for_user order by last_used_at desc, id desc offset sessions_max);
  get diagnostics dropped = row_count;
  ended := ended or dropped > 0;
  return next;
end $$;

-- Their seat is free at once; the answer is kept for who may come back.
create function take_answer_away(event bigint, person bigint) returns void language plpgsql as $$
begin
  if not exists (select from answers where event_id = event and user_id = person) then return; end if;
  delete from answers_away where event_id = event and user_id = person;
  insert into answers_away (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
  select event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at from answers
  where event_id = event and user_id = person;
  delete from answers where event_id = event and user_id = person;
  perform move_line(event);
end $$;

create or replace function free_seats() returns trigger language plpgsql as $$
begin
  if new.removed then
    perform take_answer_away(new.event_id, new.user_id);
  else
    delete from answers where event_id = new.event_id and user_id = new.user_id;
    if found then perform move_line(new.event_id); end if;
  end if;
  return null;
end $$;

-- An account that is to be erased takes no seat; one that comes back in time gets it again if it is free, and else waits.
create function free_seats_of_user() returns trigger language plpgsql as $$
declare
  event bigint;
begin
  for event in
    select event_id from answers where user_id = new.id and new.status = 4
    union select a.event_id from answers_away a join guests g using (event_id, user_id)
      where a.user_id = new.id and new.status <> 4 and g.ended_at is null
    order by 1
  loop
    perform from events where id = event for no key update;
    if new.status = 4 then
      perform take_answer_away(event, new.id);
    else
      perform bring_answers_back(event, array[new.id]);
    end if;
    insert into changes (kind, audience, event_id, actor_id, subject_id)
    values ('answer.updated', 'organizers', event, new.id, new.id);
  end loop;
  return null;
end $$;
create trigger users_free_seats after update of status on users for each row
  when ((old.status = 4) <> (new.status = 4)) execute function free_seats_of_user();

-- Somebody in the event is a person who was added: their own answer counts, and what an organizer entered fills the rest.
create function claim_answer(event bigint, added bigint, claimer bigint) returns void language plpgsql as $$
declare
  own answers;
  theirs answers;
  free bigint;
  plus integer;
  fits boolean;
begin
  delete from answers where event_id = event and user_id = added returning * into theirs;
  if not found then return; end if;
  delete from answers where event_id = event and user_id = claimer returning * into own;
  select p.places - (select coalesce(sum(1 + a.plus), 0) from answers a where a.event_id = event and a.seated)
  into free from event_plans p where p.event_id = event;
  plus := greatest(own.plus, theirs.plus);
  -- Whoever has a seat keeps it.
  if 1 + plus > free and (own.seated or theirs.seated) then
    plus := case when own.seated then own.plus else theirs.plus end;
  end if;
  fits := coalesce(1 + plus <= free, true);
  insert into answers (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
  select event, claimer, said.answer, plus, coalesce(own.plus_names, theirs.plus_names), coalesce(own.note, theirs.note),
    said.answer = 'going' and fits, case when said.answer = 'going' and not fits then coalesce(
      least(own.line, theirs.line), (select coalesce(max(a.line), 0) + 1 from answers a where a.event_id = event)) end,
    clock_timestamp()
  from (select coalesce(own.answer, theirs.answer) as answer) said;
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id) values
    ('answer.updated', 'organizers', event, null, claimer, claimer), ('answer.updated', 'user', event, claimer, claimer, claimer);
  perform move_line(event);
end $$;
