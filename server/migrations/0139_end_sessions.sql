-- Calendars say when they were last read: hourly, or the table would be written by every subscription.
alter table calendar_feeds add last_used_at timestamptz;

-- The one place that ends what an account opened: its sessions but one, the keys of their devices, the codes that sign in
-- to it or were made by it, its calendar unless that is kept on purpose, and the links to pictures that anybody holds.
create function end_sessions(person bigint, but bigint, keeps_calendar boolean) returns void language plpgsql as $$
begin
  delete from devices where user_id = person and id is distinct from but;
  delete from return_keys k where k.user_id = person
    and not exists (select from devices d where d.id = but and d.device_id = k.device_id);
  perform end_codes(person);
  if not keeps_calendar then delete from calendar_feeds where user_id = person; end if;
  update users set link_epoch = link_epoch + 1 where id = person;
end $$;

-- The code that a guest keeps and those made for them, which a device that is signed out may have seen, and those by which
-- it let others in. The code that a device shows goes with it.
create function end_codes(person bigint) returns void language sql as $$
  delete from account_transfers
  where (user_id = person and kind <> 'device') or (made_by = person and taken_by is null)
$$;
