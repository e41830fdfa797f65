-- Beside older processes.
-- What a subscription showed last, and since when it shows that: a calendar app that has it is not sent it again.
alter table calendar_feeds add column shown_tag text, add column changed_at timestamptz not null default now();
