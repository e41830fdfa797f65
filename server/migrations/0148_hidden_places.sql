-- Beside older processes.
-- Whether only people in an event are told where it takes place.
alter table events add column location_hidden boolean not null default false;
