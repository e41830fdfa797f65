-- What those answered who were sent away with their link: whoever undoes that brings it back.
create table answers_away (
  event_id bigint not null references events on delete cascade,
  user_id bigint not null references users on delete cascade,
  answer text not null,
  plus integer not null,
  plus_names text,
  note text,
  seated boolean not null,
  line bigint,
  answered_at timestamptz not null,
  sent_at timestamptz not null default now(),
  primary key (event_id, user_id)
);
create index answers_away_of_user on answers_away (user_id);
create index answers_away_sent on answers_away (sent_at);

create or replace function free_seats() returns trigger language plpgsql as $$
begin
  if new.away_id is not null then
    delete from answers_away where event_id = new.event_id and user_id = new.user_id;
    insert into answers_away (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
    select event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at from answers
    where event_id = new.event_id and user_id = new.user_id;
  end if;
  delete from answers where event_id = new.event_id and user_id = new.user_id;
  if found then perform move_line(new.event_id); end if;
  return null;
end $$;

-- Whoever had a seat has one again, as long as there are any; the others wait, in the order that they were in. Whoever
-- calls it has locked the event.
create function bring_answers_back(event bigint, guests bigint[]) returns void language plpgsql as $$
declare
  free bigint;
  kept answers_away;
  fits boolean;
begin
  select p.places - (select coalesce(sum(1 + a.plus), 0) from answers a where a.event_id = event and a.seated)
  into free from event_plans p where p.event_id = event;
  for kept in
    select * from answers_away k where k.event_id = event and k.user_id = any(guests)
    order by k.seated desc, k.line, k.answered_at, k.user_id
  loop
    fits := kept.answer = 'going' and coalesce(1 + kept.plus <= free, true);
    insert into answers (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
    values (event, kept.user_id, kept.answer, kept.plus, kept.plus_names, kept.note, fits,
      case when kept.answer = 'going' and not fits
        then (select coalesce(max(a.line), 0) + 1 from answers a where a.event_id = event) end, kept.answered_at)
    on conflict do nothing;
    if fits then free := free - 1 - kept.plus; end if;
  end loop;
  delete from answers_away k where k.event_id = event and k.user_id = any(guests);
end $$;
