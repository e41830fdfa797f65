import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { closeTop } from '../../app/router/history.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { dismiss, toasts } from './toasts.ts'

/** Shows recent messages for a moment. */
export const Toaster = () => {
  const { t } = useWords()
  const shown = useStore(toasts)
  return (
    <Toast.Provider
      duration={6000}
      label={t('common.notice')}
      swipeDirection={document.documentElement.dir === 'rtl' ? 'left' : 'right'}
    >
      {shown.map(({ id, text, bad, action, lasts }) => (
        <Toast.Root
          key={id}
          duration={lasts ? Number.POSITIVE_INFINITY : undefined}
          onOpenChange={open => !open && dismiss(id)}
          // The toast is the most recent of all layers that Escape closes: a dialog would stay behind it.
          onEscapeKeyDown={event => closeTop() && event.preventDefault()}
          className="flex animate-rise items-center gap-2 rounded-2xl bg-ink py-2 ps-4 pe-2 text-paper shadow-float data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          <Toast.Description className="flex-1 py-1 text-sm font-medium">
            {bad && <span className="sr-only">{t('common.problem')} </span>}
            {text}
          </Toast.Description>
          {action && (
            <Toast.Action
              altText={action.label}
              onClick={action.act}
              className="rounded-full px-3 py-2 text-sm font-semibold underline underline-offset-3"
            >
              {action.label}
            </Toast.Action>
          )}
          <Toast.Close
            aria-label={t('common.close')}
            className="grid size-9 place-items-center rounded-full opacity-80"
          >
            <X className="size-4.5" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="fixed inset-x-3 bottom-[calc(9.25rem+var(--pill))] z-60 mx-auto grid max-w-md gap-2 outline-none lg:bottom-22" />
    </Toast.Provider>
  )
}
