-- Nothing ever read it.
alter table media drop column uploaded_sha256;
