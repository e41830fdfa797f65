import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, UsersRound, X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { nameOf, type Person } from './names.ts'
import { PersonLine } from './person-line.tsx'

export const FriendsPage = () => {
  const { t } = useWords()
  const [typed, setTyped] = useState('')
  const name = useDeferredValue(typed.trim())
  return (
    <>
      <title>{`${t('friends.title')} · Afterglow`}</title>
      <PageHeader title={t('friends.title')} back={{ to: '/settings' }} />
      <div className="mx-auto grid grid-cols-1 max-w-2xl gap-4 px-2 py-4 sm:px-4">
        <div className="px-2">
          <Field
            label={t('friends.search')}
            hideLabel
            placeholder={t('friends.search')}
            type="search"
            value={typed}
            onChange={change => setTyped(change.target.value)}
            autoComplete="off"
          />
        </div>
        {name ? (
          <Found name={name} />
        ) : (
          <>
            <Asking />
            <Friends />
          </>
        )}
      </div>
    </>
  )
}

const Found = ({ name }: { name: string }) => {
  const { t } = useWords()
  const found = useQuery({
    queryKey: ['people-found', name],
    queryFn: ({ signal }) => api.people.searchUsers({ name, page: 1, page_length: 30 }, { signal }),
    gcTime: 60_000,
    placeholderData: before => before,
  })
  if (found.isPending) return <SkeletonRows rows={3} />
  if (found.data?.data.length === 0) return <p className="p-6 text-center text-soft">{t('invite.nobody')}</p>
  return (
    <ul>
      {found.data?.data.map(person => (
        <PersonLine key={person.id} person={person} />
      ))}
    </ul>
  )
}

const Asking = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['friends', 'asking'],
    queryFn: () => api.people.listFriendRequests({ page: 1, page_length: 50 }),
    staleTime: 0,
  })
  const answer = useMutation({
    mutationFn: async ({ id, accept }: { id: number; accept: boolean }) => {
      if (accept) await api.people.befriend({ user_id: id })
      else await api.people.unfriend({ user_id: id })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['friends'] }),
    onError: sayFailure,
  })
  if (!data || data.data.length === 0) return null
  return (
    <section>
      <h2 className="px-2 pb-1 text-sm font-semibold text-soft">{t('friends.asking')}</h2>
      <ul>
        {data.data.map(person => (
          <PersonLine key={person.id} person={person}>
            <Button
              size="small"
              icon={<Check className="size-4.5" aria-hidden="true" />}
              onClick={() => answer.mutate({ id: person.id, accept: true })}
            >
              {t('person.accept')}
            </Button>
            <IconButton
              label={t('friends.declineWho', { name: nameOf(person) })}
              onClick={() => answer.mutate({ id: person.id, accept: false })}
            >
              <X aria-hidden="true" />
            </IconButton>
          </PersonLine>
        ))}
      </ul>
    </section>
  )
}

const Friends = () => {
  const { t } = useWords()
  const list = useInfiniteQuery({
    ...paged,
    queryKey: ['friends', 'all'],
    queryFn: ({ pageParam }) => api.people.listFriends({ page: pageParam, page_length: 50 }),
    staleTime: 0,
  })
  const friends = rowsOf<Person>(list.data, person => person.id)
  if (list.isPending && list.fetchStatus !== 'paused') return <SkeletonRows />
  if (friends.length === 0)
    return (
      <Notice icon={UsersRound} title={t('friends.none')}>
        {t('friends.noneMore')}
      </Notice>
    )
  return (
    <section>
      <h2 className="px-2 pb-1 text-sm font-semibold text-soft">{t('friends.all')}</h2>
      <ul>
        {friends.map(person => (
          <PersonLine key={person.id} person={person} />
        ))}
      </ul>
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </section>
  )
}
