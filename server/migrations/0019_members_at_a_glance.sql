-- Whether somebody is in an event, and organizes it, is read on nearly every request. Without `organizer` in this index
-- the list of guests (guests_in_order) looked cheaper, and all of an event's guests were walked through for one of them:
-- 200 µs where there are 5 000.
drop index guests_user;
create index guests_user on guests (user_id, event_id) include (organizer) where ended_at is null;
