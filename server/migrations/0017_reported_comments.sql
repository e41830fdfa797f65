-- Of a comment: the photo that it hangs on, where who reads the report can look at it.
alter table reports add column photo_id bigint;
