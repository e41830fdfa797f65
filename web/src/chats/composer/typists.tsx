import { useCallback, useEffect, useRef, useState } from 'react'
import { listen } from '../../app/net/channel-listeners.ts'
import { api } from '../../app/net/client.ts'
import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'

const goesOnMs = 6000
const againMs = 4000

/** Tells the others that something is being written, at most every few seconds. */
export const useTypingSignal = (group_chat_id: number) => {
  const last = useRef(0)
  return useCallback(() => {
    if (Date.now() - last.current < againMs) return
    last.current = Date.now()
    void api.chats.sayTyping({ group_chat_id }).catch(() => {})
  }, [group_chat_id])
}

/** The people who are typing, above the field. Its space stays reserved while nobody is. */
export const TypingLine = ({ chatId }: { chatId: number }) => {
  const { t } = useWords()
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  useEffect(() => {
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const without = (id: number) => {
      clearTimeout(timers.get(id))
      timers.delete(id)
      setNames(before => new Map([...before].filter(([each]) => each !== id)))
    }
    const stop = listen(heard => {
      if (heard.kind === 'message.created' && Number(heard.payload.group_chat_id) === chatId)
        without(heard.payload.user.id)
      if (heard.kind !== 'typing' || heard.payload.group_chat_id !== chatId) return
      const { id, user_first_name } = heard.payload.user
      if (id === session.get()?.userId) return
      clearTimeout(timers.get(id))
      timers.set(
        id,
        setTimeout(() => without(id), goesOnMs),
      )
      setNames(before => new Map(before).set(id, user_first_name))
    })
    return () => {
      stop()
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }, [chatId])
  const [first, second] = names.values()
  const words = !first
    ? ''
    : names.size === 1
      ? t('typing.one', { name: first })
      : names.size === 2
        ? t('typing.two', { name: first, other: second })
        : t('typing.many')
  return (
    <p className="h-6 truncate px-4 text-sm text-soft" aria-live="polite">
      {words && (
        <>
          <Dots /> {words}
        </>
      )}
    </p>
  )
}

const Dots = () => (
  <span aria-hidden="true" className="inline-flex gap-1 align-middle">
    {['', '[animation-delay:0.2s]', '[animation-delay:0.4s]'].map(delay => (
      <span key={delay} className={`size-1.5 animate-breathe rounded-full bg-ember ${delay}`} />
    ))}
  </span>
)
