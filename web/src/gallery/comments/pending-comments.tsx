import { session } from '../../app/session.ts'
import { discard, sendAgain } from '../../app/storage/acts.ts'
import { type Act, acts } from '../../app/storage/pending-acts.ts'
import { useStore } from '../../app/store.ts'
import { PendingState, Refused } from '../../ui/delivery-state.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import type { Comment } from '../queries.ts'

export const mineWith = (text: string, comments: readonly Comment[]) =>
  comments.filter(each => each.user.id === session.get()?.userId && each.event_photo_comment === text).length

type Props = { photoId: string; replyTo?: number; comments: readonly Comment[] }

/**
 * Pending comments, at their future place; not those that the channel has delivered already. Replies to a deleted
 * comment appear among the comments, so that nobody's words are lost with it.
 */
export const PendingComments = ({ photoId, replyTo, comments }: Props) => {
  const all = useStore(acts)
  const isHere = (parent: number | undefined) =>
    parent === replyTo || (replyTo === undefined && !comments.some(({ id }) => id === parent))
  return all
    .filter((each): each is Act<'comment'> => each.kind === 'comment')
    .filter(({ told }) => told.photoId === photoId && isHere(told.replyTo))
    .filter(({ told, refused }) => refused !== undefined || mineWith(told.text, comments) <= told.before)
    .map(each => <Pending key={each.at} act={each} />)
}

const Pending = ({ act: { at, told, refused } }: { act: Act<'comment'> }) => (
  <li className="ms-11">
    <MessageText text={told.text} />
    {refused === undefined ? (
      <PendingState className="text-sm text-soft" />
    ) : (
      <Refused why={refused} sendAgain={() => void sendAgain(at)} discard={() => void discard(at)} />
    )}
  </li>
)
