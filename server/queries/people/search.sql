  with asked as materialized (
with words as (select distinct word from unnest(words_of($1, 20)) as word),
telling as (
  select word from words w
  where not exists (select from words o where o.word <> w.word and starts_with(o.word, w.word))
  order by char_length(word) desc, word limit 6
)
select array(select word from telling order by char_length(word) desc, word) as words,
  array(select '% ' || word || '%' from telling) as beginnings,
  case when folded($2) ~ '^@?[^@\s]+$' then left(ltrim(folded($3), '@'), 64) end as typed),
  alternatives as materialized (
select place, word as first, word || chr(1114111) as beyond, 1::real as likeness
from asked, unnest(words[1:2]) with ordinality as t (word, place)
),
  areas as materialized (
select a.first, a.beyond, coalesce(b.first, '') as other_first, coalesce(b.beyond, chr(1114111)) as other_beyond,
  a.likeness * coalesce(b.likeness, 1) as likeness
from alternatives a left join alternatives b on b.place = 2
where a.place = 1
union all
select typed, typed || chr(1114111), '', chr(1), 1 from asked where typed is distinct from words[1] and typed <> ''
order by likeness desc limit 100),
  circle as (
select * from (
  select friend_id as user_id, 0 as circle, ' ' || found_by || ' ' as line from friendships where user_id = $4
  union all
  select l.user_id, 1, ' ' || l.found_by || ' '
  from members g join events e on e.id = g.event_id and e.deleted_at is null join guest_lines l on l.event_id = g.event_id
  where g.user_id = $5 and (not e.guests_hidden or g.role in ('owner', 'organizer'))
) everybody offset 0),
  near as materialized (
select * from (
  select c.user_id, c.circle, c.line as lead, 1::real as likeness,
    right(c.line, char_length(typed) + 2) = ' ' || typed || ' ' as exact
  from asked, circle c
  where words <> '{}' and c.line like all (beginnings)
    or strpos(c.line, ' ' || typed) > 0
  offset 0) as lines
where likeness > 0),
  strangers as (
select distinct on (user_id) user_id, lead, other, likeness,
  other = '' and lead = (select typed from asked) as exact
from (
  select w.user_id, w.lead, w.other, a.likeness
  from areas a cross join lateral (
    select w.user_id, w.lead, w.other from user_words w
    where w.lead >= a.first and w.lead < a.beyond and w.other >= a.other_first and w.other < a.other_beyond
      and ((select cardinality(words) < 3 from asked) or w.other = '' or not exists (
select from asked, unnest(words[3:]) as further
where not exists (
  select from user_words x where x.user_id = w.user_id
    and ((x.lead >= further and x.lead < further || chr(1114111)) ))))
    order by w.lead, w.other, w.user_id limit 200) w
  order by a.likeness desc, w.lead, w.other, w.user_id limit 200
) as entries
order by user_id, exact desc, likeness desc, lead, other),
  found as materialized (
    select * from (
      select user_id, min(circle) as circle, bool_or(exact) as exact, max(likeness) as likeness, min(lead) as lead, '' as other
      from near group by user_id
      union all
      select user_id, 2, exact, likeness, lead, other from strangers s
      where not exists (select from near n where n.user_id = s.user_id)
    ) f
    where user_id <> $6
      and user_id not in (select other_id from blocked_pairs where user_id = $7)
  ),
  shown as (select * from found order by circle, exact desc, likeness desc, lead, other, user_id offset $8 limit $9)
  select c.found, u.id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending,
    s.circle = 0 as friend
  from (select count(*) as found from found) c
  left join (shown s join users u on u.id = s.user_id) on true
  order by circle, exact desc, likeness desc, lead, other, user_id;

  with asked as materialized (
with words as (select distinct word from unnest(words_of($1, 20)) as word),
telling as (
  select word from words w
  where not exists (select from words o where o.word <> w.word and starts_with(o.word, w.word))
  order by char_length(word) desc, word limit 6
)
select array(select word from telling order by char_length(word) desc, word) as words,
  array(select '% ' || word || '%' from telling) as beginnings,
  case when folded($2) ~ '^@?[^@\s]+$' then left(ltrim(folded($3), '@'), 64) end as typed),
  alternatives as materialized (
select place, word as first, word || chr(1114111) as beyond, 1::real as likeness
from asked, unnest(words[1:2]) with ordinality as t (word, place)
union all
select place, alike.word, alike.word || chr(1), alike.likeness
from asked, unnest(words[1:2]) with ordinality as t (word, place), words_alike(t.word, 20) as alike),
  areas as materialized (
select a.first, a.beyond, coalesce(b.first, '') as other_first, coalesce(b.beyond, chr(1114111)) as other_beyond,
  a.likeness * coalesce(b.likeness, 1) as likeness
from alternatives a left join alternatives b on b.place = 2
where a.place = 1
union all
select typed, typed || chr(1114111), '', chr(1), 1 from asked where typed is distinct from words[1] and typed <> ''
order by likeness desc limit 100),
  trigrams as materialized (
select word, place, array(
  select '% ' || left(word, 2) || '%'
  union select '%' || substr(word || ' ', at, 3) || '%' from generate_series(1, char_length(word) - 1) as at) as pieces
from asked, unnest(words) with ordinality as w (word, place)),
  circle as (
select * from (
  select friend_id as user_id, 0 as circle, ' ' || found_by || ' ' as line from friendships where user_id = $4
  union all
  select l.user_id, 1, ' ' || l.found_by || ' '
  from members g join events e on e.id = g.event_id and e.deleted_at is null join guest_lines l on l.event_id = g.event_id
  where g.user_id = $5 and (not e.guests_hidden or g.role in ('owner', 'organizer'))
) everybody offset 0),
  near as materialized (
select * from (
  select c.user_id, c.circle, c.line as lead, (
select case when strpos(c.line, ' ' || typed) > 0 then 1
  when bool_and(one >= 0.4) then exp(sum(ln(greatest(one, 0.01))))::real else 0 end
from (
  select case when strpos(c.line, ' ' || word) > 0 then 1
    when char_length(word) > 2 and
(select count(*) from unnest(pieces) as piece where c.line like piece) >= 0.4 * (cardinality(pieces) + 1) - 1 then strict_word_similarity(word, c.line) else 0 end as one
  from trigrams offset 0) w) as likeness,
    right(c.line, char_length(typed) + 2) = ' ' || typed || ' ' as exact
  from asked, circle c
  where c.line like any ((select pieces from trigrams where place = 1)::text[]) and c.line like any (coalesce((select pieces from trigrams where place = 2)::text[], '{%}'))
    and
(select count(*) from unnest((select pieces from trigrams where place = 1)::text[]) as piece where c.line like piece) >= 0.4 * (cardinality((select pieces from trigrams where place = 1)::text[]) + 1) - 1
    or strpos(c.line, ' ' || typed) > 0
  offset 0) as lines
where likeness > 0),
  strangers as (
select distinct on (user_id) user_id, lead, other, likeness,
  other = '' and lead = (select typed from asked) as exact
from (
  select w.user_id, w.lead, w.other, a.likeness
  from areas a cross join lateral (
    select w.user_id, w.lead, w.other from user_words w
    where w.lead >= a.first and w.lead < a.beyond and w.other >= a.other_first and w.other < a.other_beyond
      and ((select cardinality(words) < 3 from asked) or w.other = '' or not exists (
select from asked, unnest(words[3:]) as further
where not exists (
  select from user_words x where x.user_id = w.user_id
    and ((x.lead >= further and x.lead < further || chr(1114111)) or similarity(x.lead, further) >= 0.4))))
    order by w.lead, w.other, w.user_id limit 40) w
  order by a.likeness desc, w.lead, w.other, w.user_id limit 200
) as entries
order by user_id, exact desc, likeness desc, lead, other),
  found as materialized (
    select * from (
      select user_id, min(circle) as circle, bool_or(exact) as exact, max(likeness) as likeness, min(lead) as lead, '' as other
      from near group by user_id
      union all
      select user_id, 2, exact, likeness, lead, other from strangers s
      where not exists (select from near n where n.user_id = s.user_id)
    ) f
    where user_id <> $6
      and user_id not in (select other_id from blocked_pairs where user_id = $7)
  ),
  shown as (select * from found order by circle, exact desc, likeness desc, lead, other, user_id offset $8 limit $9)
  select c.found, u.id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending,
    s.circle = 0 as friend
  from (select count(*) as found from found) c
  left join (shown s join users u on u.id = s.user_id) on true
  order by circle, exact desc, likeness desc, lead, other, user_id;
