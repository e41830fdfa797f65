import { Printer, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { sayUndoable } from '../../ui/layers/toasts.ts'
import type { Event } from '../queries.ts'
import { useLinkChange } from './link-change.ts'
import type { EventLink } from './links-queries.ts'
import type { Look, Paper } from './papers.ts'
import { PrintDialog } from './print-dialog.tsx'
import { phonesReach } from './unreachable.tsx'

type Props = {
  link: EventLink
  event: Event
  /** For a photographer's computer. */
  command: string | undefined
  onPrint(paper: Paper, look: Look): void
}

/** What organizers do with an open link. */
export const LinkActs = ({ link, event, command, onPrint }: Props) => {
  const { t } = useWords()
  const [printing, setPrinting] = useState(false)
  const { link_url: url, link_kind: kind } = link
  const reachable = phonesReach(url)
  const share = () => {
    const text = command ? t('links.sentPhotographer', { command }) : t(`links.sent.${kind}`)
    void navigator.share({ title: event.event_name, text, url }).catch(() => {})
  }
  return (
    <div className="flex flex-wrap justify-center gap-2">
      {reachable && 'share' in navigator && (
        <Button look="soft" size="small" icon={<Share2 className="size-4.5" aria-hidden="true" />} onClick={share}>
          {command ? t('links.send') : t('links.share')}
        </Button>
      )}
      <CopyButton size="small" text={url}>
        {t('links.copy')}
      </CopyButton>
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
      <Revoke link={link} />
      {printing && <PrintDialog {...{ link, event, onPrint }} onClose={() => setPrinting(false)} />}
    </div>
  )
}

const Revoke = ({ link }: { link: EventLink }) => {
  const { t } = useWords()
  const [asking, setAsking] = useState(false)
  const reopen = useLinkChange(link, api.links.reopenLink)
  const revoke = useLinkChange(link, api.links.revokeLink, () =>
    sayUndoable(t('links.revokedOne'), () => reopen.mutate()),
  )
  return (
    <>
      <Button
        look="danger"
        size="small"
        icon={<Trash2 className="size-4.5" aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t('links.revoke')}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('links.revokeTitle')}
        about={link.link_kind === 'guest' ? t('links.revokeAbout') : t('links.revokeEnds')}
        act={t('links.revoke')}
        onAct={() => revoke.mutate()}
      />
    </>
  )
}
