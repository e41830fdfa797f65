-- Beside older processes.
-- From which network a device looks by a link, as a keyed hash: who holds most makes room when a link is full.
alter table devices add column came_from bytea;
