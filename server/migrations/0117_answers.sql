-- What organizers plan an event with.
create table event_plans (
  event_id bigint primary key references events on delete cascade,
  -- How many people it has room for; null: for all.
  places integer check (places > 0)
);

-- Who comes, and with how many others.
create table answers (
  event_id bigint not null references events on delete cascade,
  user_id bigint not null references users on delete cascade,
  answer text not null check (answer in ('going', 'maybe', 'no')),
  plus integer not null default 0 check (plus >= 0),
  plus_names text,
  note text,
  -- Whoever is going has a seat, or else a number in the line.
  seated boolean not null default false,
  line bigint,
  answered_at timestamptz not null default now(),
  primary key (event_id, user_id),
  check ((answer = 'going') = (seated or line is not null) and not (seated and line is not null))
);
create unique index answers_line on answers (event_id, line) where line is not null;
create index answers_of_user on answers (user_id);

-- Everybody who was in an event before there were answers comes.
insert into answers (event_id, user_id, answer, seated, answered_at)
select event_id, user_id, 'going', true, joined_at from guests where ended_at is null;

-- When those who have not answered were asked for it; a start is asked about once.
create table asked_answers (
  event_id bigint not null references events on delete cascade,
  starts_at timestamptz not null,
  primary key (event_id, starts_at)
);

-- Gives whatever seats are free to those in the line, in its order, passing over whoever is too many for what is left.
-- Whoever calls it has locked the event.
create function move_line(event bigint) returns void language plpgsql as $$
declare
  free bigint;
  party record;
begin
  select p.places - (select coalesce(sum(1 + a.plus), 0) from answers a where a.event_id = event and a.seated)
  into free from event_plans p where p.event_id = event;
  for party in
    select a.user_id, 1 + a.plus as size from answers a where a.event_id = event and a.line is not null order by a.line
  loop
    exit when free < 1;
    continue when party.size > free;
    update answers set seated = true, line = null where event_id = event and user_id = party.user_id;
    free := free - party.size;
    insert into changes (kind, audience, event_id, user_id, actor_id, subject_id) values
      ('answer.updated', 'organizers', event, null, party.user_id, party.user_id),
      ('answer.updated', 'user', event, party.user_id, party.user_id, party.user_id);
    with given as (
      insert into changes (kind, audience, event_id, user_id, actor_id, subject_id)
      values ('place.given', 'user', event, party.user_id, party.user_id, event) returning id
    )
    insert into unnotified_changes (change_id) select id from given;
  end loop;
end $$;

-- Whoever leaves an event, by whatever road, frees their seats.
create function free_seats() returns trigger language plpgsql as $$
begin
  delete from answers where event_id = new.event_id and user_id = new.user_id;
  if found then perform move_line(new.event_id); end if;
  return null;
end $$;
create trigger guests_free_seats after update of ended_at on guests for each row
  when (old.ended_at is null and new.ended_at is not null) execute function free_seats();
