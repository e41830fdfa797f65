-- The setting below can only be named when the extension is loaded.
select show_limit();
-- The words most like one that was asked for, from three letters on. The threshold is above the extension's own: at its
-- 0.3 the index hands over twenty times as many words to compare.
create function words_alike(asked text, most integer) returns table (word text, likeness real)
  language sql stable strict parallel safe set pg_trgm.similarity_threshold = 0.4 as $$
  select k.word, similarity(k.word, asked) from known_words k
  where k.word % asked and not starts_with(k.word, asked) and char_length(asked) > 2
  order by 2 desc, 1 limit most
$$;
