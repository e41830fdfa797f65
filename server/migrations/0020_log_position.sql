-- A change's place in the order of commits, given by whoever looks at the log next (place_changes): 1, 2, 3 … over all of
-- it. Transaction ids are no position: PostgreSQL hands out again after a crash those that left nothing in its log, and
-- every copy of a database goes on with ids of its own.
drop index changes_by_transaction;
drop index changes_of_event;
drop index changes_of_user;
-- Cursors of before cannot be read any more, so nobody asks for what they lead to.
delete from changes c where not exists (select from unnotified_changes u where u.change_id = c.id);
alter table changes
  add place bigint,
  -- Of those that were placed together: every transaction before this one had nothing left to be placed.
  add settled_before xid8;
create index changes_unplaced on changes (xid) where place is null;
create unique index changes_by_place on changes (place) where place is not null;
create index changes_of_event on changes (event_id, place) where place is not null and event_id is not null;
create index changes_of_user on changes (user_id, place) where place is not null and user_id is not null;

alter table change_log
  drop kept_since,
  -- What is behind this place is all there; what is at it or before it may have been pruned.
  add kept_after bigint not null default 0,
  -- Within one history a place never means two changes; a copy that goes on by itself draws another.
  add history text not null default left(replace(gen_random_uuid()::text, '-', ''), 12),
  -- Where this history is written: see writing_place.
  add written_at text not null default '',
  -- Proves that a cursor was handed out by us.
  add cursor_key bytea not null default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

-- What differs between a database and any other that came from it: the cluster, its timeline, which is another one after
-- each failover and each recovery to a point in time, and the table, which a dump makes anew.
create function writing_place(log_table oid) returns text language sql volatile as $$
  select concat_ws('.', system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), log_table)
  from pg_control_system()
$$;

create function last_place() returns bigint language sql stable as $$
  select coalesce((select max(place) from changes), (select kept_after from change_log))
$$;

-- Gives every change that is committed and has no place the next ones, in the order of their ids: of two acts that wait
-- for each other the later takes its id after the earlier has committed, so among what one snapshot shows that is the
-- order of the acts. Whoever comes at the same time waits, and finds the rest.
--
-- One call is one transaction, and its lock ends with it, whatever becomes of the caller. What others see is on disk:
-- PostgreSQL shows a commit after it has written it down.
create function place_changes(most integer, out placed integer, out history text, out place bigint, out cursor_key bytea)
  language plpgsql
  -- Of unknown arrays PostgreSQL expects ten elements: each is looked up by its id, however large the log has grown.
  set plan_cache_mode = force_generic_plan
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
      select c.id from changes c where c.place is null and c.xid >= coalesce(settled, '0') order by c.id limit most
    ) u;
    update changes c
    set place = last + u.n, settled_before = case when cardinality(ids) < most then settles else settled end
    from unnest(ids) with ordinality u (id, n) where c.id = u.id;
    get diagnostics placed = row_count;
  end if;
  select last_place(), l.history, l.cursor_key into place, history, cursor_key from change_log l;
end $$;

-- Everything that was read under this history is to be loaded afresh. What is placed keeps its place.
create function begin_history(known text) returns void language sql volatile as $$
  update change_log l
  set history = default, written_at = writing_place(l.tableoid) where l.history = known;
  -- Of another cluster, transaction ids mean nothing here.
  update changes set settled_before = null where place = last_place();
$$;
