-- Where the log stands, and whom what was placed after somebody's place concerns: one round trip. A process reads the
-- rows themselves only of events and people that somebody connected to it hears of.
create function read_head(most int, after bigint, out placed int, out history text, out place bigint, out cursor_key bytea,
  out events float8[], out users float8[])
language plpgsql
set plan_cache_mode = 'force_generic_plan'
as $$
begin
  select p.placed, p.history, p.place, p.cursor_key into placed, history, place, cursor_key from place_changes(most) p;
  if after < place then
    select coalesce(array_agg(distinct c.event_id::float8) filter (where c.audience <> 'user'), '{}'),
      coalesce(array_agg(distinct c.user_id::float8) filter (where c.audience = 'user'), '{}')
    into events, users
    from changes c where c.place > after and c.place <= read_head.place;
  else
    events := '{}';
    users := '{}';
  end if;
end $$;

-- Who has come into an event hears of it from then on, on whatever process they are connected to.
create function tell_entered() returns trigger language plpgsql as $$
begin
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id)
  select 'member.entered', 'user', e.event_id, e.user_id, e.user_id, e.event_id from entering e
  where e.ended_at is null;
  return null;
end $$;
create trigger guests_tell_entered after insert on guests referencing new table as entering
  for each statement execute function tell_entered();

create function tell_entered_again() returns trigger language plpgsql as $$
begin
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id)
  values ('member.entered', 'user', new.event_id, new.user_id, new.user_id, new.event_id);
  return null;
end $$;
create trigger guests_tell_entered_again after update of ended_at on guests for each row
  when (old.ended_at is not null and new.ended_at is null) execute function tell_entered_again();
