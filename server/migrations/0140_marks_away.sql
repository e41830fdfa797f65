-- Likes, reactions and votes count those who are there: they go with people who are sent away, and come back with them.
create table marks_away (
  event_id bigint not null references events on delete cascade,
  user_id bigint not null references users on delete cascade,
  mark text not null check (mark in ('photo_likes', 'comment_reactions', 'message_reactions', 'poll_votes')),
  given jsonb not null,
  sent_at timestamptz not null default now()
);
create index marks_away_of_event on marks_away (event_id, user_id);
create index marks_away_of_user on marks_away (user_id);
create index marks_away_sent on marks_away (sent_at);

-- To find all of somebody's.
create index photo_likes_of_user on photo_likes (user_id, photo_id);
create index comment_reactions_of_user on comment_reactions (user_id, comment_id);
create index message_reactions_of_user on message_reactions (user_id, message_id);

-- Counts again what these marks are on, and tells everybody in the event.
create function recount_marks(event bigint, marks marks_away[]) returns void language plpgsql as $$
begin
  update photos p set likes_count = (select count(*) from photo_likes l where l.photo_id = p.id)
  where p.id in (select (m.given ->> 'photo_id')::bigint from unnest(marks) m);
  update comment_reaction_counts c set count = (
    select count(*) from comment_reactions r where r.comment_id = c.comment_id and r.reaction = c.reaction)
  where c.comment_id in (select (m.given ->> 'comment_id')::bigint from unnest(marks) m);
  update messages m set reactions = (
    select jsonb_agg(jsonb_build_object('id', r.first, 'emoji', r.emoji, 'count', r.count,
      'created_at', iso_time(r.since), 'updated_at', iso_time(clock_timestamp())) order by r.first)
    from (
      select emoji, count(*) as count, min(id) as first, min(created_at) as since
      from message_reactions where message_id = m.id group by emoji) r)
  where m.id in (
    select (m.given ->> 'message_id')::bigint from unnest(marks) m where m.mark = 'message_reactions');
  insert into changes (kind, audience, event_id, actor_id, subject_id)
  select distinct
    case m.mark when 'photo_likes' then 'photo.liked' when 'comment_reactions' then 'comment.reacted'
      when 'message_reactions' then 'message.reacted' else 'message.updated' end,
    'event', event, 0,
    coalesce(m.given ->> 'photo_id', m.given ->> 'comment_id', m.given ->> 'message_id')::bigint
  from unnest(marks) m;
end $$;

-- Whoever calls it has locked the event and its chat.
create function take_marks_away(event bigint, people bigint[]) returns void language plpgsql as $$
declare
  gone marks_away[];
begin
  perform from photos where event_id = event and id in (select photo_id from photo_likes where user_id = any(people))
  order by id for no key update;
  perform from comments where id in (
    select r.comment_id from comment_reactions r join comments c on c.id = r.comment_id join photos p on p.id = c.photo_id
    where r.user_id = any(people) and p.event_id = event)
  order by id for no key update;
  with likes as (
    delete from photo_likes l using photos p
    where l.user_id = any(people) and p.id = l.photo_id and p.event_id = event returning l.*
  ), reactions as (
    delete from comment_reactions r using comments c, photos p
    where r.user_id = any(people) and c.id = r.comment_id and p.id = c.photo_id and p.event_id = event returning r.*
  ), emojis as (
    delete from message_reactions r using messages m, group_chats c
    where r.user_id = any(people) and m.id = r.message_id and c.id = m.group_chat_id and c.event_id = event returning r.*
  ), votes as (
    delete from poll_votes v using messages m, group_chats c
    where v.user_id = any(people) and m.id = v.message_id and c.id = m.group_chat_id and c.event_id = event returning v.*
  ), taken as (
    insert into marks_away (event_id, user_id, mark, given)
    select event, user_id, 'photo_likes', to_jsonb(likes) from likes
    union all select event, user_id, 'comment_reactions', to_jsonb(reactions) from reactions
    union all select event, user_id, 'message_reactions', to_jsonb(emojis) from emojis
    union all select event, user_id, 'poll_votes', to_jsonb(votes) from votes
    returning marks_away
  ), gaps as (
    insert into sequence_gaps as g (list, parent_id, block, gaps)
    select 'comment reactions', comment_id, (sequence - 1) / 512, count(*) from reactions group by 2, 3
    on conflict (list, parent_id, block) do update set gaps = g.gaps + excluded.gaps
  )
  select array_agg(marks_away) into gone from taken;
  if gone is not null then perform recount_marks(event, gone); end if;
end $$;

-- What was deleted since stays deleted. Whoever calls it has locked the event.
create function bring_marks_back(event bigint, people bigint[]) returns void language plpgsql as $$
declare
  back marks_away[];
begin
  perform from group_chats where event_id = event for no key update;
  with taken as (
    delete from marks_away m where m.event_id = event and m.user_id = any(people) returning m
  )
  select array_agg(m) into back from taken;
  if back is null then return; end if;
  perform from photos where id in (select (m.given ->> 'photo_id')::bigint from unnest(back) m) order by id for no key update;
  perform from comments where id in (select (m.given ->> 'comment_id')::bigint from unnest(back) m) order by id for no key update;
  insert into photo_likes select r.* from unnest(back) m, jsonb_populate_record(null::photo_likes, m.given) r
  where m.mark = 'photo_likes' and exists (select from photos p where p.id = r.photo_id) on conflict do nothing;
  with returned as (
    insert into comment_reactions overriding system value
    select r.* from unnest(back) m, jsonb_populate_record(null::comment_reactions, m.given) r
    where m.mark = 'comment_reactions' and exists (
      select from comments c where c.id = r.comment_id and c.deleted_at is null) on conflict do nothing
    returning comment_id, sequence
  )
  update sequence_gaps g set gaps = g.gaps - n.filled
  from (select comment_id, (sequence - 1) / 512 as block, count(*) as filled from returned group by 1, 2) n
  where g.list = 'comment reactions' and g.parent_id = n.comment_id and g.block = n.block;
  insert into message_reactions overriding system value
  select r.* from unnest(back) m, jsonb_populate_record(null::message_reactions, m.given) r
  where m.mark = 'message_reactions' and exists (
    select from messages g where g.id = r.message_id and g.deleted_at is null) on conflict do nothing;
  insert into poll_votes select r.* from unnest(back) m, jsonb_populate_record(null::poll_votes, m.given) r
  where m.mark = 'poll_votes' and exists (select from polls p where p.message_id = r.message_id) on conflict do nothing;
  perform recount_marks(event, back);
end $$;
