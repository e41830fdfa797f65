-- What is taken back keeps no title either: it names an event or a person.
update notifications set title = '' where withdrawn_at is not null and title <> '';
