-- A session that an organizer opened for a guest remembers who did so and in which event, and so does the key that its
-- device keeps. Both end when the organizer could not let the guest in any more.
alter table devices
  add let_in_by bigint references users on delete cascade,
  add let_in_event bigint references events on delete cascade;
create index devices_let_in_by on devices (let_in_by) where let_in_by is not null;
create index devices_let_in_event on devices (let_in_event) where let_in_event is not null;

alter table return_keys
  add let_in_by bigint references users on delete cascade,
  add let_in_event bigint references events on delete cascade;
create index return_keys_let_in_by on return_keys (let_in_by) where let_in_by is not null;
create index return_keys_let_in_event on return_keys (let_in_event) where let_in_event is not null;

-- Nobody lets in from where they are signed in themselves.
alter table return_requests add device_id text;

-- Whether what an organizer opened for a guest stands: the organizer is one, the guest has no password, neither blocks
-- the other, and the guest is in no event that the organizer could not let them into.
create function still_let_in(organizer bigint, guest bigint, event bigint) returns boolean language sql stable as $$
  select exists (
    select from guests o join users u on u.id = o.user_id
    where o.event_id = event and o.user_id = organizer and o.ended_at is null and o.role in ('owner', 'organizer')
      and u.status not in (3, 4))
  and exists (select from users u where u.id = guest and u.status = 5)
  and not exists (select from blocked_pairs b where b.user_id = organizer and b.other_id = guest)
  and not exists (
    select from guests g
    where g.user_id = guest and g.ended_at is null and (g.role not in ('guest', 'absent') or not exists (
      select from guests o
      where o.event_id = g.event_id and o.user_id = organizer and o.ended_at is null and o.role in ('owner', 'organizer'))))
$$;

create or replace function lets_in(organizer bigint, guest bigint, event bigint) returns boolean language sql stable as $$
  select exists (
    select from guests g join events e on e.id = g.event_id
    where g.event_id = event and g.user_id = guest and g.ended_at is null and g.role in ('guest', 'absent')
      and e.deleted_at is null)
  and still_let_in(organizer, guest, event)
$$;

-- The same, and what both are in the event stays until the transaction ends.
create function hold_let_in(organizer bigint, guest bigint, event bigint) returns boolean language plpgsql as $$
begin
  perform from guests where event_id = event and user_id in (guest, organizer) order by user_id for share;
  return lets_in(organizer, guest, event);
end $$;

-- Ends what was opened for these people, or by them, and does not stand any more; the code that a guest keeps may have
-- been seen by then.
create function end_let_ins(people bigint[]) returns void language plpgsql as $$
declare
  concerned bigint[];
begin
  with ended as (
    delete from devices d
    where d.let_in_by is not null and (d.user_id = any(people) or d.let_in_by = any(people))
      and not still_let_in(d.let_in_by, d.user_id, d.let_in_event)
    returning d.user_id
  ), keys as (
    delete from return_keys k
    where k.let_in_by is not null and (k.user_id = any(people) or k.let_in_by = any(people))
      and not still_let_in(k.let_in_by, k.user_id, k.let_in_event)
    returning k.user_id
  )
  select array_agg(user_id) into concerned from (select user_id from ended union select user_id from keys) both_of_them;
  if concerned is null then return; end if;
  delete from account_transfers where user_id = any(concerned) and kind = 'own';
  update users set link_epoch = link_epoch + 1 where id = any(concerned);
end $$;

create function end_let_ins_of_guest() returns trigger language plpgsql as $$
begin
  perform end_let_ins(array[new.user_id]);
  return null;
end $$;
create trigger guests_end_let_ins after update of ended_at, role on guests for each row
  when ((old.ended_at is null) <> (new.ended_at is null) or old.role <> new.role)
  execute function end_let_ins_of_guest();

create function end_let_ins_of_guests() returns trigger language plpgsql as $$
begin
  perform end_let_ins((select array_agg(user_id) from entering));
  return null;
end $$;
create trigger guests_end_let_ins_entering after insert on guests referencing new table as entering for each statement
  execute function end_let_ins_of_guests();

create function end_let_ins_of_user() returns trigger language plpgsql as $$
begin
  perform end_let_ins(array[new.id]);
  return null;
end $$;
create trigger users_end_let_ins after update of status on users for each row when (old.status <> new.status)
  execute function end_let_ins_of_user();

create function end_let_ins_of_blocked() returns trigger language plpgsql as $$
begin
  perform end_let_ins(array[new.blocker_id, new.blocked_id]);
  return null;
end $$;
create trigger blocks_end_let_ins after insert on blocks for each row execute function end_let_ins_of_blocked();

-- A device that signs in by itself is let in by nobody.
create or replace function open_session(for_user bigint, on_device text, on_platform text, in_timezone text, with_hash bytea, sessions_max integer, until timestamptz default null)
returns table (expires_at timestamptz, ended boolean, person_status smallint) language plpgsql as $$
declare
  dropped integer;
begin
  select status into person_status from users where id = for_user for no key update;
  update users set timezone = in_timezone where id = for_user and timezone <> in_timezone;
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
