import { Copy } from 'lucide-react'
import { useState } from 'react'
import { address } from '../app/public-path.ts'
import { keptCode } from '../app/storage/join-code.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'

/** For people in another app's view that opens no file chooser: how to continue in a browser. */
export const NoChooser = ({ eventId, onClose }: { eventId: number; onClose(): void }) => {
  const { t } = useWords()
  const code = keptCode(eventId)
  // The browser does not know them yet: people who joined by a link join by it there as well.
  const url = code ? `${address}/j/${code}` : location.href
  const [failed, setFailed] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      say(t('elsewhere.copied'))
    } catch {
      setFailed(true)
    }
  }
  return (
    <Dialog open title={t('elsewhere.title')} about={t('elsewhere.about')} onClose={onClose}>
      <p className="mb-4 rounded-2xl bg-sunken px-4 py-3 text-sm break-all select-all" dir="ltr">
        {url}
      </p>
      {failed && <p className="mb-3 text-sm text-bad">{t('elsewhere.copyYourself')}</p>}
      <Button className="w-full" icon={<Copy className="size-5" />} onClick={() => void copy()}>
        {t('elsewhere.copy')}
      </Button>
    </Dialog>
  )
}
