import type { Afterglow } from '@afterglow/sdk'
import { useQuery } from '@tanstack/react-query'
import { Download, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { count } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { sizeOf } from '../app/sizes.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import { Tabs } from '../ui/tabs.tsx'
import type { Photo } from './queries.ts'
import { save } from './save-files.ts'

type Person = Photo['taken_by']
type AlbumLink = Awaited<ReturnType<Afterglow['gallery']['linkAlbum']>>
type AlbumSelection = Omit<Parameters<Afterglow['gallery']['linkAlbum']>[0], 'event_id' | 'size'>

type Props = {
  eventId: number
  /** The uploader whose photos the album currently shows. */
  person?: Person | undefined
  /** Only these selected photos. */
  chosen?: readonly string[] | undefined
  onClose(): void
}

const sizes = ['full', 'shown'] as const
type Size = (typeof sizes)[number]
const rest = ['all', 'mine', 'liked'] as const
const all = ['person', ...rest] as const
type Which = (typeof all)[number]
const id = 'download'

/** Two separate queries, because `useQueries` would be in the first page's JavaScript. */
const linkQuery = (eventId: number, size: Size, wish: AlbumSelection) => ({
  queryKey: ['download', eventId, size, wish],
  queryFn: () => api.gallery.linkAlbum({ event_id: eventId, size, ...wish }),
  gcTime: 0,
  retry: 1,
})

const weightOf = ({ download_bytes }: AlbumLink) => sizeOf(download_bytes)

/** As far as the service says: for films and small photos, the size for screens is the same, or even heavier. */
const isLighter = (shown: AlbumLink, full: AlbumLink) =>
  shown.download_bytes < full.download_bytes && weightOf(shown) !== weightOf(full)

/** Downloads an album or part of it as a zip, in one of two sizes if they differ, shown beforehand. */
export const DownloadDialog = ({ eventId, person, chosen, onClose }: Props) => {
  const { t } = useWords()
  const [which, setWhich] = useState<Which>(person ? 'person' : 'all')
  const wishes: Record<Which, AlbumSelection> = {
    person: { taken_by: person?.id },
    all: {},
    mine: { mine: true },
    liked: { liked: true },
  }
  const wish = chosen ? { event_photo_ids: chosen.map(Number) } : wishes[which]
  const { links, offered, failed } = useLinks(eventId, wish)
  const raws = links.full.data?.download_raws_count ?? 0
  const begin = ({ download_url, download_photos_count, download_bytes }: AlbumLink) => {
    if (download_photos_count === 0) return say(t('gallery.none'))
    save(download_url)
    say(t('download.begun', { photos: count(download_photos_count), size: sizeOf(download_bytes) }))
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={t('download.title')} about={t('download.about')}>
      {!chosen && (
        <Tabs
          label={t('download.title')}
          tabs={person ? all : rest}
          chosen={which}
          onChoose={setWhich}
          nameOf={tab => (tab === 'person' ? (person ? nameOf(person) : t('gallery.person')) : t(`download.${tab}`))}
          controls={id}
        />
      )}
      <div id={id} className="mt-3 grid gap-3">
        {failed ? (
          <Failed error={failed.error} retry={() => void failed.refetch()} />
        ) : (
          offered.map(size => (
            <SizeButton key={size} size={size} alone={offered.length === 1} link={links[size]} onBegin={begin} />
          ))
        )}
        {raws > 0 && <p className="text-center text-sm text-pretty text-soft">{t('download.raws', { count: raws })}</p>}
      </div>
    </Dialog>
  )
}

const useLinks = (eventId: number, wish: AlbumSelection) => {
  const full = useQuery(linkQuery(eventId, 'full', wish))
  const shown = useQuery(linkQuery(eventId, 'shown', wish))
  const offered: readonly Size[] = full.data && shown.data && !isLighter(shown.data, full.data) ? ['full'] : sizes
  return { links: { full, shown }, offered, failed: [full, shown].find(({ isError }) => isError) }
}

type SizeProps = {
  size: Size
  /** The other is no lighter. */
  alone: boolean
  link: ReturnType<typeof useLinks>['links'][Size]
  onBegin(link: AlbumLink): void
}

const SizeButton = ({ size, alone, link: { data: link, isPending }, onBegin }: SizeProps) => {
  const { t } = useWords()
  const Icon = size === 'full' ? Download : Smartphone
  return (
    <Button
      size="large"
      look={size === 'full' ? 'main' : 'soft'}
      busy={isPending}
      icon={<Icon className="size-5.5" aria-hidden="true" />}
      onClick={() => link && onBegin(link)}
    >
      {t(`download.${alone ? 'only' : size}`, { size: link ? weightOf(link) : '…' })}
    </Button>
  )
}
