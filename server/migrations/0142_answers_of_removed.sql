-- Somebody whom an organizer removes can be brought back for a day, as who was sent away by a link: with their answer.
create or replace function free_seats() returns trigger language plpgsql as $$
begin
  if new.removed then
    delete from answers_away where event_id = new.event_id and user_id = new.user_id;
    insert into answers_away (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
    select event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at from answers
    where event_id = new.event_id and user_id = new.user_id;
  end if;
  delete from answers where event_id = new.event_id and user_id = new.user_id;
  if found then perform move_line(new.event_id); end if;
  return null;
end $$;
