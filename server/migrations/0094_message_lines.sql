-- What everybody sees of a message, as a JSON array: read as columns, and put together for each reader anew, fifty of them
-- took both sides twice as long.
alter table messages add column line text not null generated always as (
  json_array(id, group_chat_id, sequence, user_id, iso_time(created_at), iso_time(updated_at), iso_time(edited_at),
    iso_time(deleted_at), iso_time(hidden_at), content, reactions null on null returning text)
) stored;
