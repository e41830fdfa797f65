-- The mail of what somebody missed; without a word of theirs they get it.
alter table notification_settings add mails_digest boolean not null default true;

-- The last one of each person: what it tells of, and whether it has left. Its row decides between processes who sends.
create table mail_digests (
  user_id bigint primary key references users on delete cascade,
  since timestamptz not null,
  told_up_to timestamptz not null,
  told_at timestamptz not null,
  sent_at timestamptz
);
