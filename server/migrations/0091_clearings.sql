-- What is read or taken back goes away from phones that show it by a push without a sound: when the next of a device is due.
alter table push_addresses add column clears_at timestamptz;
alter table push_addresses add column cleared_at timestamptz;
