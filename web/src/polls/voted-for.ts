import type { Poll } from './poll-card.tsx'

/** The viewer's choices after tapping one. */
export const votedFor = ({ my_choice_ids: own, poll_multiple }: Poll, id: number): number[] => {
  if (own.includes(id)) return own.filter(each => each !== id)
  return poll_multiple ? [...own, id] : [id]
}

/** The poll after the viewer's vote. */
export const withVote = (poll: Poll, choices: readonly number[]): Poll => {
  const own = poll.my_choice_ids
  const more = (id: number) => Number(choices.includes(id)) - Number(own.includes(id))
  return {
    ...poll,
    poll_choices: poll.poll_choices.map(choice => ({ ...choice, votes_count: choice.votes_count + more(choice.id) })),
    voters_count: poll.voters_count + Number(choices.length > 0) - Number(own.length > 0),
    my_choice_ids: [...choices],
  }
}
