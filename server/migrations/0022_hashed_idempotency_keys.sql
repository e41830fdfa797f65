-- Whoever repeats the key of a join by link is signed in again, so that a dump must not hold it.
alter table idempotency_keys rename column key to key_hash;
alter table idempotency_keys alter column key_hash type bytea using sha256(convert_to(key_hash, 'UTF8'));
