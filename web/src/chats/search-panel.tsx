import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { briefly } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { useLayer } from '../app/router/history.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { IconButton } from '../ui/button.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { excerptOf, foundIn } from './highlight.ts'
import type { Message } from './history/window.ts'

type Props = { chatId: number; onChoose(id: string): void; onClose(): void }

const messagesFoundQuery = (group_chat_id: number, text: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: ['messages-found', group_chat_id, text],
    queryFn: ({ pageParam, signal }) =>
      api.chats.searchMessages({ group_chat_id, text, page: pageParam, page_length: 30 }, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    staleTime: 0,
  })

/** Searches this chat's messages; a selected match is shown in its place. */
export const SearchPanel = ({ chatId, onChoose, onClose }: Props) => {
  const { t } = useWords()
  useLayer(onClose)
  const [typed, setTyped] = useState('')
  const text = useSettled(typed.trim())
  const found = useInfiniteQuery(messagesFoundQuery(chatId, text))
  const messages = rowsOf(found.data, message => message.id)
  return (
    <search className="border-b border-line bg-paper">
      <div className="flex items-center gap-1 px-3 py-2">
        <input
          type="search"
          ref={focusFirst}
          dir="auto"
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => event.key === 'Escape' && onClose()}
          maxLength={100}
          placeholder={t('search.placeholder')}
          aria-label={t('search.title')}
          className="h-11 flex-1 rounded-full border border-line bg-card px-4 focus:border-ember focus:outline-none"
        />
        <IconButton label={t('search.close')} onClick={onClose}>
          <X />
        </IconButton>
      </div>
      {text && (
        <div
          className="scroll-thin max-h-[55dvh] overflow-y-auto px-2 pb-2"
          aria-live="polite"
          aria-busy={found.isFetching}
        >
          {found.isPending && <SkeletonRows rows={3} picture="size-9 rounded-full" />}
          {found.data && messages.length === 0 && <p className="p-6 text-center text-soft">{t('search.nothing')}</p>}
          <ul>
            {messages.map(message => (
              <li key={message.id}>
                <Found message={message} search={text} onChoose={() => onChoose(message.id)} />
              </li>
            ))}
          </ul>
          <LoadMore
            more={found.hasNextPage}
            loading={found.isFetchingNextPage}
            load={() => void found.fetchNextPage()}
          />
        </div>
      )}
    </search>
  )
}

const Found = ({ message, search, onChoose }: { message: Message; search: string; onChoose(): void }) => (
  <button
    type="button"
    onClick={onChoose}
    className="flex w-full items-start gap-3 rounded-xl p-2 text-start hover:bg-hover"
  >
    <Avatar src={message.user.user_avatar_url} size={36} />
    <span className="min-w-0 flex-1">
      <span className="flex items-baseline gap-2 text-sm">
        <span className="truncate font-semibold" dir="auto">
          {nameOf(message.user)}
        </span>
        <time dateTime={message.created_at} className="ms-auto shrink-0 text-xs text-soft">
          {briefly(message.created_at)}
        </time>
      </span>
      <Highlighted text={message.message_content} search={search} />
    </span>
  </button>
)

const Highlighted = ({ text, search }: { text: string; search: string }) => {
  let at = 0
  return (
    <span className="line-clamp-2 wrap-anywhere" dir="auto">
      {excerptOf(foundIn(text, search)).map(piece => {
        const key = at
        at += piece.text.length
        return piece.found ? (
          <mark key={key} className="rounded bg-glow px-1 font-semibold text-on-glow">
            {piece.text}
          </mark>
        ) : (
          piece.text
        )
      })}
    </span>
  )
}

/** The user has just opened the panel, so the focus moves there. */
const focusFirst = (input: HTMLInputElement | null) => input?.focus()

const pauseMs = 250
const useSettled = (value: string) => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
