-- How many photos a guest may add: of an event, and of one person in it; null is the instance's number.
alter table events add column photos_per_guest integer check (photos_per_guest >= 0);
alter table guests add column photos_max integer check (photos_max >= 0);
