-- The link by which somebody is the photographer of an event, whatever else they are in it; null once it is closed.
alter table guests add column photographs_by bigint;
create index guests_photographing on guests (photographs_by) where photographs_by is not null;
update guests g set photographs_by = l.id
from event_links l where l.id = g.link_id and l.photographer and g.role = 'drop' and g.ended_at is null;
