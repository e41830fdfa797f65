create extension if not exists pg_trgm;

-- ---- friends, blocks, reports ----

-- A friendship is two rows, one each way, so that whose friends somebody has is one range of an index.
create table friendships (
  user_id bigint not null references users,
  friend_id bigint not null references users,
  -- The friend's words, name first: the list's order, and what a search reads without going to each friend.
  found_by text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (user_id, friend_id),
  check (user_id <> friend_id)
);
create index friendships_by_name on friendships (user_id, found_by, friend_id);

-- At most one of the two directions stands at a time: the second one asked makes a friendship.
create table friend_requests (
  asker_id bigint not null references users,
  asked_id bigint not null references users,
  created_at timestamptz not null default now(),
  primary key (asker_id, asked_id),
  check (asker_id <> asked_id)
);
create index friend_requests_newest on friend_requests (asked_id, created_at desc, asker_id desc);

create table blocks (
  blocker_id bigint not null references users,
  blocked_id bigint not null references users,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_against on blocks (blocked_id, blocker_id);
create index blocks_newest on blocks (blocker_id, created_at desc, blocked_id desc);

-- Who is kept apart from whom, whichever of the two blocked the other.
create view blocked_pairs as
select blocker_id as user_id, blocked_id as other_id from blocks
union all
select blocked_id, blocker_id from blocks;

create table reports (
  id bigint generated always as identity primary key,
  reporter_id bigint not null references users,
  type text not null check (type in ('user', 'event', 'message', 'photo', 'comment')),
  -- A row of the table that the type names.
  target_id bigint not null,
  event_id bigint references events,
  reason text not null,
  status text not null default 'open' check (status in ('open', 'closed')),
  created_at timestamptz not null default now()
);

-- ---- names as they are looked for ----

-- Text without what people leave out when they type: case, accents, vowel signs, apostrophes, invisible characters.
-- Folding decomposes and composes again, so that the marks of scripts that need theirs (Hangul, Kana, Indic) stay.
create function folded(value text) returns text language sql immutable strict parallel safe return
  normalize(
    translate(
      replace(replace(replace(replace(
        lower(regexp_replace(
          normalize(translate(value, '''’‘ʼ`´ʹ·', ''), nfkd),
          '[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]',
          '', 'g')),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'øłđħıðςŧ', 'oldhidσt'),
    nfc);

-- The first words of a text. A word is cut at 64 characters: an index entry must not outgrow a page of the index.
-- These are PL/pgSQL because an SQL function that cannot be inlined costs five times as much.
create function words_of(value text, most integer) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  word text;
  words text[] := '{}';
begin
  foreach word in array regexp_split_to_array(folded(value),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u3003\u30FB\s]+') loop
    if word <> '' and cardinality(words) < most then words := words || left(word, 64); end if;
  end loop;
  return words;
end $$;

-- Whose words they are: of the first, the last and the middle name, and what people look for beyond these: the joined name
-- in scripts that write it without a space, and what a username says that the name does not.
create function words_of_person(person users, out names text[], out besides text[])
  language plpgsql immutable parallel safe as $$
declare
  first constant text[] := words_of(person.first_name, 3);
  last constant text[] := words_of(person.last_name, 4);
  joined constant text := array_to_string(first || last, '');
  part text;
begin
  names := first || last || words_of(coalesce(person.middle_name, ''), 2);
  besides := '{}';
  if joined ~ '[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]' then
    besides := array[left(joined, 24), left(array_to_string(last || first, ''), 24)];
  end if;
  foreach part in array (regexp_split_to_array(lower(person.username), '[^a-z]+'))[1:3] loop
    if char_length(part) > 2 and part <> all (names || besides) then besides := besides || part; end if;
  end loop;
end $$;

-- What strangers find somebody by: every two words of the name in both orders, and the username beside an empty word.
-- Beside '~', which no query holds, stands what is looked for alone. Nothing of the invisible and the suspended.
create function pairs_of(person users) returns table (lead text, other text) language plpgsql immutable parallel safe as $$
declare
  words constant record := words_of_person(person);
begin
  if not person.visible or person.status = 3 then return; end if;
  return query
    select a.word, b.word from unnest(words.names) as a (word), unnest(words.names) as b (word) where a.word <> b.word
    union
    select alone.word, '~' from unnest(words.besides) as alone (word)
    union
    select min(n.word), '~' from unnest(words.names) as n (word) having count(distinct n.word) = 1
    union
    select lower(person.username), '';
end $$;

-- The same words as one line, name first and username last, for circles small enough to be read one by one; it is cut to
-- what an index entry holds. Empty for the suspended.
create function line_of(person users) returns text language plpgsql immutable parallel safe as $$
declare
  words constant record := words_of_person(person);
begin
  if person.status = 3 then return ''; end if;
  return left(array_to_string(words.names, ' '), 150) || ' '
    || array_to_string(words.besides || lower(person.username), ' ');
end $$;

-- Only of people whom strangers may find: neither invisible nor suspended.
create table user_words (
  user_id bigint not null references users on delete cascade,
  lead text collate "C" not null,
  other text collate "C" not null,
  primary key (user_id, lead, other)
);
create index user_words_found on user_words (lead, other, user_id);

-- Each word of them once, so that likeness compares with thousands of words and not with millions of people.
create table known_words (word text collate "C" primary key);
create index known_words_alike on known_words using gin (word gin_trgm_ops) with (fastupdate = off);

-- The people who are in an event now, as lines that lie together: whoever shares an event is found there, also when
-- invisible, in one range of the index instead of one look-up a person. Suspended people have an empty line.
create table guest_lines (
  event_id bigint not null,
  user_id bigint not null,
  found_by text collate "C" not null,
  primary key (event_id, user_id) include (found_by),
  foreign key (event_id, user_id) references guests on delete cascade
);

-- ---- and kept up to date, in the transaction of the change ----

-- A whole statement's people at once: a bulk load of them costs a tenth.
create function write_words() returns trigger language plpgsql as $$
begin
  insert into user_words (user_id, lead, other) select n.id, p.lead, p.other from newcomers n, pairs_of(n) p;
  return null;
end $$;

create trigger users_write_words after insert on users referencing new table as newcomers
for each statement execute function write_words();

create function rewrite_words() returns trigger language plpgsql as $$
declare
  line constant text := line_of(new);
begin
  delete from user_words w where w.user_id = new.id
    and not exists (select from pairs_of(new) p where p.lead = w.lead and p.other = w.other);
  insert into user_words (user_id, lead, other) select new.id, p.lead, p.other from pairs_of(new) p on conflict do nothing;
  update friendships theirs set found_by = line from friendships mine
  where mine.user_id = new.id and theirs.user_id = mine.friend_id and theirs.friend_id = new.id;
  update guest_lines l set found_by = line from guests g
  where g.user_id = new.id and g.ended_at is null and l.event_id = g.event_id and l.user_id = g.user_id;
  return null;
end $$;

create trigger users_rewrite_words
after update of first_name, middle_name, last_name, username, visible, status on users for each row
when ((old.first_name, old.middle_name, old.last_name, old.username, old.visible, old.status = 3)
  is distinct from (new.first_name, new.middle_name, new.last_name, new.username, new.visible, new.status = 3))
execute function rewrite_words();

-- The lock on the people keeps a change of name that is under way from being missed.
create function write_lines() returns trigger language plpgsql as $$
begin
  perform from users u where u.id in (select user_id from entering) order by u.id for share;
  insert into guest_lines (event_id, user_id, found_by)
  select e.event_id, u.id, line_of(u) from entering e join users u on u.id = e.user_id where e.ended_at is null;
  return null;
end $$;

create trigger guests_write_lines after insert on guests referencing new table as entering
for each statement execute function write_lines();

create function rewrite_line() returns trigger language plpgsql as $$
begin
  delete from guest_lines l where l.event_id = new.event_id and l.user_id = new.user_id;
  if new.ended_at is null then
    perform from users u where u.id = new.user_id for share;
    insert into guest_lines (event_id, user_id, found_by)
    select new.event_id, u.id, line_of(u) from users u where u.id = new.user_id;
  end if;
  return null;
end $$;

create trigger guests_rewrite_line after update of ended_at on guests for each row
when ((old.ended_at is null) <> (new.ended_at is null)) execute function rewrite_line();

-- The shared lock keeps a word from being forgotten while somebody who bears it is on the way in.
create function learn_words() returns trigger language plpgsql as $$
declare
  missing boolean;
begin
  loop
    insert into known_words select distinct lead from added where other <> '' order by lead on conflict do nothing;
    perform from known_words k where k.word in (select lead from added where other <> '') order by k.word for key share;
    select exists (
      select from added a where a.other <> '' and not exists (select from known_words k where k.word = a.lead)
    ) into missing;
    exit when not missing;
  end loop;
  return null;
end $$;

create trigger user_words_learn after insert on user_words referencing new table as added
for each statement execute function learn_words();

-- Nobody's word stays behind. Deleting looks again after the lock: a new bearer may have come in meanwhile.
create function forget_words() returns trigger language plpgsql as $$
begin
  perform from known_words k
  where k.word in (select lead from gone where other <> '')
    and not exists (select from user_words w where w.lead = k.word and w.other <> '')
  order by k.word for update;
  delete from known_words k
  where k.word in (select lead from gone where other <> '')
    and not exists (select from user_words w where w.lead = k.word and w.other <> '');
  return null;
end $$;

create trigger user_words_forget after delete on user_words referencing old table as gone
for each statement execute function forget_words();

-- People who were here before their words were.
insert into user_words (user_id, lead, other) select u.id, p.lead, p.other from users u, pairs_of(u) p;
insert into guest_lines (event_id, user_id, found_by)
select g.event_id, u.id, line_of(u) from guests g join users u on u.id = g.user_id where g.ended_at is null;
