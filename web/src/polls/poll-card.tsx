import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { count, dayOf, timeOf } from '../app/date-format.ts'
import type { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { PendingSign } from '../ui/pending-sign.tsx'
import { votedFor } from './voted-for.ts'

type VotedPoll = Awaited<ReturnType<typeof api.polls.vote>>
export type Poll = NonNullable<NonNullable<VotedPoll['extra']['card']>['poll']>
type Choice = Poll['poll_choices'][number]

export const isClosed = ({ poll_closes_at: at }: Poll) => at !== null && Date.parse(at) <= Date.now()

type Props = {
  poll: Poll
  /** Votes are accepted in this chat. */
  open: boolean
  /** The subject of a pending vote. */
  about: string
  onVote(choices: number[]): void
  /** Undefined if the viewer may not see who voted. */
  onWho: (() => void) | undefined
}

/** A poll below its question: a tap votes, and another removes the vote. */
export const PollCard = ({ poll, open, about, onVote, onWho }: Props) => {
  const { t } = useWords()
  useClosing(poll.poll_closes_at)
  const closed = isClosed(poll)
  const at = poll.poll_closes_at
  return (
    <div className="m-2 mt-0 grid w-72 max-w-[calc(100%-1rem)] grid-cols-1 gap-2 rounded-2xl border border-line bg-card p-3 text-ink">
      {poll.poll_choices.map(choice => (
        <ChoiceButton
          key={choice.id}
          choice={choice}
          voters={poll.voters_count}
          chosen={poll.my_choice_ids.includes(choice.id)}
          disabled={closed || !open}
          onPress={() => onVote(votedFor(poll, choice.id))}
        />
      ))}
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-soft">
        <PendingSign about={about} />
        <span>{t('poll.voters', { count: poll.voters_count })}</span>
        {poll.poll_anonymous && <span>{t('poll.anonymous')}</span>}
        {closed ? (
          <span>{t('poll.closed')}</span>
        ) : (
          at && <span>{t('poll.until', { when: `${dayOf(at)}, ${timeOf(at)}` })}</span>
        )}
      </p>
      {onWho && !poll.poll_anonymous && poll.voters_count > 0 && (
        <button
          type="button"
          tabIndex={-1}
          onClick={onWho}
          className="touch min-h-9 justify-self-start text-sm font-semibold text-ember"
        >
          {t('poll.who')}
        </button>
      )}
    </div>
  )
}

type ChoiceProps = { choice: Choice; voters: number; chosen: boolean; disabled: boolean; onPress(): void }

const ChoiceButton = ({ choice, voters, chosen, disabled, onPress }: ChoiceProps) => (
  <button
    type="button"
    tabIndex={-1}
    aria-pressed={chosen}
    disabled={disabled}
    onClick={onPress}
    className={`relative flex min-h-11 items-center gap-2 overflow-hidden rounded-xl border px-3 py-2 text-start ${chosen ? 'border-ember' : 'border-edge'}`}
  >
    <span
      aria-hidden="true"
      className="absolute inset-y-0 start-0 bg-sunken"
      style={{ width: `${voters === 0 ? 0 : (choice.votes_count / voters) * 100}%` }}
    />
    <span className="relative min-w-0 flex-1 wrap-anywhere" dir="auto">
      {choice.poll_choice}
    </span>
    {chosen && <Check className="relative size-4.5 shrink-0 text-ember" />}
    <span className="relative font-semibold tabular-nums">{count(choice.votes_count)}</span>
  </button>
)

const longestTimerMs = 2 ** 31 - 1
/** Renders the poll once more when its time is over. */
const useClosing = (at: string | null) => {
  const [, setClosed] = useState(false)
  useEffect(() => {
    const left = at === null ? Number.NaN : Date.parse(at) - Date.now()
    if (!(left > 0 && left < longestTimerMs)) return
    const timer = setTimeout(() => setClosed(true), left + 50)
    return () => clearTimeout(timer)
  }, [at])
}
