-- Planned once a connection. A plan that was made while many changes had no place, as after five thousand joined and nobody
-- listened, looked for them in the order of their IDs and read the whole log each time: a message was heard 20 ms after
-- its reply instead of 4, until the table was analyzed again. All that is read is found by its place or its ID.
create or replace function place_changes(most int, out placed int, out history text, out place bigint, out cursor_key bytea)
language plpgsql
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set lock_timeout = '5s'
as $$
declare
  place_lock constant bigint := 4127337003;
  settled xid8;
  last bigint;
  ids bigint[];
  settles xid8;
begin
  if exists (select from change_log l where l.written_at is distinct from writing_place(l.tableoid)) then
    perform pg_advisory_xact_lock(place_lock);
    perform begin_history(l.history) from change_log l where l.written_at is distinct from writing_place(l.tableoid);
  end if;
  -- A transaction of before was visible when these were placed, or left nothing. That stays true over a crash: who
  -- placed them took a transaction id no lower, and left it in PostgreSQL's own log.
  select c.settled_before into settled from changes c where c.place is not null order by c.place desc limit 1;
  placed := 0;
  if exists (select from changes c where c.place is null and c.xid >= coalesce(settled, '0')) then
    perform pg_advisory_xact_lock(place_lock);
    select c.settled_before into settled from changes c where c.place is not null order by c.place desc limit 1;
    last := last_place();
    select array_agg(u.id), pg_snapshot_xmin(pg_current_snapshot()) into ids, settles from (
      -- `offset 0`: found by their index, and sorted then.
      select w.id from (
        select c.id from changes c where c.place is null and c.xid >= coalesce(settled, '0') offset 0
      ) w order by w.id limit most
    ) u;
    update changes c
    set place = last + u.n, settled_before = case when cardinality(ids) < most then settles else settled end
    from unnest(ids) with ordinality u (id, n) where c.id = u.id;
    get diagnostics placed = row_count;
  end if;
  select last_place(), l.history, l.cursor_key into place, history, cursor_key from change_log l;
end $$;
alter function read_head(int, bigint) set enable_seqscan = off;
