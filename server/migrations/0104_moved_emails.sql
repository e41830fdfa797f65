-- An account's last change of its e-mail address. For 14 days the previous address can undo it; if the session that made
-- it had proven nothing, the new address resets no password until then.
create table moved_emails (
  user_id bigint primary key references users on delete cascade,
  email_before text not null,
  proven boolean not null,
  moved_at timestamptz not null default now()
);

alter table mailed_codes drop constraint mailed_codes_purpose_check;
alter table mailed_codes add constraint mailed_codes_purpose_check check (purpose in ('verify', 'reset', 'undo'));
