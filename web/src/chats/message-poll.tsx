import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { overlay } from '../app/router/lazy.tsx'
import { viewing } from '../app/viewing.ts'
import { type Poll, PollCard } from '../polls/poll-card.tsx'
import { sayFailure } from '../ui/failure.ts'
import type { Message } from './history/window.ts'
import { aboutPoll } from './keys.ts'
import { chatQuery } from './queries.ts'

const VotersDialog = overlay(() => import('../polls/voters-dialog.tsx').then(({ VotersDialog }) => VotersDialog))

/** A message's poll. */
export const MessagePoll = ({ message, poll }: { message: Message; poll: Poll }) => {
  const [asking, setAsking] = useState(false)
  const { data: chat } = useQuery({ ...chatQuery(Number(message.group_chat_id)), staleTime: Infinity })
  const onVote = async (choices: number[]) => {
    try {
      const { vote } = await import('./vote-act.ts')
      vote(message, choices)
    } catch (error) {
      sayFailure(error)
    }
  }
  return (
    <>
      <PollCard
        poll={poll}
        open={chat?.extra.may.send !== false}
        about={aboutPoll(message.id)}
        onVote={choices => void onVote(choices)}
        onWho={viewing.get() ? undefined : () => setAsking(true)}
      />
      {asking && <VotersDialog poll={poll} messageId={message.id} onClose={() => setAsking(false)} />}
    </>
  )
}
