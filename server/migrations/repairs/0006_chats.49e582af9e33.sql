drop index messages_words;
drop function message_words(text);
drop function message_block(bigint, bigint);
create function message_words(value text) returns text[] language sql immutable parallel safe return
  tsvector_to_array(to_tsvector('simple', translate(
    case when octet_length(value) = length(value) then value
      else regexp_replace(folded(value), '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u9FFF\uF900-\uFAFF])', ' \1 ', 'g')
    end, '@./''', '   ')));

create function message_block(chat_id bigint, block bigint) returns text language sql immutable parallel safe return
  chat_id || 'b' || block || 'w';
create function message_terms(chat_id bigint, sequence bigint, value text) returns tsvector
  language sql immutable parallel safe return
  array_to_tsvector(string_to_array(
    message_block(chat_id, sequence >> 13)
      || array_to_string(message_words(value), ' ' || message_block(chat_id, sequence >> 13)), ' '));
create index messages_words on messages using gin (message_terms(group_chat_id, sequence, content))
  with (gin_pending_list_limit = 2048) where deleted_at is null;
