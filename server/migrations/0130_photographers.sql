-- A link for the photographer: whoever adds photos by it may add many, and is named as the photographer beside them.
alter table event_links add column photographer boolean not null default false check (not photographer or role = 'drop');
alter table photos add column by_photographer boolean not null default false;
