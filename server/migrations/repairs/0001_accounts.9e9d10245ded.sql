drop index login_options_identifier_key;
create unique index login_options_identifier_key on login_options (type, lower(identifier)) where type <> 1;
create index login_options_own_identifier on login_options (lower(identifier), created_at) where type = 1;
