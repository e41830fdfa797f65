-- Beside older processes.
-- When an organizer last reminded those who have not answered.
alter table event_plans add column reminded_at timestamptz;
