-- A photo is approved with its words and its uploader's name: later ones wait, and it keeps the approved ones until then.
alter table photos add column new_words jsonb;
alter table photos add column approved_name jsonb;
drop index photos_waiting;
create index photos_waiting on photos (event_id, sequence) where (waits or new_words is not null) and deleted_at is null;
-- The words that a decision replaced, so that it can be undone.
alter table photo_decisions add column words jsonb not null default '[]';

create function keep_approved_names() returns trigger language plpgsql as $$
declare
  before constant jsonb := jsonb_build_object('first_name', old.first_name, 'middle_name', old.middle_name, 'last_name', old.last_name);
  after constant jsonb := jsonb_build_object('first_name', new.first_name, 'middle_name', new.middle_name, 'last_name', new.last_name);
begin
  -- An erased account leaves no name.
  if new.username like 'deleted~%' then
    update photos p set approved_name = null from guests g
    where g.user_id = new.id and p.event_id = g.event_id and p.taken_by = new.id and p.approved_name is not null;
    return null;
  end if;
  update photos p set approved_name = nullif(coalesce(p.approved_name, before), after),
    new_words = case when coalesce(p.approved_name, before) = after then nullif(p.new_words, approved.words)
      else coalesce(p.new_words, approved.words) end
  from (
    select o.id, jsonb_build_object('caption', o.caption, 'alt_text', o.alt_text) as words
    from guests g join events e on e.id = g.event_id join photos o on o.event_id = g.event_id and o.taken_by = g.user_id
    where g.user_id = new.id and e.photo_approval <> 'none' and e.deleted_at is null and g.role not in ('owner', 'organizer')
      and not g.trusted and not exists (select from event_links l where l.id = g.photographs_by and not l.photos_wait)
      and o.deleted_at is null and not o.waits and (o.hidden_at is null or o.sealed_from is not null)
  ) approved where p.id = approved.id;
  return null;
end $$;
create trigger users_keep_approved_names after update of first_name, middle_name, last_name on users for each row
  when ((old.first_name, old.middle_name, old.last_name) is distinct from (new.first_name, new.middle_name, new.last_name))
  execute function keep_approved_names();
