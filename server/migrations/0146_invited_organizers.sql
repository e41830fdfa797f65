-- Beside older processes.
-- Organizers of an event that is held again are asked like its guests, and are organizers once they accept.
alter table invitations add column organizes boolean not null default false;
