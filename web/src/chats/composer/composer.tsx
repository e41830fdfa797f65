import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { applyChanges } from '../../app/cache/change.ts'
import { useSettled } from '../../app/idle.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { MentionField } from '../../events/mention-field.tsx'
import { useDraft } from '../../ui/draft.ts'
import { sayFailure } from '../../ui/failure.ts'
import { SendButton } from '../../ui/send-button.tsx'
import type { Writing } from '../chat-room.tsx'
import { useGestures } from '../gestures.ts'
import type { Message } from '../history/window.ts'
import type { Chat } from '../queries.ts'
import { onChatEvent } from '../reducer.ts'
import { ChatDropZone } from './chat-drop-zone.tsx'
import { ChoosePictures, ChosenPictures, picturesMax, useChosenPictures } from './chosen-pictures.tsx'
import { post } from './outbox.ts'
import { standInFor } from './pending-messages.ts'
import { PollButton } from './poll-button.tsx'
import { ReplyOrEdit } from './reply-or-edit.tsx'
import { useTypingSignal } from './typists.tsx'

type Props = {
  chat: Chat
  eventId: number
  writing: Writing
  onReply(message: Message): void
  onDone(): void
  onSent(): void
}

/** With a physical keyboard, opening a chat focuses the field; on a phone the keyboard would cover the messages. */
const writesAtOnce = matchMedia('(pointer: fine) and (min-width: 64rem)')

export const Composer = ({ chat, eventId, writing, onReply, onDone, onSent }: Props) => {
  const { t } = useWords()
  useGestures(chat.id, onReply)
  const { to, edits } = writing
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft(String(chat.id))
  const [text, setText] = useState(edits?.message_content ?? draft.text)
  const { pictures, add, drop, clear } = useChosenPictures()
  const sayTyping = useTypingSignal(chat.id)
  const settled = useSettled()
  useFocus(field, writing)
  const write = (now: string) => {
    setText(now)
    if (!edits) draft.keep(now)
    if (now.trim()) sayTyping()
  }
  const save = useEdit(chat.id, edits, onDone)
  const send = () => {
    const content = text.trim() || (pictures.length > 0 ? standInFor(pictures) : '')
    if (!content || save.isPending) return
    if (edits) return save.mutate(content)
    void post({ chatId: chat.id, content, pictures, ...(to && { replyTo: quoted(to) }) })
    write('')
    clear()
    onDone()
    field.current?.focus()
    requestAnimationFrame(onSent)
  }
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0 || edits) return
    event.preventDefault()
    void add([...event.clipboardData.files])
  }

  if (chat.extra.may.send === false) return <ReadOnly />
  return (
    <div className="safe-bottom-2 relative border-t border-line bg-paper px-2 pt-2 lg:px-4">
      {settled && !edits && <ChatDropZone eventId={eventId} room={picturesMax - pictures.length} onPictures={add} />}
      {(to || edits) && <ReplyOrEdit {...writing} onCancel={onDone} />}
      {pictures.length > 0 && <ChosenPictures pictures={pictures} onDrop={drop} />}
      <div className="flex items-end gap-1">
        {!edits && (
          <>
            <ChoosePictures onChoose={add} />
            {!text && pictures.length === 0 && <PollButton chatId={chat.id} onMade={onSent} />}
          </>
        )}
        <MentionField
          {...{ eventId, field, text, write, onPaste }}
          label={pictures.length > 0 ? t('composer.caption') : t('composer.message')}
          maxLength={10_000}
          onSend={send}
          onLeave={to || edits ? onDone : undefined}
          className="max-h-40"
        />
        <SendButton edits={edits !== undefined} disabled={!text.trim() && pictures.length === 0} onSend={send} />
      </div>
    </div>
  )
}

const ReadOnly = () => {
  const { t } = useWords()
  return (
    <p className="safe-bottom-4 border-t border-line bg-sunken px-4 pt-4 text-center text-soft">
      {t('composer.readOnly')}
    </p>
  )
}

const useEdit = (chatId: number, edits: Message | undefined, onDone: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (message_content: string) =>
      api.chats.saveMessage({ group_chat_id: chatId, message_content, ...(edits && { message_id: edits.id }) }),
    onSuccess: message => {
      applyChanges(client, onChatEvent({ kind: 'message.updated', payload: message }, message.user.id))
      onDone()
    },
    onError: sayFailure,
  })
}

/** Replying and editing focus the field, and with a physical keyboard, opening the chat does. */
const useFocus = (field: RefObject<HTMLTextAreaElement | null>, { to, edits }: Writing) => {
  useEffect(() => {
    if (to || edits) field.current?.focus()
  }, [field, to, edits])
  useEffect(() => {
    if (!writesAtOnce.matches) return
    // Runs after the page itself, which begins at its top; a reader already among the messages stays there.
    const frame = requestAnimationFrame(() => {
      if (!document.activeElement?.closest('[role=log], [role=dialog]')) field.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [field])
}

const quoted = ({ id, group_chat_id, message_content, created_at, updated_at, user }: NonNullable<Writing['to']>) => ({
  id,
  group_chat_id,
  message_content,
  created_at,
  updated_at,
  user,
})
