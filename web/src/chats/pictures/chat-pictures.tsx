import { useInfiniteQuery } from '@tanstack/react-query'
import { LayoutGrid } from 'lucide-react'
import { useState } from 'react'
import { paged, rowsOf } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { overlay } from '../../app/router/lazy.tsx'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { Failed } from '../../ui/failed.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Blurred } from '../../ui/pictures/blurred.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PlaySign } from './play-sign.tsx'

const PictureViewer = overlay(async () => (await import('./picture-viewer.tsx')).default)

export const ChatPictures = ({ chatId, onClose }: { chatId: number; onClose(): void }) => {
  const { t } = useWords()
  const list = useInfiniteQuery({
    ...paged,
    queryKey: ['attachments', chatId],
    queryFn: ({ pageParam, signal }) =>
      api.chats.listAttachments({ group_chat_id: chatId, page: pageParam, page_length: 60 }, { signal }),
    // Channel events do not change it.
    staleTime: 0,
  })
  const pictures = rowsOf(list.data, ({ id }) => id)
  const [open, setOpen] = useState<number>()
  return (
    <Dialog open title={t('chat.allPictures')} onClose={onClose}>
      {list.isPending ? (
        <div role="status" className={grid}>
          <span className="sr-only">{t('common.loading')}</span>
          {['a', 'b', 'c', 'd', 'e', 'f'].map(place => (
            <Skeleton key={place} className="aspect-square rounded-xl" />
          ))}
        </div>
      ) : list.isError && !list.data ? (
        <Failed error={list.error} retry={() => void list.refetch()} />
      ) : pictures.length === 0 ? (
        <Notice icon={LayoutGrid} title={t('chat.noPictures')} />
      ) : (
        <ul className={grid}>
          {pictures.map((picture, at) => (
            <PictureTile key={picture.id} picture={picture} onOpen={() => setOpen(at)} />
          ))}
        </ul>
      )}
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      {open !== undefined && <PictureViewer attachments={pictures} start={open} onClose={() => setOpen(undefined)} />}
    </Dialog>
  )
}

const grid = 'grid grid-cols-3 gap-2'

type Picture = Awaited<ReturnType<typeof api.chats.listAttachments>>['data'][number]

const PictureTile = ({ picture: { user, extra }, onOpen }: { picture: Picture; onOpen(): void }) => {
  const { t } = useWords()
  return (
    <li className="relative aspect-square overflow-hidden rounded-xl bg-sunken">
      <Blurred thumbhash={extra.thumbhash} />
      <button
        type="button"
        onClick={onOpen}
        aria-label={
          extra.video ? t('chat.filmBy', { name: nameOf(user) }) : t('chat.pictureBy', { name: nameOf(user) })
        }
        className="absolute inset-0 outline-offset-[-3px]"
      >
        <img src={extra.preview_url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
        {extra.video && <PlaySign />}
      </button>
    </li>
  )
}
