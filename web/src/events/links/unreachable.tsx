import { SmartphoneNfc } from 'lucide-react'
import { useWords } from '../../app/words.ts'

/** Whether a phone can open an address: not one that means the device it is opened on. */
export const phonesReach = (url: string): boolean => {
  const { hostname } = new URL(url, location.href)
  return !/^(?:localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}

/** In the place of a code that nobody could scan: what is wrong, and who sets what. */
export const Unreachable = ({ url }: { url: string }) => {
  const { t } = useWords()
  return (
    <div role="alert" className="grid justify-items-center gap-2 rounded-2xl bg-bad-soft p-4 text-center text-bad">
      <SmartphoneNfc className="size-7" aria-hidden="true" />
      <p className="font-semibold text-balance">{t('links.unreachable')}</p>
      <p className="text-sm text-pretty wrap-anywhere">
        {t('links.unreachableMore', { address: new URL(url, location.href).origin })}
      </p>
    </div>
  )
}
