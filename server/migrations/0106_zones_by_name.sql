-- Distances from UTC were stored as they were sent; browsers know zones by name only.
create table named_zones (given text primary key, zone text not null);
insert into named_zones
  select sign || lpad(abs(hour)::text, 2, '0') || minutes,
    case when hour = 0 then 'UTC' when hour > 0 then 'Etc/GMT-' || hour else 'Etc/GMT+' || -hour end
  from generate_series(-12, 14) hour,
    lateral unnest(case when hour = 0 then array['+', '-'] when hour > 0 then array['+'] else array['-'] end) sign,
    unnest(array['', '00', ':00']) minutes
  union all
  select replace(given, ':', colon), zone
  from unnest(
    array['-09:30', '-03:30', '-02:30', '+03:30', '+04:30', '+05:30', '+05:45', '+06:30', '+08:45', '+09:30', '+10:30', '+12:45', '+13:45'],
    array['Pacific/Marquesas', 'America/St_Johns', 'America/St_Johns', 'Asia/Tehran', 'Asia/Kabul', 'Asia/Kolkata', 'Asia/Kathmandu',
      'Asia/Yangon', 'Australia/Eucla', 'Australia/Darwin', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Chatham']) as t (given, zone),
    unnest(array['', ':']) colon;
update events e set timezone = n.zone from named_zones n where e.timezone = n.given;
update devices d set timezone = n.zone from named_zones n where d.timezone = n.given;
update users u set timezone = n.zone from named_zones n where u.timezone = n.given;
drop table named_zones;
