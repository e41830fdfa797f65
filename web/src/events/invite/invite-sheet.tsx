import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { AtSign, ChevronRight, Mail, Printer, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { navigate } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { reasonOf, sayFailure } from '../../ui/failure.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LinkCode } from '../links/link-code.tsx'
import { LinkSheets } from '../links/link-sheets.tsx'
import { type EventLink, linksQuery } from '../links/links-queries.ts'
import { usePrinting } from '../links/print.ts'
import { PrintDialog } from '../links/print-dialog.tsx'
import { canShare, shareLink } from '../links/share-link.ts'
import { phonesReach } from '../links/unreachable.tsx'
import { type Event, eventQuery } from '../queries.ts'
import { ByMailDialog } from './by-mail-dialog.tsx'
import { ByNameDialog } from './by-name-dialog.tsx'

type Way = 'print' | 'name' | 'mail'
const noLinks: readonly EventLink[] = []

/** The open link for everybody: the newest without a PIN, or else with one. One that was mailed has no short code. */
const linkForAll = (links: readonly EventLink[]) => {
  const open = links.filter(
    ({ link_kind, link_status, extra }) => link_kind === 'guest' && link_status === 'open' && extra?.short_code,
  )
  return open.find(link => !link.link_pin_required) ?? open[0]
}

type Props = { eventId: number; prints: boolean; onClose(): void }

/** Every way to invite people to an event. */
export const InviteSheet = ({ eventId, prints, onClose }: Props) => {
  const { t } = useWords()
  const [way, setWay] = useState<Way | undefined>(prints ? 'print' : undefined)
  const { data: event, error: noEvent } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(linksQuery(eventId))
  const { printed, print } = usePrinting(noLinks)
  const link = linkForAll(rowsOf(list.data, each => each.id))
  const back = () => setWay(undefined)
  const error = noEvent ?? list.error
  const others = () => {
    onClose()
    void navigate({ to: '/events/:eventId/links', params: { eventId } })
  }
  return (
    <Dialog open onClose={onClose} title={t('invite.act')}>
      {event && list.data ? (
        <div className="grid grid-cols-1 gap-4">
          {link ? <ByLink link={link} event={event} /> : <NoLink eventId={eventId} />}
          <ul className="grid grid-cols-1">
            {link && phonesReach(link.link_url) && (
              <WayRow icon={<Printer />} onClick={() => setWay('print')}>
                {t('evening.print')}
              </WayRow>
            )}
            <WayRow icon={<AtSign />} onClick={() => setWay('name')}>
              {t('invite.byName')}
            </WayRow>
            <WayRow icon={<Mail />} onClick={() => setWay('mail')}>
              {t('invite.byMail')}
            </WayRow>
            {event.extra.may.manage && (
              <WayRow icon={<ChevronRight className="rtl:-scale-x-100" />} onClick={others}>
                {t('invite.otherLinks')}
              </WayRow>
            )}
          </ul>
          {way === 'print' && link && (
            <PrintDialog {...{ link, event }} onPrint={(paper, look) => void print(link, paper, look)} onClose={back} />
          )}
          {way === 'name' && <ByNameDialog event={event} onClose={back} />}
          {way === 'mail' && <ByMailDialog eventId={eventId} onClose={back} />}
          <LinkSheets printed={printed} event={event} />
        </div>
      ) : error ? (
        <p className="font-medium text-bad">{reasonOf(error)}</p>
      ) : (
        <Skeleton className="h-96" />
      )}
    </Dialog>
  )
}

const ByLink = ({ link, event }: { link: EventLink; event: Event }) => {
  const { t } = useWords()
  return (
    <>
      <LinkCode link={link} eventName={event.event_name} />
      {link.link_asks && <p className="text-center text-sm text-pretty text-soft">{t('links.asks')}</p>}
      <div className="grid grid-cols-1 gap-2">
        {canShare(link) && (
          <Button
            size="large"
            icon={<Share2 className="size-5" aria-hidden="true" />}
            onClick={() => shareLink(link, event)}
          >
            {t('links.share')}
          </Button>
        )}
        <CopyButton text={link.link_url} {...(!canShare(link) && { look: 'main', size: 'large' })}>
          {t('links.copy')}
        </CopyButton>
      </div>
    </>
  )
}

/** Of an event whose link was turned off, or that is older than such links. */
const NoLink = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: () => api.links.makeLink({ event_id: eventId }),
    onSuccess: () => client.invalidateQueries({ queryKey: linksQuery(eventId).queryKey }),
    onError: sayFailure,
  })
  return (
    <>
      <p className="text-pretty text-soft">{t('invite.noLink')}</p>
      <Button size="large" busy={make.isPending} onClick={() => make.mutate()}>
        {t('links.make')}
      </Button>
    </>
  )
}

const WayRow = ({ icon, children, onClick }: { icon: ReactNode; children: ReactNode; onClick(): void }) => (
  <li>
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-12 w-full items-center gap-3 rounded-xl px-2 text-start font-semibold hover:bg-hover"
    >
      <span aria-hidden="true" className="text-ember [&>svg]:size-5">
        {icon}
      </span>
      {children}
    </button>
  </li>
)
