import { useMutation, useQueryClient } from '@tanstack/react-query'
import { applyChanges } from '../app/cache/change.ts'
import { api } from '../app/net/client.ts'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { sayFailure } from '../ui/failure.ts'
import { say, sayUndoable } from '../ui/layers/toasts.ts'
import { proveOrSay } from '../ui/prove-first.ts'
import type { Message } from './history/window.ts'
import { chatKey, windowKey } from './keys.ts'
import { onChatEvent } from './reducer.ts'

/** Acts on a message that are sent at once, and not queued until there is a network. */
export const useMessageActs = (message: Message, pinned: boolean) => {
  const { t } = useWords()
  const client = useQueryClient()
  const chatId = Number(message.group_chat_id)
  const remove = useMutation({
    mutationFn: () => api.chats.deleteMessage({ message_id: message.id }),
    onError: error => proveOrSay(error, () => remove.mutate()),
    onSettled: () => client.invalidateQueries({ queryKey: windowKey(chatId), refetchType: 'none' }),
  })
  const hide = useMutation({
    mutationFn: (hides: boolean) =>
      (hides ? api.chats.hideMessage : api.chats.unhideMessage)({ message_id: message.id }),
    onSuccess: (_, hides) => {
      if (!hides) return void say(t('hiding.undone'))
      sayUndoable(t('hiding.done'), () => hide.mutate(false))
    },
    onError: sayFailure,
  })
  const close = useMutation({
    mutationFn: (closes: boolean) => (closes ? api.polls.closePoll : api.polls.reopenPoll)({ message_id: message.id }),
    onSuccess: changed =>
      applyChanges(client, onChatEvent({ kind: 'message.updated', payload: changed }, session.get()?.userId ?? 0)),
    onError: sayFailure,
  })
  const pin = useMutation({
    mutationFn: () => (pinned ? api.chats.unpinMessage : api.chats.pinMessage)({ message_id: message.id }),
    onSuccess: changed => client.setQueryData(chatKey(chatId), changed),
    onError: sayFailure,
  })
  return { remove, hide, close, pin }
}
