-- Whether somebody has said that they do not come to an event: nobody reminds them of it.
create function has_declined(event bigint, guest bigint) returns boolean language sql stable as $$
  select exists (select from answers a where a.event_id = event and a.user_id = guest and a.answer = 'no')
$$;
