import { Camera, ChevronDown, Eye, ImageUp, MonitorPlay, Printer, Share2, UsersRound } from 'lucide-react'
import { useId, useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Event } from '../queries.ts'
import { choiceOf } from './kind-choice.tsx'
import { useLinkChange } from './link-change.ts'
import { LinkCode } from './link-code.tsx'
import { factsOf } from './link-facts.ts'
import { LinkMenu } from './link-menu.tsx'
import type { EventLink } from './links-queries.ts'
import type { Look, Paper } from './papers.ts'
import { Command, commandFor } from './photographer-command.tsx'
import { PrintDialog } from './print-dialog.tsx'
import { Screens } from './screens.tsx'
import { canShare, shareLink } from './share-link.ts'
import { phonesReach } from './unreachable.tsx'

const icons = { guest: UsersRound, look: Eye, drop: ImageUp, photographer: Camera, screen: MonitorPlay }

type Props = {
  link: EventLink
  event: Event
  shown: boolean
  onShow(): void
  onPrint(paper: Paper, look: Look): void
}

/** A link by what it is for; its code and what is done with it on a tap. */
export const LinkRow = ({ link, event, shown, onShow, onPrint }: Props) => {
  const { t } = useWords()
  const detail = useId()
  const open = link.link_status === 'open'
  const choice = choiceOf(link)
  const Icon = icons[choice]
  return (
    <article className={`grid grid-cols-1 rounded-2xl border border-line bg-card ${open ? '' : 'text-soft'}`}>
      <div className="flex items-center gap-1 pe-1">
        <button
          type="button"
          aria-expanded={shown}
          aria-controls={detail}
          onClick={onShow}
          className="flex min-h-16 min-w-0 flex-1 items-center gap-3 rounded-2xl px-4 py-2 text-start hover:bg-hover"
        >
          <Icon className="size-6 shrink-0 text-ember" aria-hidden="true" />
          <span className="grid min-w-0 flex-1 grid-cols-1">
            <span className="font-semibold">{t(`links.kind.${choice}`)}</span>
            <span className="text-sm text-pretty text-soft">{factsOf(link).join(' · ')}</span>
          </span>
          <ChevronDown className={`size-5 shrink-0 ${shown ? 'rotate-180' : ''}`} aria-hidden="true" />
        </button>
        <LinkMenu link={link} kind={t(`links.kind.${choice}`)} />
      </div>
      <div id={detail} hidden={!shown} className="grid grid-cols-1 gap-4 p-4 pt-2">
        {shown && (open ? <Opened {...{ link, event, onPrint }} /> : <Closed link={link} />)}
      </div>
    </article>
  )
}

const Opened = ({ link, event, onPrint }: Pick<Props, 'link' | 'event' | 'onPrint'>) => {
  const { t } = useWords()
  const [printing, setPrinting] = useState(false)
  const command = link.link_photographer ? commandFor(link, t('photo.photographer')) : undefined
  return (
    <>
      <LinkCode link={link} eventName={event.event_name} />
      <div className="flex flex-wrap justify-center gap-2">
        {canShare(link) && (
          <Button
            look="quiet"
            size="small"
            icon={<Share2 className="size-4.5" aria-hidden="true" />}
            onClick={() => shareLink(link, event, command)}
          >
            {command ? t('links.send') : t('links.share')}
          </Button>
        )}
        <CopyButton size="small" text={link.link_url}>
          {t('links.copy')}
        </CopyButton>
        {phonesReach(link.link_url) && link.link_kind !== 'screen' && (
          <Button
            look="quiet"
            size="small"
            icon={<Printer className="size-4.5" aria-hidden="true" />}
            onClick={() => setPrinting(true)}
          >
            {t('links.print')}
          </Button>
        )}
      </div>
      {link.link_kind === 'screen' && <Screens link={link} />}
      {command && <Command command={command} />}
      {printing && <PrintDialog {...{ link, event, onPrint }} onClose={() => setPrinting(false)} />}
    </>
  )
}

/** Why nobody comes in by it now, and turning it on again where that is possible. */
const Closed = ({ link }: { link: EventLink }) => {
  const { t } = useWords()
  const reopen = useLinkChange(link, api.links.reopenLink)
  const { link_status: status } = link
  return (
    <>
      {status === 'paused' && <p className="text-pretty">{t('links.pausedMore')}</p>}
      {status === 'paused' || status === 'revoked' ? (
        <Button look="quiet" className="justify-self-start" busy={reopen.isPending} onClick={() => reopen.mutate()}>
          {t('links.reopen')}
        </Button>
      ) : (
        <p>{t(`links.status.${status}`)}</p>
      )}
    </>
  )
}
