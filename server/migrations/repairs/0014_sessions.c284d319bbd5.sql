drop function open_session(bigint, text, text, text, bytea, integer);
create function open_session(
  for_user bigint, on_device text, on_platform text, in_timezone text, with_hash bytea, sessions_max integer
) returns table (expires_at timestamptz, ended boolean, person_status smallint) language plpgsql as $$
declare
  dropped integer;
begin
  select status into person_status from users where id = for_user for no key update;
  update users set timezone = in_timezone where id = for_user and timezone <> in_timezone;
  insert into devices as d (user_id, device_id, platform, timezone, token_hash, token_expires_at)
  values (for_user, on_device, on_platform, in_timezone, with_hash, now() + interval '30 days')
  on conflict (user_id, device_id) do update set
    platform = excluded.platform, timezone = excluded.timezone,
    token_hash = excluded.token_hash, token_expires_at = excluded.token_expires_at,
    previous_token_hash = null, previous_token_expires_at = null,
    last_used_at = now(), created_at = now(), updated_at = now()
  -- A row that was there has been updated by this transaction, one that is new by none.
  returning d.token_expires_at, d.xmax <> 0 into expires_at, ended;
  delete from devices where id in (
    select id from devices where user_id = for_user order by last_used_at desc, id desc offset sessions_max);
  get diagnostics dropped = row_count;
  ended := ended or dropped > 0;
  return next;
end $$;
