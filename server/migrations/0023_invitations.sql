-- How many strangers somebody invited within a day is read off the log.
create index audit_entries_invited on audit_entries (actor_id, created_at) include (user_id) where act = 'user.invited';
