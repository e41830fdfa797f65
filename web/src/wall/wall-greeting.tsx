import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../app/net/client.ts'
import { windowQuery } from '../chats/history/history-query.ts'
import { nameOf } from '../people/names.ts'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { greetingsOf } from './greetings.ts'

const shownMs = 9000
const pauseMs = 12_000

/** Short messages from the chat, one after another beside the photos; a new one at once. */
export const WallGreeting = ({ chatId, byLink }: { chatId: number; byLink: boolean }) => {
  const chat = useQuery(windowQuery(chatId))
  const blocked = useQuery({
    queryKey: ['blocked-on-wall'],
    queryFn: ({ signal }) => api.people.listBlocked({ page: 1, page_length: 100 }, { signal }),
    refetchInterval: 60_000,
    // A viewer without an account has blocked nobody.
    enabled: !byLink,
  })
  const greetings = useMemo(
    () =>
      // None before the blocked people are known.
      blocked.data || byLink
        ? greetingsOf(chat.data?.messages ?? [], new Set(blocked.data?.data.map(({ id }) => id)))
        : [],
    [chat.data, blocked.data, byLink],
  )
  const shown = useTurns(greetings.map(({ id }) => id))
  const greeting = greetings.find(({ id }) => id === shown)
  if (!greeting) return null
  return (
    <figure
      key={greeting.id}
      className="pointer-events-none absolute start-[2vw] top-[12vh] flex max-w-[min(90%,46vw)] animate-rise items-start gap-[1vw] rounded-3xl bg-black/65 p-[max(0.9rem,1.2vw)] text-white shadow-float"
    >
      <Avatar src={greeting.user.user_avatar_url} size={64} className="size-[max(2.5rem,7vh)]!" />
      <div className="min-w-0">
        <blockquote
          className="line-clamp-4 text-[max(1.25rem,4vh)] leading-snug font-semibold wrap-anywhere"
          dir="auto"
        >
          {greeting.message_content}
        </blockquote>
        <figcaption className="truncate text-[max(1rem,3vh)] text-white/90" dir="auto">
          {nameOf(greeting.user)}
        </figcaption>
      </div>
    </figure>
  )
}

/** The current message: a new one, else the next one after a pause; none in between. */
const useTurns = (ids: readonly string[]): string | undefined => {
  const [shown, setShown] = useState<string>()
  const newest = ids[0]
  const all = useRef(ids)
  all.current = ids
  const last = useRef<string>(undefined)
  useEffect(() => {
    if (newest === undefined) return
    let timer: ReturnType<typeof setTimeout>
    const show = (id: string | undefined) => {
      last.current = id
      setShown(id)
      timer = setTimeout(() => {
        setShown(undefined)
        timer = setTimeout(
          () => show(all.current[(all.current.indexOf(last.current ?? '') + 1) % all.current.length]),
          pauseMs,
        )
      }, shownMs)
    }
    show(newest)
    return () => clearTimeout(timer)
  }, [newest])
  return shown
}
