-- Addresses outside that are told what happens in an event, or, without one, in all of them.
create table webhooks (
  id bigint generated always as identity primary key,
  event_id bigint references events on delete cascade,
  url text not null,
  kinds text[] not null,
  -- What its secret is made of, with the service's own key: a dump of the database signs nothing.
  nonce bytea not null,
  -- The one before signs as well until then.
  previous_nonce bytea,
  previous_until timestamptz,
  status text not null default 'on' check (status in ('on', 'off')),
  -- Up to which place of the log it has its deliveries.
  taken_to bigint not null,
  created_at timestamptz not null default now()
);
create index webhooks_event on webhooks (event_id, id desc);

-- What each was sent or is to be sent, with every try. Its ids rise in the order of the log.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  -- What the receiver knows it by, whatever history of the log it belongs to.
  name uuid not null default gen_random_uuid(),
  kind text not null,
  event_id bigint,
  subject_id bigint,
  actor_id bigint,
  happened_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'dropped')),
  tries jsonb not null default '[]',
  first_tried_at timestamptz,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, id) where status = 'waiting';
create index webhook_deliveries_resting on webhook_deliveries (webhook_id, due_at) where status = 'waiting';
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
