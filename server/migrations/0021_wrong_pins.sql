-- A link forgets wrong PINs as time goes by: `wrong_pins` is how many it bore at `wrong_pin_at`.
alter table event_links add column wrong_pin_at timestamptz;
