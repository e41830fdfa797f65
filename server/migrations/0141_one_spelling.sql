-- One word has one spelling: names are composed, and so are addresses, unless another account has that mailbox.
update users set first_name = normalize(first_name), middle_name = normalize(middle_name), last_name = normalize(last_name)
where not (first_name is normalized and coalesce(middle_name, '') is normalized and last_name is normalized);
-- Domains need more than the database knows: the job also tells the operator which accounts have the same mailbox.
insert into jobs (task, payload) select 'settleMailboxes', '{}' where exists (select from users);
