-- A photo's RAW and the moment around it come by sessions of their own kinds.
alter table upload_sessions drop constraint upload_sessions_kind_check;
alter table upload_sessions add constraint upload_sessions_kind_check check (kind in ('image', 'video', 'raw', 'live'));
