import { Clock3 } from 'lucide-react'
import { online } from '../app/net/network.ts'
import { acts } from '../app/storage/pending-acts.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'

/** An act that is sent within this time shows no sign. */
const shownAfterMs = 3000

/** A sign that a user's act has not arrived yet. */
export const PendingSign = ({ about }: { about: string }) => {
  const { t } = useWords()
  const reachable = useStore(online)
  const waits = useStore(acts).find(each => each.about === about && each.refused === undefined)
  if (!waits || (reachable && Date.now() - waits.at < shownAfterMs)) return null
  return (
    <>
      <Clock3 className="size-3.5 shrink-0" />
      <span className="sr-only">{t('chat.sending')}</span>
    </>
  )
}
