import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pin, X } from 'lucide-react'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { IconButton } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { wordsOf } from './composer/pending-messages.ts'
import { chatKey } from './keys.ts'
import type { Chat } from './queries.ts'

type Props = { chat: Chat; pinned: NonNullable<Chat['extra']['pinned']>; onJump(id: string): void }

/** The pinned message at the top of its chat: a tap jumps to it. */
export const PinnedMessage = ({ chat, pinned, onJump }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const unpin = useMutation({
    mutationFn: () => api.chats.unpinMessage({ message_id: pinned.message_id }),
    onSuccess: changed => client.setQueryData(chatKey(chat.id), changed),
    onError: sayFailure,
  })
  const { message_content: content, message_attachments_count: pictures } = pinned
  return (
    <section aria-label={t('chat.pinned')} className="flex items-center gap-1 border-b border-line bg-paper pe-2">
      <button
        type="button"
        className="flex min-h-13 min-w-0 flex-1 items-center gap-3 px-3 text-start hover:bg-hover lg:px-6"
        onClick={() => onJump(String(pinned.message_id))}
      >
        <Pin className="size-5 shrink-0 text-ember" />
        <span className="min-w-0 text-sm">
          <span className="block truncate font-semibold" dir="auto">
            {nameOf(pinned.user)}
          </span>
          <span className="block truncate text-soft" dir="auto">
            {pinned.blocked ? t('chat.blocked') : wordsOf(t, content, pictures)}
          </span>
        </span>
      </button>
      {chat.extra.may.pin && (
        <IconButton label={t('chat.unpin')} disabled={unpin.isPending} onClick={() => unpin.mutate()}>
          <X />
        </IconButton>
      )}
    </section>
  )
}
