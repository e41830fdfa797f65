import { useState } from 'react'
import { timeOf } from '../app/date-format.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { OrganizerMark } from '../events/guests/organizers.tsx'
import { nameOf } from '../people/names.ts'
import { MessageText } from '../ui/message-text.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { isStandIn } from './composer/pending-messages.ts'
import type { Message } from './history/window.ts'
import { MessageActions } from './message-actions.tsx'
import { MessagePoll } from './message-poll.tsx'
import { Pictures } from './pictures/pictures.tsx'
import { Quote } from './quote.tsx'
import { Reactions } from './reactions.tsx'

type Props = {
  message: Message
  mine: boolean
  /** It is joined to the one above, so name and face are not repeated. */
  joins: boolean
  onJump(id: string): void
  /** Undefined for read-only viewers. */
  onReply: ((message: Message) => void) | undefined
  onEdit(message: Message): void
}

const emoji = /^(?:\p{RGI_Emoji}\s?){1,3}$/v
/** A quick check for letters first: the pattern of all emoji alone takes a slow phone 50 ms. */
const onlyEmoji = (words: string) => /^[^a-z]{1,60}$/i.test(words) && emoji.test(words)

export const MessageView = ({ message, mine, joins, onJump, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const [folded, setFolded] = useState(message.extra.blocked)
  const name = nameOf(message.user)
  if (folded) return <Folded onUnfold={() => setFolded(false)} />
  return (
    <article
      tabIndex={-1}
      aria-label={t('chat.messageBy', { name, time: timeOf(message.created_at) })}
      className={`group/message flex items-end gap-2 ${mine ? 'flex-row-reverse' : ''}`}
    >
      {!mine && !joins && onReply && (
        <Link
          href={`/people/${message.user.id}`}
          className="size-8 shrink-0 self-start"
          tabIndex={-1}
          aria-hidden="true"
        >
          <Avatar src={message.user.user_avatar_url} size={32} />
        </Link>
      )}
      {!mine && !joins && !onReply && <Avatar src={message.user.user_avatar_url} size={32} className="self-start" />}
      <div
        className={`flex min-w-0 max-w-[min(80%,36rem)] flex-col ${mine ? 'items-end' : `items-start ${joins ? 'ms-10' : ''}`}`}
      >
        {!mine && !joins && (
          <span className="mb-0.5 ms-1 flex max-w-full flex-wrap text-sm font-semibold text-soft">
            <span className={name.length > 24 ? 'truncate' : ''} dir="auto">
              {name}
            </span>
            <OrganizerMark userId={message.user.id} />
          </span>
        )}
        <Bubble {...{ message, mine, onJump }} />
        {message.reactions.length > 0 && <Reactions message={message} />}
      </div>
      {!message.extra.deleted && onReply && <MessageActions message={message} {...{ onReply, onEdit }} />}
    </article>
  )
}

/** Replaces a message by a blocked person. */
const Folded = ({ onUnfold }: { onUnfold(): void }) => {
  const { t } = useWords()
  return (
    <article tabIndex={-1}>
      <button type="button" tabIndex={-1} className="min-h-11 w-full text-sm text-soft italic" onClick={onUnfold}>
        {t('chat.blocked')}
      </button>
    </article>
  )
}

/** The text of a message with its attachments and cards. */
const Bubble = ({ message, mine, onJump }: Pick<Props, 'message' | 'mine' | 'onJump'>) => {
  const { deleted, card } = message.extra
  const { attachments, message_content: content } = message
  const big = !deleted && attachments.length === 0 && !message.replied_to && onlyEmoji(content)
  const look = big ? 'bg-transparent' : mine ? 'bg-glow text-on-glow' : 'bg-card border border-line'
  const words = <Words message={message} big={big} />
  const line = `flex flex-wrap items-end justify-end gap-x-3 px-4 ${big ? '' : 'py-2'}`
  const bubble = `max-w-full rounded-bubble ${look} ${mine ? 'rounded-ee-md' : 'rounded-es-md'}`
  if (message.replied_to === null && attachments.length === 0 && !card?.poll)
    return <div className={`${bubble} ${line}`}>{words}</div>
  return (
    <div className={`${bubble} ${attachments.length > 0 ? 'overflow-hidden' : ''}`}>
      {message.replied_to && !deleted && (
        <Quote replied={message.replied_to} blocked={message.extra.quote_blocked} onJump={onJump} />
      )}
      {attachments.length > 0 && <Pictures message={message} />}
      <div className={line}>{words}</div>
      {card?.poll && <MessagePoll message={message} poll={card.poll} />}
    </div>
  )
}

const Words = ({ message, big }: { message: Message; big: boolean }) => {
  const { t } = useWords()
  const { deleted, hidden, card } = message.extra
  const { attachments } = message
  // The text repeats the choices below the question, for clients that show no polls.
  const content = card?.poll?.poll_question ?? message.message_content
  const wordless = isStandIn(content) && attachments.length > 0
  return (
    <>
      {deleted ? (
        <p className="me-auto text-soft italic">{t('chat.deleted')}</p>
      ) : hidden && !content ? (
        <p className="me-auto text-soft italic">{t('chat.hidden')}</p>
      ) : (
        !wordless && <MessageText text={content} big={big} className="me-auto" linksTabIndex={-1} />
      )}
      <time dateTime={message.created_at} className="-mb-0.5 text-[0.6875rem] leading-4 text-current/85">
        {hidden && content && `${t('chat.hidden')} `}
        {message.extra.edited && !deleted && `${t('chat.edited')} `}
        {timeOf(message.created_at)}
      </time>
    </>
  )
}
