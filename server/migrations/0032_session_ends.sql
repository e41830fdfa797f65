-- Every process looks several times a second for the sessions that have ended, whether or not anybody has given the log's
-- newest changes their places.
create index changes_session_ends on changes (place) where kind = 'session.ended';
