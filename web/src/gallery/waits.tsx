import { Clock3 } from 'lucide-react'
import { online } from '../app/net/network.ts'
import { acts } from '../app/storage/acts.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'

/** A sign that something somebody did waits for a network. */
export const Waits = ({ about }: { about: string }) => {
  const { t } = useWords()
  const reachable = useStore(online)
  const waits = useStore(acts).some(each => each.about === about)
  if (!waits || reachable) return null
  return (
    <>
      <Clock3 className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="sr-only">{t('chat.sending')}</span>
    </>
  )
}
