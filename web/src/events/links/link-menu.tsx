import { EllipsisVertical, Link2Off, UserRoundMinus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Menu } from '../../ui/layers/menu.tsx'
import { sayUndoable } from '../../ui/layers/toasts.ts'
import { onlyShows } from './kind-choice.tsx'
import { useLinkChange } from './link-change.ts'
import type { EventLink } from './links-queries.ts'
import { SendAwayDialog } from './send-away-dialog.tsx'

/** Turning a link off, and removing who came by it. `kind`: what it is for, in words. */
export const LinkMenu = ({ link, kind }: { link: EventLink; kind: string }) => {
  const { t } = useWords()
  const [asking, setAsking] = useState<'off' | 'away'>()
  const reopen = useLinkChange(link, api.links.reopenLink)
  const turnOff = useLinkChange(link, api.links.revokeLink, () =>
    sayUndoable(t('links.revokedOne'), () => reopen.mutate()),
  )
  const close = () => setAsking(undefined)
  const brought = !onlyShows(link.link_kind) && link.link_uses > 0
  if (link.link_status === 'revoked' && !brought) return null
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('links.menu', { kind })}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
        items={[
          link.link_status !== 'revoked' && {
            label: t('links.revoke'),
            icon: Link2Off,
            act: () => setAsking('off'),
          },
          brought && { label: t('links.away'), icon: UserRoundMinus, act: () => setAsking('away'), danger: true },
        ]}
      />
      <Confirm
        open={asking === 'off'}
        onClose={close}
        title={t('links.revokeTitle')}
        about={link.link_kind === 'guest' ? t('links.revokeAbout') : t('links.revokeEnds')}
        act={t('links.revoke')}
        onAct={() => turnOff.mutate()}
      />
      {asking === 'away' && <SendAwayDialog link={link} onClose={close} />}
    </>
  )
}
