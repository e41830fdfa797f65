-- The PIN of a link, encrypted with a key of the instance, for its organizers to read again; null of links from before.
alter table event_links add column pin_sealed bytea;

alter table events
  -- Whether the client offers guests to pass on the link they came in by.
  add column guests_may_share boolean not null default true,
  -- Whether the live wall shows short messages of the chat between the photos.
  add column greetings_on_wall boolean not null default false;
