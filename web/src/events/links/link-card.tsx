import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy, Printer, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { dayOf, timeOf } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { say } from '../../ui/layers/toasts.ts'
import type { Event } from '../queries.ts'
import { choiceOf, onlyShows } from './kind-choice.tsx'
import { type EventLink, linksQuery } from './links-queries.ts'
import type { Look, Paper } from './papers.ts'
import { Command, commandFor } from './photographer-command.tsx'
import { PrintDialog } from './print-dialog.tsx'
import { SendAwayDialog } from './send-away-dialog.tsx'
import { phonesReach, Unreachable } from './unreachable.tsx'

type Props = { link: EventLink; event: Event; onPrint(paper: Paper, look: Look): void }

/** A link: its code to scan, its address to send, and how often it was used. */
export const LinkCard = ({ link, event, onPrint }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [sending, setSending] = useState(false)
  const [printing, setPrinting] = useState(false)
  const revoke = useMutation({
    mutationFn: () => api.links.revokeLink({ link_id: link.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: linksQuery(event.id).queryKey }),
    onError: sayFailure,
  })
  const reopen = useMutation({
    mutationFn: () => api.links.reopenLink({ link_id: link.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: linksQuery(event.id).queryKey }),
    onError: sayFailure,
  })
  const open = link.link_status === 'open'
  const paused = link.link_status === 'paused'
  const reachable = phonesReach(link.link_url)
  const kind = link.link_kind
  const choice = choiceOf(link)
  const command = link.link_photographer ? commandFor(link, t('photo.photographer')) : undefined
  const people = !onlyShows(kind)
  const beforeCode = link.link_url.slice(0, link.link_url.lastIndexOf('/') + 1)
  const share = () =>
    void navigator
      .share({
        title: event.event_name,
        text: command ? t('links.sentPhotographer', { command }) : t(`links.sent.${kind}`),
        url: link.link_url,
      })
      .catch(() => {})
  const copy = () => void navigator.clipboard?.writeText(link.link_url).then(() => say(t('chat.copied')))
  return (
    <article
      className={`grid grid-cols-1 gap-4 rounded-3xl border border-line bg-card p-5 shadow-card ${open || paused ? '' : 'opacity-75'}`}
    >
      {open && (
        <figure className="grid grid-cols-1 justify-items-center gap-3 text-center">
          <figcaption className="max-w-full font-display text-xl font-semibold" dir="auto">
            {event.event_name}
          </figcaption>
          {reachable ? (
            <img
              src={link.link_qr_svg_url}
              alt={t('links.qr', { name: event.event_name })}
              className="size-56 rounded-2xl bg-white p-2"
            />
          ) : (
            <Unreachable url={link.link_url} />
          )}
          <p className="max-w-full text-sm text-soft wrap-anywhere" dir="ltr">
            {beforeCode}
            {/* Where it does not fit into one line the code has one of its own. */}
            <wbr />
            {link.link_url.slice(beforeCode.length)}
          </p>
          {reachable && link.extra.short_url && (
            <p className="max-w-full text-lg font-semibold tracking-wide wrap-anywhere" dir="ltr">
              {link.extra.short_url.replace(/^https?:\/\//, '')}
            </p>
          )}
        </figure>
      )}
      <ul className="flex flex-wrap justify-center gap-x-4 gap-y-1 text-sm text-soft">
        <li className="font-semibold text-ink">
          {t(`links.kind.${choice}`)}
          {link.link_shows_chat && ` · ${t('links.showsChat')}`}
        </li>
        <li className={open ? '' : 'font-semibold text-bad'}>{t(`links.status.${link.link_status}`)}</li>
        <li>
          {link.link_max_uses === null
            ? people
              ? t('links.uses', { count: link.link_uses })
              : t('links.devices', { count: link.link_uses })
            : t('links.usesOf', { uses: link.link_uses, most: link.link_max_uses })}
        </li>
        {link.link_pin_required && (
          <li>
            {link.link_pin ? <b className="text-ink">{t('wall.pin', { pin: link.link_pin })}</b> : t('links.withPin')}
          </li>
        )}
        {link.link_expires_at && (
          <li>{t('links.until', { when: `${dayOf(link.link_expires_at)}, ${timeOf(link.link_expires_at)}` })}</li>
        )}
      </ul>
      {paused && <p className="text-center text-pretty">{t('links.pausedMore')}</p>}
      {paused && (
        <Button className="justify-self-center" busy={reopen.isPending} onClick={() => reopen.mutate()}>
          {t('links.reopen')}
        </Button>
      )}
      {open && (
        <div className="flex flex-wrap justify-center gap-2">
          {reachable && 'share' in navigator && (
            <Button look="soft" size="small" icon={<Share2 className="size-4.5" aria-hidden="true" />} onClick={share}>
              {command ? t('links.send') : t('links.share')}
            </Button>
          )}
          <Button look="quiet" size="small" icon={<Copy className="size-4.5" aria-hidden="true" />} onClick={copy}>
            {t('links.copy')}
          </Button>
          {reachable && kind !== 'screen' && (
            <Button
              look="quiet"
              size="small"
              icon={<Printer className="size-4.5" aria-hidden="true" />}
              onClick={() => setPrinting(true)}
            >
              {t('links.print')}
            </Button>
          )}
          <Button
            look="danger"
            size="small"
            icon={<Trash2 className="size-4.5" aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            {t('links.revoke')}
          </Button>
        </div>
      )}
      {open && command && <Command command={command} />}
      {people && link.link_uses > 0 && (
        <Button look="quiet" size="small" className="justify-self-center text-bad" onClick={() => setSending(true)}>
          {t('links.away')}
        </Button>
      )}
      {printing && <PrintDialog {...{ link, event, onPrint }} onClose={() => setPrinting(false)} />}
      {sending && <SendAwayDialog link={link} onClose={() => setSending(false)} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('links.revokeTitle')}
        about={kind === 'guest' ? t('links.revokeAbout') : t('links.revokeEnds')}
        act={t('links.revoke')}
        onAct={() => revoke.mutate()}
      />
    </article>
  )
}
