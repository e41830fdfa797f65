-- A report is told to them: they were looked for among everybody.
create index users_operators on users (id) where operator;
