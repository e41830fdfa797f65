-- A webhook lives by the standing of whoever made it, one a URL, and its receiver consents before it gets much.
alter table webhooks add column made_by bigint references users (id), add column consented_at timestamptz;

update webhooks w set
  made_by = coalesce(
    (select a.actor_id from audit_entries a where a.event_id = w.event_id and a.subject_id = w.id and a.act = 'webhook.made'
      and exists (select from users u where u.id = a.actor_id) order by a.id desc limit 1),
    (select m.user_id from members m where m.event_id = w.event_id and m.role = 'owner'),
    (select min(u.id) from users u where w.event_id is null and u.operator)),
  -- Whoever took something until now goes on.
  consented_at = (select now() where exists (
    select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'delivered'));

delete from webhooks older using webhooks newer
where older.url = newer.url and older.event_id is not distinct from newer.event_id
  and (older.status = 'on', older.id) < (newer.status = 'on', newer.id);
-- A hash, because a URL may be longer than an index takes; without a URL it is over.
create unique index webhooks_url on webhooks (coalesce(event_id, 0), md5(url)) where url <> '';
create index webhooks_made_by on webhooks (made_by);

-- How much went to hosts that have not consented, in the hour that it says.
create table webhook_trickles (host text primary key, hour timestamptz not null, sent int not null);
create index webhook_trickles_hour on webhook_trickles (hour);
