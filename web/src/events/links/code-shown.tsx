import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { reasonOf } from '../../ui/failure.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { phonesReach, Unreachable } from './unreachable.tsx'

type Props = {
  shown: { url: string; qr: string; about: string } | undefined
  error: Error | null
  again(): void
  /** The same in letters, to write down. */
  text?: string | undefined
}

/** A code for another device: as a picture to scan, and as a link to copy. */
export const CodeShown = ({ shown, error, again, text }: Props) => {
  const { t } = useWords()
  return (
    <div className="grid justify-items-center gap-4 text-center">
      {shown && !phonesReach(shown.url) ? (
        <Unreachable url={shown.url} />
      ) : shown ? (
        <>
          <img src={shown.qr} alt={t('transfer.qr')} className="size-60 max-w-full rounded-2xl bg-white" />
          {text && (
            <p className="text-xl font-semibold tracking-wide wrap-anywhere" dir="ltr">
              {text}
            </p>
          )}
          <p className="text-sm text-pretty text-soft">{shown.about}</p>
          <CopyButton text={shown.url}>{t('links.copy')}</CopyButton>
        </>
      ) : error ? (
        <>
          <p className="font-medium text-bad">{reasonOf(error)}</p>
          <Button look="soft" onClick={again}>
            {t('common.tryAgain')}
          </Button>
        </>
      ) : (
        <Skeleton className="size-60 rounded-2xl" />
      )}
    </div>
  )
}
