import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../app/client.ts'
import { paged, rowsOf } from '../app/pages.ts'
import { useWords } from '../app/words.ts'
import { nameOf, type Person } from '../people/names.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import type { Message } from './window.ts'

/** Who reacted to a message and who has seen it. */
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
        <People
          title={t('chat.reactedTitle')}
          people={rowsOf<Person>(reacted.data, person => person.id)}
          loading={reacted.isPending}
        />
      )}
      <People
        title={t('chat.seenTitle')}
        people={rowsOf<Person>(seen.data, person => person.id)}
        loading={seen.isPending}
      />
      <LoadMore more={seen.hasNextPage} loading={seen.isFetchingNextPage} load={() => void seen.fetchNextPage()} />
    </Dialog>
  )
}

const People = ({ title, people, loading }: { title: string; people: Person[]; loading: boolean }) => {
  const { t } = useWords()
  return (
    <section className="pb-4">
      <h3 className="py-2 text-sm font-semibold text-soft">{title}</h3>
      {loading && <SkeletonRows rows={2} picture="size-9 rounded-full" />}
      {!loading && people.length === 0 && <p className="text-soft">{t('chat.nobodyYet')}</p>}
      <ul className="grid grid-cols-1 gap-2.5">
        {people.map(person => (
          <li key={person.id} className="flex items-center gap-3">
            <Avatar src={person.user_avatar_url} size={36} />
            <span dir="auto">{nameOf(person)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
