-- A message carries the Idempotency-Key that its client sent it under, as a hash, and a hash of that request, so that a
-- repeat finds it for as long as it is there. Of a deleted message the hash of what it said goes, too.
alter table messages
  add column client_key bytea,
  add column client_fingerprint bytea;
create unique index messages_client_key on messages (user_id, client_key) where client_key is not null;

-- The sends of the last day. A message that was edited under a key is older than the key.
with sent as (
  update messages m
  set client_key = substring(k.key_hash from 1 for 16),
    client_fingerprint = case when m.deleted_at is null then substring(k.fingerprint from 1 for 8) end
  from idempotency_keys k
  where k.operation = 'saveMessage' and m.id = (k.reply ->> 'id')::bigint and m.user_id = k.user_id
    and m.created_at >= k.created_at
  returning k.user_id, k.key_hash
)
delete from idempotency_keys k using sent
where k.operation = 'saveMessage' and k.user_id = sent.user_id and k.key_hash = sent.key_hash;
