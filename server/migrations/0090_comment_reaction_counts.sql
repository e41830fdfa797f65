-- How often each reaction stands beneath a comment: counting them for a page would read every reaction of fifty comments.
create table comment_reaction_counts (
  comment_id bigint not null references comments,
  reaction text not null,
  count int not null,
  primary key (comment_id, reaction)
);
insert into comment_reaction_counts (comment_id, reaction, count)
select comment_id, reaction, count(*) from comment_reactions group by comment_id, reaction;

-- Which of them came first.
create index comment_reactions_by_kind on comment_reactions (comment_id, reaction, id);
