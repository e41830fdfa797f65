-- Codes of links that people type: what a code was derived from beside its link's nonce, and a keyed hash by which it is
-- found. It stays with its link, also once that is closed, so that no code comes to mean another event.
create table link_short_codes (
  link_id bigint primary key references event_links on delete cascade,
  turn smallint not null,
  mac bytea not null unique
);
