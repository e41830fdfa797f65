import { useQueryClient } from '@tanstack/react-query'
import { ChartBarBig } from 'lucide-react'
import { useState } from 'react'
import { applyChanges } from '../../app/cache/change.ts'
import { overlay } from '../../app/router/lazy.tsx'
import { useWords } from '../../app/words.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Message } from '../history/window.ts'
import { onChatEvent } from '../reducer.ts'

const NewPollDialog = overlay(() =>
  import('../../polls/new-poll-dialog.tsx').then(({ NewPollDialog }) => NewPollDialog),
)

/** Opens a new poll, which is shown as soon as it is made. */
export const PollButton = ({ chatId, onMade }: { chatId: number; onMade(): void }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const show = (message: Message) => {
    applyChanges(client, onChatEvent({ kind: 'message.created', payload: message }, message.user.id))
    setAsking(false)
    requestAnimationFrame(onMade)
  }
  return (
    <>
      <IconButton label={t('poll.make')} onClick={() => setAsking(true)}>
        <ChartBarBig />
      </IconButton>
      {asking && <NewPollDialog chatId={chatId} onMade={show} onClose={() => setAsking(false)} />}
    </>
  )
}
