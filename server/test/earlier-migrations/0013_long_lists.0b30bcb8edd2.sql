-- Join requests stand in line, and reactions to a comment follow each other, under numbers of their parent
-- (platform/sequence-pages.ts): the deepest page costs what the first does.
alter table events add last_asked_sequence bigint not null default 0;
alter table join_requests add sequence bigint;
update join_requests r set sequence = line.sequence
from (
  select event_id, user_id, row_number() over (partition by event_id order by asked_at, user_id) as sequence
  from join_requests where status = 'asked'
) line where r.event_id = line.event_id and r.user_id = line.user_id;
update events e set last_asked_sequence = line.length
from (select event_id, max(sequence) as length from join_requests group by event_id) line
where e.id = line.event_id and line.length is not null;
alter table join_requests add check (status <> 'asked' or sequence is not null);
drop index join_requests_waiting;
create unique index join_requests_waiting on join_requests (event_id, sequence) where status = 'asked';

alter table comments add last_reaction_sequence bigint not null default 0;
alter table comment_reactions add sequence bigint;
update comment_reactions r set sequence = row.sequence
from (
  select id, row_number() over (partition by comment_id order by created_at, id) as sequence from comment_reactions
) row where r.id = row.id;
update comments c set last_reaction_sequence = list.length
from (select comment_id, max(sequence) as length from comment_reactions group by comment_id) list
where c.id = list.comment_id;
alter table comment_reactions alter sequence set not null;
drop index comment_reactions_in_order;
create unique index comment_reactions_in_order on comment_reactions (comment_id, sequence);
