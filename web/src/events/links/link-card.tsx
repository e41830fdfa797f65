import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import type { Event } from '../queries.ts'
import { onlyShows } from './kind-choice.tsx'
import { LinkActs } from './link-acts.tsx'
import { useLinkChange } from './link-change.ts'
import { LinkCode } from './link-code.tsx'
import { LinkFacts } from './link-facts.tsx'
import type { EventLink } from './links-queries.ts'
import type { Look, Paper } from './papers.ts'
import { Command, commandFor } from './photographer-command.tsx'
import { Screens } from './screens.tsx'
import { SendAwayDialog } from './send-away-dialog.tsx'

type Props = { link: EventLink; event: Event; onPrint(paper: Paper, look: Look): void }

/** A link: its code to scan, its address to send, and how often it was used. */
export const LinkCard = ({ link, event, onPrint }: Props) => {
  const { t } = useWords()
  const open = link.link_status === 'open'
  const paused = link.link_status === 'paused'
  const command = link.link_photographer ? commandFor(link, t('photo.photographer')) : undefined
  return (
    <article
      className={`grid grid-cols-1 gap-4 rounded-3xl border border-line bg-card p-5 shadow-card ${open || paused ? '' : 'opacity-75'}`}
    >
      {open && <LinkCode link={link} eventName={event.event_name} />}
      <LinkFacts link={link} />
      {paused && <p className="text-center text-pretty">{t('links.pausedMore')}</p>}
      {(paused || link.link_status === 'revoked') && <Reopen link={link} />}
      {open && <LinkActs {...{ link, event, command, onPrint }} />}
      {open && link.link_kind === 'screen' && <Screens link={link} />}
      {open && command && <Command command={command} />}
      {!onlyShows(link.link_kind) && link.link_uses > 0 && <SendAway link={link} />}
    </article>
  )
}

const Reopen = ({ link }: { link: EventLink }) => {
  const { t } = useWords()
  const reopen = useLinkChange(link, api.links.reopenLink)
  const look = link.link_status === 'revoked' ? 'quiet' : 'main'
  return (
    <Button look={look} className="justify-self-center" busy={reopen.isPending} onClick={() => reopen.mutate()}>
      {t('links.reopen')}
    </Button>
  )
}

const SendAway = ({ link }: { link: EventLink }) => {
  const { t } = useWords()
  const [sending, setSending] = useState(false)
  return (
    <>
      <Button look="quiet" size="small" className="justify-self-center text-bad" onClick={() => setSending(true)}>
        {t('links.away')}
      </Button>
      {sending && <SendAwayDialog link={link} onClose={() => setSending(false)} />}
    </>
  )
}
