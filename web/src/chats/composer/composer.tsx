import { isRawName, kindOf } from '@afterglow/sdk/files'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, ChartBarBig, Check, ImagePlus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { applyChanges } from '../../app/cache/change.ts'
import { useSettled } from '../../app/idle.ts'
import { api } from '../../app/net/client.ts'
import { overlay } from '../../app/router/lazy.tsx'
import { draftOf, keepDraft } from '../../app/storage/drafts.ts'
import { useWords } from '../../app/words.ts'
import { MentionList, useMentioning } from '../../events/mention-list.tsx'
import { nameOf } from '../../people/names.ts'
import { IconButton } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { sayProblem } from '../../ui/layers/toasts.ts'
import type { Writing } from '../chat-room.tsx'
import { useGestures } from '../gestures.ts'
import type { Message } from '../history/window.ts'
import type { Chat } from '../queries.ts'
import { hearChats } from '../reducer.ts'
import { ChatDropZone } from './chat-drop-zone.tsx'
import { post } from './outbox.ts'
import { Preview } from './pending-message.tsx'
import { isFilm, standInFor } from './pending-messages.ts'
import { useTypingSignal } from './typists.tsx'

type Props = {
  chat: Chat
  eventId: number
  writing: Writing
  onReply(message: Message): void
  onDone(): void
  onSent(): void
}

const NewPollDialog = overlay(() =>
  import('../../polls/new-poll-dialog.tsx').then(({ NewPollDialog }) => NewPollDialog),
)

const picturesMax = 10
/** With a keyboard of its own, whoever opens a chat writes; on a phone it would cover what they came to read. */
const writesAtOnce = matchMedia('(pointer: fine) and (min-width: 64rem)')

/** Those that the service would not take: of them it is said at once. */
const unfit = async (pictures: readonly File[]): Promise<File[]> => {
  const { tooBig } = await import('../../app/net/upload-limits.ts')
  const problems = await Promise.all(pictures.map(picture => tooBig(picture, 'attachment')))
  const left = pictures.filter((_, at) => problems[at])
  if (left.length > 0) sayProblem(`${left.map(({ name }) => name).join(', ')}: ${problems.find(Boolean)}`)
  return left
}

export const Composer = ({ chat, eventId, writing, onReply, onDone, onSent }: Props) => {
  const { t } = useWords()
  useGestures(chat.id, onReply)
  const client = useQueryClient()
  const { to, edits } = writing
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => edits?.message_content ?? draftOf(String(chat.id)))
  const [pictures, setPictures] = useState<File[]>([])
  const [polling, setPolling] = useState(false)
  const sayTyping = useTypingSignal(chat.id)
  const settled = useSettled()

  useEffect(() => {
    if (to || edits) field.current?.focus()
  }, [to, edits])
  useEffect(() => {
    if (!writesAtOnce.matches) return
    // After the page itself, which begins at its top; but whoever is among the messages already stays there.
    const frame = requestAnimationFrame(() => {
      if (!document.activeElement?.closest('[role=log], [role=dialog]')) field.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  const write = (now: string) => {
    setText(now)
    if (!edits) keepDraft(String(chat.id), now)
    if (now.trim()) sayTyping()
  }
  const mentioning = useMentioning({ eventId, field, text, write })
  const save = useMutation({
    mutationFn: (message_content: string) =>
      api.chats.saveMessage({ group_chat_id: chat.id, message_content, ...(edits && { message_id: edits.id }) }),
    onSuccess: message => {
      applyChanges(client, hearChats({ kind: 'message.updated', payload: message }, message.user.id))
      onDone()
    },
    onError: sayFailure,
  })
  const send = () => {
    const content = text.trim() || (pictures.length > 0 ? standInFor(pictures) : '')
    if (!content || save.isPending) return
    if (edits) return save.mutate(content)
    void post({ chatId: chat.id, content, pictures, ...(to && { replyTo: quoted(to) }) })
    write('')
    setPictures([])
    onDone()
    field.current?.focus()
    requestAnimationFrame(onSent)
  }
  // There before their size is known to fit: whoever sends at once sends them too.
  const add = async (added: readonly File[]) => {
    const [film] = added.filter(isFilm)
    if (film || pictures.some(isFilm)) {
      if (added.length + pictures.length > 1) return sayProblem(t('composer.filmAlone'))
      setPictures([...added])
      const problem = film && (await (await import('../../app/net/upload-limits.ts')).tooBig(film, 'video'))
      if (problem) {
        setPictures([])
        sayProblem(problem)
      }
      return
    }
    const chosen = added.filter(file => kindOf(file) === 'photo' && !isRawName(file.name))
    setPictures(pictures => [...pictures, ...chosen].slice(0, picturesMax))
    if (pictures.length + chosen.length > picturesMax) sayProblem(t('composer.tooMany', { count: picturesMax }))
    const left = await unfit(chosen)
    setPictures(pictures => pictures.filter(picture => !left.includes(picture)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentioning.onKeyDown(event) || event.nativeEvent.isComposing) return
    // A phone's Enter is for the next line.
    if (event.key === 'Enter' && !event.shiftKey && matchMedia('(pointer: fine)').matches) {
      event.preventDefault()
      send()
    }
    if (event.key === 'Escape' && (to || edits)) onDone()
  }

  if (chat.extra.may.send === false)
    return (
      <p className="safe-bottom-4 border-t border-line bg-sunken px-4 pt-4 text-center text-soft">
        {t('composer.readOnly')}
      </p>
    )
  return (
    <div className="safe-bottom-2 relative border-t border-line bg-paper px-2 pt-2 lg:px-4">
      <MentionList {...mentioning} />
      {polling && (
        <NewPollDialog
          chatId={chat.id}
          onMade={message => {
            applyChanges(client, hearChats({ kind: 'message.created', payload: message }, message.user.id))
            setPolling(false)
            requestAnimationFrame(onSent)
          }}
          onClose={() => setPolling(false)}
        />
      )}
      {settled && !edits && <ChatDropZone eventId={eventId} room={picturesMax - pictures.length} onPictures={add} />}
      {(to || edits) && (
        <div className="mb-2 flex items-center gap-2 rounded-xl border-s-3 border-ember bg-sunken py-1 ps-3">
          <p className="min-w-0 flex-1 text-sm">
            <span className="block font-semibold text-ember">
              {edits ? t('composer.editing') : t('composer.replyTo', { name: to && nameOf(to.user) })}
            </span>
            <span className="block truncate text-soft" dir="auto">
              {(to ?? edits)?.message_content}
            </span>
          </p>
          <IconButton label={t('common.cancel')} onClick={onDone}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      )}
      {pictures.length > 0 && (
        <ul className="mb-2 flex gap-2 overflow-x-auto p-1">
          {pictures.map((picture, at) => (
            <li
              key={`${picture.name} ${picture.lastModified} ${picture.size}`}
              className="relative w-20 shrink-0 overflow-hidden rounded-xl"
            >
              <Preview picture={picture} />
              <button
                type="button"
                aria-label={t('composer.without', { number: at + 1 })}
                onClick={() => setPictures(pictures.filter(each => each !== picture))}
                className="absolute end-1 top-1 grid size-7 place-items-center rounded-full bg-black/65 text-white"
              >
                <X className="size-4" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-end gap-1">
        {!edits && (
          <>
            <input
              ref={files}
              type="file"
              accept="image/*,video/*,.heic,.heif,.mov"
              multiple
              hidden
              onChange={event => {
                void add([...(event.target.files ?? [])])
                event.target.value = ''
              }}
            />
            <IconButton label={t('composer.pictures')} onClick={() => files.current?.click()}>
              <ImagePlus aria-hidden="true" />
            </IconButton>
            {!text && pictures.length === 0 && (
              <IconButton label={t('poll.make')} onClick={() => setPolling(true)}>
                <ChartBarBig aria-hidden="true" />
              </IconButton>
            )}
          </>
        )}
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          maxLength={10_000}
          aria-label={pictures.length > 0 ? t('composer.caption') : t('composer.message')}
          placeholder={pictures.length > 0 ? t('composer.caption') : t('composer.message')}
          {...mentioning.described}
          onChange={event => {
            write(event.target.value)
            mentioning.moveTo(event.target.selectionStart)
          }}
          onKeyDown={onKeyDown}
          onPaste={event => {
            if (event.clipboardData.files.length > 0 && !edits) {
              event.preventDefault()
              void add([...event.clipboardData.files])
            }
          }}
          className="field-sizing-content max-h-40 min-h-11 flex-1 resize-none rounded-3xl border border-line bg-card px-4 py-2.5 focus:border-ember focus:outline-none"
        />
        <button
          type="button"
          aria-label={edits ? t('common.save') : t('composer.send')}
          disabled={!text.trim() && pictures.length === 0}
          onClick={send}
          className="grid size-11 shrink-0 place-items-center rounded-full bg-ember text-on-ember shadow-card transition active:scale-95 disabled:bg-sunken disabled:text-soft disabled:shadow-none"
        >
          {edits ? (
            <Check className="size-5.5" aria-hidden="true" />
          ) : (
            <ArrowUp className="size-5.5" aria-hidden="true" />
          )}
        </button>
      </div>
    </div>
  )
}

const quoted = ({ id, group_chat_id, message_content, created_at, updated_at, user }: NonNullable<Writing['to']>) => ({
  id,
  group_chat_id,
  message_content,
  created_at,
  updated_at,
  user,
})
