-- What messages and photos show is read by the names of its columns; a second form of it is no longer stored.
alter table messages drop column line;
alter table photos drop column line;
