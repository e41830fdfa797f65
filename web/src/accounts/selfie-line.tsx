import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Camera } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react'
import { api } from '../app/net/client.ts'
import { ours } from '../app/public-path.ts'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say, sayProblem } from '../ui/layers/toasts.ts'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { type Account, accountKey, useAccount } from './queries.ts'

/** Elsewhere the camera is a window of the browser's, or missing. */
const hasCamera = matchMedia('(pointer: coarse)').matches
const place = () => `${ours}.selfie.${session.get()?.userId}`

/** Asks who has just joined for a picture of themselves, once, and offers what follows then; who skips it keeps their initials. */
export const SelfieLine = ({ children }: { children?: ReactNode }) => {
  const { t } = useWords()
  const account = useAccount()
  const camera = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const [isAnswered, setAnswered] = useState(() => localStorage.getItem(place()) !== null)
  const answered = () => {
    localStorage.setItem(place(), 'yes')
    setAnswered(true)
  }
  const { save, choose } = useSelfie(account, answered)
  if (!account) return null
  if (isAnswered || !account.user_avatar_url.includes('/media/initials/')) return children
  const chooser = { type: 'file', accept: 'image/*,.heic,.heif', hidden: true, onChange: choose } as const
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-2 flex items-center gap-3">
        <Avatar src={account.user_avatar_url} size={44} />
        <span className="min-w-0 text-pretty">{t('selfie.ask')}</span>
      </legend>
      <input {...chooser} ref={camera} capture="user" data-selfie />
      <input {...chooser} ref={files} />
      <div className="flex flex-wrap gap-2">
        {hasCamera && (
          <Button
            size="small"
            look="quiet"
            busy={save.isPending}
            icon={<Camera className="size-4.5" />}
            onClick={() => camera.current?.click()}
          >
            {t('selfie.take')}
          </Button>
        )}
        <Button size="small" look="quiet" busy={!hasCamera && save.isPending} onClick={() => files.current?.click()}>
          {t('picture.choose')}
        </Button>
        <Button size="small" look="bare" onClick={answered}>
          {t('installed.notNow')}
        </Button>
      </div>
    </fieldset>
  )
}

const useSelfie = (account: Account | undefined, onSaved: () => void) => {
  const { t } = useWords()
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (picture: File) => api.accounts.updateAccount(withPicture(account as Account, picture)),
    onSuccess(updated) {
      client.setQueryData(accountKey, updated)
      onSaved()
      say(t('selfie.done'))
    },
    onError: sayFailure,
  })
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const picture = target.files?.[0]
    target.value = ''
    if (!picture) return
    const { tooBig } = await import('../app/net/upload-limits.ts')
    const problem = await tooBig(picture, 'attachment')
    if (problem) sayProblem(problem)
    else save.mutate(picture)
  }
  return { save, choose }
}

/** Everything else stays as it is; a guest may have no last name. */
const withPicture = (account: Account, profile_picture: File) => ({
  user_first_name: account.user_first_name,
  user_middle_name: account.user_middle_name,
  ...(account.user_last_name && { user_last_name: account.user_last_name }),
  user_username: account.user_username,
  user_email: account.user_email,
  profile_picture,
  profile_picture_updated: true,
})
