import { FolderUp } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { chooseFolder, type Intake } from './intake.ts'

/** Chooses a folder with all its contents. */
export const FolderButton = ({ onTake }: { onTake(taken: Intake): void }) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      aria-label={t('gallery.folder')}
      title={t('gallery.folder')}
      className={buttonClass('soft', 'large', 'w-14 shrink-0 px-0 shadow-float')}
      onClick={() => void chooseFolder().then(onTake)}
    >
      <FolderUp className="size-6 shrink-0" />
    </button>
  )
}
