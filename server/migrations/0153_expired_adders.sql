-- Links for adding photos end at their time, with all that they gave.
create index event_links_for_adding on event_links (expires_at) where role = 'drop' and revoked_at is null;
