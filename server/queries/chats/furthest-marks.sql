select asked.n, m.user_id, m.seen_sequence
from unnest((select $1::bigint[]), (select $2::bigint[]))
  with ordinality as asked (chat_id, sequence, n),
  lateral (
    select * from seen_marks where group_chat_id = asked.chat_id and seen_sequence >= asked.sequence and not exists (select from users hiding where hiding.id = seen_marks.user_id and hiding.hides_seen)
    order by seen_sequence desc, user_id limit 101
  ) m
order by asked.n, m.seen_sequence desc, m.user_id;
