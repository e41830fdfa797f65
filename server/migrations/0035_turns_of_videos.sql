-- Films are converted by fair shares: when each would be done, in seconds of film, if all who wait were served evenly.
alter table videos add column turn integer not null default 0;
create index videos_pending on videos (turn) where state in ('waiting', 'converting');
