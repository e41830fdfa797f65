-- How often something outside of the video ended its conversion, since it was last asked for. `tries` counts from now on
-- the conversions begun that nobody heard of again: of a video that takes the whole service down nothing else is left.
alter table videos add column faults integer not null default 0;
