import { isLasting } from '@afterglow/sdk/methods'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetUnsent } from '../app/cache/persisted-cache.ts'
import { api } from '../app/net/client.ts'
import { end } from '../app/session.ts'
import { forgetReturnKey } from '../app/storage/return-keys.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { reasonOf } from '../ui/failure.ts'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { Switch } from '../ui/switch.tsx'
import { CurrentPasswordField } from './account-fields.tsx'
import { guestStatus } from './account-hint.tsx'
import { left } from './deleted-account.ts'
import { ownAccountType } from './entry/login-options.ts'
import { ProviderButtons } from './entry/provider-buttons.tsx'
import type { Account } from './queries.ts'

/** Asks for confirmation, and for the password if there is one; otherwise the service may require a fresh sign-in. */
export const DeleteDialog = ({ account, onClose }: { account: Account; onClose(): void }) => {
  const { t } = useWords()
  const [erases, setErases] = useState(false)
  const types = account.user_login_options.map(option => option.user_login_option_type)
  const hasPassword = types.includes(ownAccountType)
  const guest = account.user_status === guestStatus
  const leave = useMutation({
    mutationFn: (form: FormData) =>
      api.privacy.deleteAccount({
        erase_content: erases,
        ...(hasPassword && { user_password: formText(form, 'user_password') }),
      }),
    onSuccess: async ({ erased_after }) => {
      left({ userId: account.id, until: erased_after, returns: !guest })
      end()
      forgetReturnKey(account.id)
      await forgetUnsent(account.id)
    },
  })
  const proveAgain = !hasPassword && leave.isError && isLasting(leave.error)
  const problem = leave.error && (hasPassword && isLasting(leave.error) ? t('leaving.wrong') : reasonOf(leave.error))
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('leaving.ask')}
      about={guest ? t('leaving.aboutGuest') : t('leaving.about')}
    >
      <form onSubmit={useForm(leave.mutate)} className="grid gap-3">
        <FormProblem text={proveAgain ? t('leaving.signInAgain') : (problem ?? undefined)} />
        <Switch label={t('leaving.content')} hint={t('leaving.contentHint')} checked={erases} onChange={setErases} />
        {hasPassword && <CurrentPasswordField name="user_password" />}
        {proveAgain ? (
          <ProviderButtons next="/settings/account" only={types} alternative={false} />
        ) : (
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            <Button look="quiet" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button look="danger" type="submit" busy={leave.isPending}>
              {t('leaving.act')}
            </Button>
          </div>
        )}
      </form>
    </Dialog>
  )
}
