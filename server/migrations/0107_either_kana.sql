-- People are found by their names in either kana: words are stored in katakana.
create function in_katakana(value text) returns text language sql immutable parallel safe strict
return translate(value, 'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ', 'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ');

create or replace function words_of(value text, most integer)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  word text;
  words text[] := '{}';
begin
  foreach word in array regexp_split_to_array(in_katakana(folded(value)),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u3003\u30FB\s]+') loop
    if word <> '' and cardinality(words) < most then words := words || left(word, 64); end if;
  end loop;
  return words;
end $function$;

delete from user_words w using users u
where u.id = w.user_id and concat(u.first_name, u.middle_name, u.last_name) ~ '[\u3041-\u3096]'
  and not exists (select from pairs_of(u) p where p.lead = w.lead and p.other = w.other);
insert into user_words (user_id, lead, other)
select u.id, p.lead, p.other from users u cross join lateral pairs_of(u) p
where concat(u.first_name, u.middle_name, u.last_name) ~ '[\u3041-\u3096]' on conflict do nothing;
update friendships f set found_by = line_of(u) from users u
where u.id = f.friend_id and concat(u.first_name, u.middle_name, u.last_name) ~ '[\u3041-\u3096]';
update guest_lines l set found_by = line_of(u) from users u
where u.id = l.user_id and concat(u.first_name, u.middle_name, u.last_name) ~ '[\u3041-\u3096]';
