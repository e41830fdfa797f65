import { useInfiniteQuery } from '@tanstack/react-query'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import type { Person } from '../people/names.ts'
import { PeopleSection } from '../people/people-section.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import type { Poll } from './poll-card.tsx'

type Props = { poll: Poll; messageId: string; onClose(): void }

/** The voters of each choice. */
export const VotersDialog = ({ poll, messageId, onClose }: Props) => {
  const { t } = useWords()
  return (
    <Dialog open title={t('poll.who')} onClose={onClose}>
      {poll.poll_choices.map(choice => (
        <VotersOf key={choice.id} choice={choice} messageId={messageId} />
      ))}
    </Dialog>
  )
}

const VotersOf = ({ choice, messageId }: { choice: Poll['poll_choices'][number]; messageId: string }) => {
  const voters = useInfiniteQuery({
    ...paged,
    staleTime: 0,
    gcTime: 0,
    queryKey: ['voters', messageId, choice.id, choice.votes_count],
    queryFn: ({ pageParam: page }) =>
      api.polls.listVoters({ message_id: messageId, poll_choice_id: choice.id, page, page_length: 50 }),
  })
  return (
    <>
      <PeopleSection
        title={choice.poll_choice}
        people={rowsOf<Person>(voters.data, person => person.id)}
        loading={voters.isPending}
      />
      <LoadMore
        more={voters.hasNextPage}
        loading={voters.isFetchingNextPage}
        load={() => void voters.fetchNextPage()}
      />
    </>
  )
}
