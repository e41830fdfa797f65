-- Who somebody is at a provider is its issuer and its subject, and subjects differ by case. An operator who puts another
-- provider under a number of the settings must not hand the accounts of the first one to the second. The own option has
-- no issuer, and so is never in the way of another.
alter table login_options add column issuer text;
drop index login_options_identifier_key;
create unique index login_options_identity_key on login_options (issuer, identifier);

-- A browser on its way to a provider and back. The row ends when it comes back, whatever it brings.
create table provider_flows (
  state_hash bytea primary key,
  type integer not null,
  nonce text not null,
  code_verifier text not null,
  redirect_uri text not null,
  return_to text not null,
  -- SHA-256 of the verifier that only this browser knows.
  challenge bytea not null,
  expires_at timestamptz not null
);
create index provider_flows_expires_at on provider_flows (expires_at);

-- What a browser brought back: worth a sign-in to whoever has the code and the verifier, once.
create table provider_proofs (
  code_hash bytea primary key,
  challenge bytea not null,
  type integer not null,
  issuer text not null,
  subject text not null,
  email text,
  vouched boolean not null,
  first_name text,
  last_name text,
  expires_at timestamptz not null
);
create index provider_proofs_expires_at on provider_proofs (expires_at);

-- Codes that travel by mail. Each proves one address: after a change of address the code for the old one is worth nothing.
create table mailed_codes (
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  code_hash bytea not null unique,
  email text not null,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);

-- How many mails an address got and a person caused of late. Addresses stand here only as SHA-256.
create table mails_asked (
  id bigint generated always as identity primary key,
  address_hash bytea not null,
  by_user_id bigint references users on delete cascade,
  created_at timestamptz not null default now()
);
create index mails_asked_address on mails_asked (address_hash, created_at);
create index mails_asked_by_user on mails_asked (by_user_id, created_at) where by_user_id is not null;
create index mails_asked_created_at on mails_asked (created_at);
