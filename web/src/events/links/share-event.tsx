import { Share2 } from 'lucide-react'
import { address } from '../../app/public-path.ts'
import { keptCode } from '../../app/storage/join-code.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { copy } from '../../ui/copy.ts'
import type { Event } from '../queries.ts'

const anybody = 1
const byLink = 2

/**
 * Shares the event: a public one by its address, one by link with the link that its guest joined by. For a private
 * event, only organizers hand out links, and these invite by the sheet.
 */
const addressOf = ({ id, event_visibility: seenBy }: Event): string | undefined => {
  const code = seenBy === byLink || seenBy === anybody ? keptCode(id) : undefined
  if (code) return `${address}/j/${code}`
  return seenBy === anybody ? `${address}/events/${id}` : undefined
}

export const ShareEvent = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const { guests_may_share, may } = event.extra
  const url = guests_may_share && !may.invite ? addressOf(event) : undefined
  if (!url) return null
  const share = () => {
    if (!navigator.share) return copy(url)
    void navigator.share({ title: event.event_name, url }).catch(() => {})
  }
  return (
    <Button look="quiet" icon={<Share2 className="size-5" aria-hidden="true" />} onClick={share}>
      {t('event.share')}
    </Button>
  )
}
