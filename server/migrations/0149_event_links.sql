-- Beside older processes.
-- The link that is made with an event follows how people join it: by invitation only, it asks a host.
alter table event_links add column made_with_event boolean not null default false;
-- What stands in for a cover; null: chosen by the event's ID.
alter table events add column theme text;
