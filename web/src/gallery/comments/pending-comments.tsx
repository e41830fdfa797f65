import { CircleAlert, Clock3 } from 'lucide-react'
import { session } from '../../app/session.ts'
import { type Act, acts, discard, sendAgain } from '../../app/storage/acts.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import type { Comment } from '../queries.ts'

export const mineWith = (text: string, comments: readonly Comment[]) =>
  comments.filter(each => each.user.id === session.get()?.userId && each.event_photo_comment === text).length

type Props = { photoId: string; replyTo?: number; comments: readonly Comment[] }

/** Comments on their way, where they will stand; not those that the channel has brought already. */
export const PendingComments = ({ photoId, replyTo, comments }: Props) => {
  const all = useStore(acts)
  return all
    .filter((each): each is Act<'comment'> => each.kind === 'comment')
    .filter(({ told }) => told.photoId === photoId && told.replyTo === replyTo)
    .filter(({ told, refused }) => refused !== undefined || mineWith(told.text, comments) <= told.before)
    .map(each => <Pending key={each.at} act={each} />)
}

const Pending = ({ act: { at, told, refused } }: { act: Act<'comment'> }) => {
  const { t } = useWords()
  return (
    <li className="ms-11">
      <MessageText text={told.text} />
      {refused === undefined ? (
        <p className="flex items-center gap-1 text-sm text-soft">
          <Clock3 className="size-3.5" aria-hidden="true" />
          {t('chat.sending')}
        </p>
      ) : (
        <div role="alert" className="flex flex-wrap items-center gap-1 text-sm text-bad">
          <CircleAlert className="size-4" aria-hidden="true" />
          {refused}
          <Button look="bare" size="small" onClick={() => void sendAgain(at)}>
            {t('common.tryAgain')}
          </Button>
          <Button look="bare" size="small" onClick={() => void discard(at)}>
            {t('chat.discard')}
          </Button>
        </div>
      )}
    </li>
  )
}
