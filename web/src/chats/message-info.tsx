import { useInfiniteQuery } from '@tanstack/react-query'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import type { Person } from '../people/names.ts'
import { PeopleSection } from '../people/people-section.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import type { Message } from './history/window.ts'

/** The reactions to a message, and the people who have seen it. */
export const MessageInfo = ({ message, onClose }: { message: Message; onClose(): void }) => {
  const { t } = useWords()
  const input = (page: number) => ({ message_id: message.id, page, page_length: 50 })
  const fresh = { ...paged, staleTime: 0, gcTime: 0 }
  const reacted = useInfiniteQuery({
    ...fresh,
    queryKey: ['reacted', message.id],
    queryFn: ({ pageParam }) => api.chats.listReactedUsers(input(pageParam)),
    enabled: message.reactions.length > 0,
  })
  const seen = useInfiniteQuery({
    ...fresh,
    queryKey: ['seen', message.id],
    queryFn: ({ pageParam }) => api.chats.listSeen(input(pageParam)),
  })
  return (
    <Dialog open onClose={onClose} title={t('chat.info')}>
      {message.reactions.length > 0 && (
        <PeopleSection
          title={t('chat.reactedTitle')}
          people={rowsOf<Person>(reacted.data, person => person.id)}
          loading={reacted.isPending}
        />
      )}
      <PeopleSection
        title={t('chat.seenTitle')}
        people={rowsOf<Person>(seen.data, person => person.id)}
        loading={seen.isPending}
      />
      <LoadMore more={seen.hasNextPage} loading={seen.isFetchingNextPage} load={() => void seen.fetchNextPage()} />
    </Dialog>
  )
}
