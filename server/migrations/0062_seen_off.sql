-- Shows nobody how far they have read, and sees it of nobody.
alter table users add hides_seen boolean not null default false;
create index users_hiding_seen on users (id) where hides_seen;
