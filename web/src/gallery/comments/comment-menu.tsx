import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Flag, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { applyChanges } from '../../app/cache/change.ts'
import { api } from '../../app/net/client.ts'
import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { askToReport } from '../../people/report-target.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Menu } from '../../ui/layers/menu.tsx'
import { proveOrSay } from '../../ui/prove-first.ts'
import type { Comment } from '../queries.ts'
import { onGalleryEvent } from '../reducer.ts'

/** The permitted actions on a comment. */
export const CommentMenu = ({ comment, onEdit }: { comment: Comment; onEdit(): void }) => {
  const { t } = useWords()
  const { extra, user } = comment
  const mine = user.id === session.get()?.userId
  const [asking, setAsking] = useState(false)
  const remove = useRemoval(comment)
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t('comments.menu')}
            className="touch grid size-8 place-items-center rounded-full text-soft hover:bg-hover hover:text-ink"
          >
            <Ellipsis className="size-4.5" />
          </button>
        }
        items={[
          extra.may.update && { label: t('chat.edit'), icon: Pencil, act: onEdit },
          !mine && {
            label: t('report.act'),
            icon: Flag,
            act: () => askToReport('comment', comment.id),
          },
          extra.may.delete && {
            label: t('chat.delete'),
            icon: Trash2,
            act: () => setAsking(true),
            danger: true,
          },
        ]}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('comments.deleteTitle')}
        about={t('comments.deleteAbout')}
        act={t('chat.delete')}
        onAct={() => remove.mutate()}
      />
    </>
  )
}

const useRemoval = (comment: Comment) => {
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => api.gallery.deleteComment({ event_photo_comment_id: comment.id }),
    onSuccess: () => {
      const { event_photo_id, reply_to } = comment.extra
      const gone = { kind: 'comment.deleted' as const, payload: { id: comment.id, event_photo_id, reply_to } }
      applyChanges(client, onGalleryEvent(gone, session.get()?.userId ?? 0))
    },
    onError: error => proveOrSay(error, () => removal.mutate()),
  })
  return removal
}
