create table upload_parts (
  session_id uuid not null references upload_sessions on delete cascade,
  start bigint not null,
  bytes bigint not null,
  sha256 text not null,
  primary key (session_id, start)
);
create index upload_parts_files on upload_parts (sha256);
