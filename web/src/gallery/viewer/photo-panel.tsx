import { useQuery } from '@tanstack/react-query'
import { Pencil, X } from 'lucide-react'
import { useState } from 'react'
import { dayOf, timeOf } from '../../app/date-format.ts'
import { useWords } from '../../app/words.ts'
import { eventQuery } from '../../events/queries.ts'
import { nameOf } from '../../people/names.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { readsComments } from '../comments/comment-access.ts'
import { Comments } from '../comments/comments.tsx'
import type { Photo } from '../queries.ts'
import { DescribeForm } from './describe-form.tsx'
import { Likers } from './likers.tsx'

type Props = { photo: Photo; eventId: number; onClose(): void }

/** Beside a photo, or below it on a phone: uploader and time, caption, likes, comments. */
export const PhotoPanel = ({ photo, eventId, onClose }: Props) => {
  const { t } = useWords()
  const [describing, setDescribing] = useState(false)
  const { data: event } = useQuery(eventQuery(eventId))
  return (
    <section
      aria-label={t('photo.about')}
      className="safe-x-0 flex h-[62dvh] animate-rise flex-col rounded-t-2xl bg-paper text-ink lg:h-auto lg:w-96 lg:animate-fade lg:rounded-none"
    >
      <header className="flex items-center gap-3 border-b border-line py-2 ps-4 pe-2">
        <Uploader photo={photo} />
        <IconButton label={t('photo.closeAbout')} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <div className="scroll-thin flex flex-1 flex-col overflow-y-auto">
        {describing ? (
          <DescribeForm photo={photo} onDone={() => setDescribing(false)} />
        ) : (
          <Description photo={photo} onDescribe={() => setDescribing(true)} />
        )}
        {!describing && event && readsComments(event, photo) && <Comments photo={photo} eventId={eventId} />}
      </div>
    </section>
  )
}

/** Uploader and time. */
const Uploader = ({ photo }: { photo: Photo }) => {
  const { t } = useWords()
  const { extra, taken_by } = photo
  const when = extra.taken_at ?? photo.created_at
  const day = { day: dayOf(when), time: timeOf(when) }
  return (
    <>
      <Avatar src={taken_by.user_avatar_url} size={40} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold" dir="auto">
          {nameOf(taken_by)}
          {extra.photographer && ` · ${t('photo.photographer')}`}
        </p>
        <p className="text-sm leading-snug text-soft">
          {extra.taken_at ? t('photo.taken', day) : t('photo.added', day)}
        </p>
      </div>
    </>
  )
}

const Description = ({ photo, onDescribe }: { photo: Photo; onDescribe(): void }) => {
  const { t } = useWords()
  const { extra } = photo
  return (
    <div className="grid gap-2 px-4 pt-3">
      {extra.caption && <MessageText text={extra.caption} />}
      {extra.alt_text && (
        <p className="text-sm text-soft">
          <span className="font-semibold">{t('photo.alt')}: </span>
          <bdi>{extra.alt_text}</bdi>
        </p>
      )}
      {extra.new_words && <p className="text-sm text-soft">{t('waiting.wordsWait')}</p>}
      {extra.may.update && (
        <Button
          look="bare"
          size="small"
          className="-ms-3 justify-self-start"
          icon={<Pencil className="size-4" />}
          onClick={onDescribe}
        >
          {t('photo.describe')}
        </Button>
      )}
      <Likers photo={photo} />
    </div>
  )
}
