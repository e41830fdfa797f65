import { Share2, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { useWords } from '../../app/words.ts'
import { canShare } from './share.ts'

const round =
  'pointer-events-auto grid size-11 shrink-0 place-items-center rounded-full bg-black/50 text-white backdrop-blur-sm hover:bg-black/80'

type Props = {
  /** For example “3 of 20”. */
  position?: string | undefined
  onShare: (() => void) | undefined
  children: ReactNode
}

/** Over a large picture: close, its position, and the most frequent actions. */
export const ViewerTop = ({ position, onShare, children }: Props) => {
  const { t } = useWords()
  return (
    <div className="safe-top safe-x-3 pointer-events-none absolute inset-x-0 top-3 flex items-center gap-2">
      <Dialog.Close aria-label={t('common.close')} className={round}>
        <X />
      </Dialog.Close>
      {position && (
        <p className="rounded-full bg-black/50 px-3 py-2 text-sm font-semibold text-white tabular-nums backdrop-blur-sm">
          {position}
        </p>
      )}
      <span className="flex-1" />
      {canShare && onShare && (
        <RoundButton label={t('photo.share')} onClick={onShare}>
          <Share2 className="size-5.5" />
        </RoundButton>
      )}
      {children}
    </div>
  )
}

/** A button over a picture, with just an icon; its label is its accessible name. */
export const RoundButton = ({ label, ...rest }: ComponentProps<'button'> & { label: string }) => (
  <button {...rest} type="button" className={round} aria-label={label} title={label} />
)
