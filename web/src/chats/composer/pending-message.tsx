import { ImageIcon } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { PendingState, Refused } from '../../ui/delivery-state.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { useObjectUrl } from '../../ui/pictures/object-url.ts'
import type { Message } from '../history/window.ts'
import { gridOf, ratioOf } from '../pictures/picture-shapes.ts'
import { PlaySign } from '../pictures/play-sign.tsx'
import { Quote } from '../quote.tsx'
import { discard, sendAgain } from './outbox.ts'
import { isFilm, isStandIn, type PendingMessage } from './pending-messages.ts'

/** The pending messages of a chat, each at its future place. */
export const WaitingRows = ({
  waiting,
  messages,
}: {
  waiting: readonly PendingMessage[]
  messages: readonly Message[]
}) => notArrived(waiting, messages).map(each => <WaitingView key={each.at} waiting={each} />)

/**
 * Pending messages that are not in the history yet: the channel may deliver one before its own reply does, and it must
 * not appear twice meanwhile.
 */
const notArrived = (sent: readonly PendingMessage[], messages: readonly Message[]): PendingMessage[] => {
  const taken = new Set<string>()
  return sent.filter(({ sentAfter, userId, content }) => {
    if (sentAfter === undefined) return true
    const arrived = messages.findLast(
      message =>
        message.extra.sequence > sentAfter &&
        message.user.id === userId &&
        message.message_content === content &&
        !taken.has(message.id),
    )
    if (arrived) taken.add(arrived.id)
    return !arrived
  })
}

/** A pending message at its future place. */
const WaitingView = ({ waiting }: { waiting: PendingMessage }) => {
  const { at, content, pictures, replyTo, refused } = waiting
  return (
    <div className="flex flex-col items-end px-3 pt-1 lg:px-6">
      <div
        className={`max-w-[min(80%,36rem)] overflow-hidden rounded-bubble rounded-ee-md bg-glow text-on-glow ${refused ? 'ring-2 ring-bad' : ''}`}
      >
        {replyTo && <Quote replied={replyTo} />}
        {pictures.length > 0 && (
          <div className={gridOf(pictures.length)}>
            {pictures.map((picture, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pending pictures never change places.
              <Preview key={number} picture={picture} of={pictures.length} />
            ))}
          </div>
        )}
        <div className="px-4 py-2">
          {!isStandIn(content) && <MessageText text={content} />}
          {!refused && <PendingState className="-mb-0.5 justify-end text-[0.6875rem] leading-4 opacity-85" />}
        </div>
      </div>
      {refused && (
        <Refused
          why={refused}
          sendAgain={() => void sendAgain(at)}
          discard={() => void discard(at)}
          className="mt-1 justify-end"
        />
      )}
    </div>
  )
}

/** One of this many. */
export const Preview = ({ picture, of = 2 }: { picture: Blob; of?: number }) => {
  const { t } = useWords()
  const src = useObjectUrl(picture)
  const [aspectRatio, setRatio] = useState(1)
  /** A HEIC outside Safari, for example: the service shows it to everybody once it is there. */
  const [unshown, setUnshown] = useState(false)
  const film = isFilm(picture)
  return (
    <div className="overflow-hidden bg-sunken" style={{ aspectRatio }}>
      {unshown && (
        <p className="grid h-full content-center justify-items-center gap-1 p-2 text-center text-xs text-soft">
          <ImageIcon className="size-6" />
          <span className="line-clamp-2 wrap-anywhere" dir="auto">
            {picture instanceof File ? picture.name : t('chat.pictures', { count: 1 })}
          </span>
        </p>
      )}
      {src && !unshown && film && (
        <div className="relative size-full">
          <video
            src={src}
            muted
            playsInline
            preload="metadata"
            onError={() => setUnshown(true)}
            onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) =>
              setRatio(ratioOf(of, videoWidth, videoHeight))
            }
            className="size-full object-cover"
          />
          <PlaySign />
        </div>
      )}
      {src && !unshown && !film && (
        <img
          src={src}
          alt=""
          onError={() => setUnshown(true)}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setRatio(ratioOf(of, naturalWidth, naturalHeight))
          }
          className="size-full object-cover"
        />
      )}
    </div>
  )
}
