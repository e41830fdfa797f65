import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useDeferredValue, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { rowsOf } from '../app/cache/pages.ts'
import { useWords } from '../app/words.ts'
import { NameLines } from '../people/name-lines.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { guestsNamedQuery } from './guests/guests-named.ts'
import { matching, withMention, wordAt } from './mention-words.ts'
import { guestsQuery } from './queries.ts'

/** A field in which guests may be named. */
export type MentionedIn = {
  eventId: number
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  write(text: string): void
}

/** Suggests guests whose name completes the word begun with `@`. */
export const useMentioning = ({ eventId, field, text, write }: MentionedIn) => {
  const id = useId()
  const [at, setAt] = useState(0)
  const [dismissed, setDismissed] = useState<string>()
  const [caret, setCaret] = useState(text.length)
  const begun = wordAt(text, caret)
  const guests = useInfiniteQuery({ ...guestsQuery(eventId), enabled: begun !== undefined })
  // In a large event, only those who joined first are loaded: the service finds the others.
  const name = useDeferredValue(begun ?? '')
  const named = useInfiniteQuery({ ...guestsNamedQuery(eventId, name), enabled: guests.hasNextPage && name !== '' })
  const known = [guests.data, named.data].flatMap(listed => rowsOf(listed, ({ user }) => user.id))
  const people =
    begun === undefined || begun === dismissed
      ? []
      : matching([...new Map(known.map(({ user }) => [user.id, user])).values()], begun)
  const chosen = people[Math.min(at, people.length - 1)]

  const choose = (username: string) => {
    const { text: now, caret: then } = withMention(text, caret, username)
    // Synchronously: the next key may be pressed before the next frame, and goes where the caret is.
    flushSync(() => {
      write(now)
      setCaret(then)
      setAt(0)
    })
    field.current?.focus()
    field.current?.setSelectionRange(then, then)
  }
  /** Whether the list handled the key. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!chosen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((Math.min(at, people.length - 1) + step + people.length) % people.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen.user_username)
    else if (event.key === 'Escape') setDismissed(begun)
    else return false
    event.preventDefault()
    return true
  }
  /** For the field: it remains a text field, with a list next to it. */
  const described = {
    'aria-autocomplete': 'list' as const,
    'aria-controls': people.length > 0 ? id : undefined,
    'aria-activedescendant': chosen && `${id}-${chosen.id}`,
    onSelect: () => setCaret(field.current?.selectionStart ?? 0),
  }
  return { id, people, chosen, choose, onKeyDown, described, moveTo: setCaret }
}

type ListProps = Pick<ReturnType<typeof useMentioning>, 'id' | 'people' | 'chosen' | 'choose'>

export const MentionList = ({ id, people, chosen, choose }: ListProps) => {
  const { t } = useWords()
  if (people.length === 0) return null
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('composer.mention')}
      className="absolute inset-x-2 bottom-full z-10 mb-1 max-w-sm animate-rise overflow-hidden rounded-2xl border border-line bg-card p-2 shadow-float"
    >
      {people.map(person => (
        <div
          key={person.id}
          id={`${id}-${person.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={person === chosen}
          onPointerDown={event => {
            event.preventDefault()
            choose(person.user_username)
          }}
          className="flex h-12 items-center gap-3 rounded-xl px-2 hover:bg-hover aria-selected:bg-hover"
        >
          <Avatar src={person.user_avatar_url} size={32} />
          <NameLines person={person} name="block truncate font-medium" />
        </div>
      ))}
    </div>
  )
}
