-- What tells somebody something is stored as its kind and the values of its text, and said in the language of whoever
-- reads it. What was told before keeps its English title and body.
alter table notifications
  add text_values jsonb,
  alter title drop not null,
  alter body drop not null;

-- What somebody asked for first, as their browser or app says it; null: nothing that this service speaks.
alter table users add language text;
alter table devices add language text;
