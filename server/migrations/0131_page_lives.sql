-- Whether an event's page shows what counts before, during and after it.
alter table events add column page_lives boolean not null default true;
