import { useMutation } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { pathHere } from '../app/public-path.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { reasonOf } from '../ui/failure.ts'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { CurrentPasswordField } from './account-fields.tsx'
import { ownAccountType } from './entry/login-options.ts'
import { ProviderButtons } from './entry/provider-buttons.tsx'
import { useAccount } from './queries.ts'

type Props = { onProven(): void; onClose(): void }

/** Asks for the password, or, if there is none, for a fresh sign-in, which returns to this page. */
export const ProofDialog = ({ onProven, onClose }: Props) => {
  const { t } = useWords()
  const types = useAccount()?.user_login_options.map(option => option.user_login_option_type) ?? []
  const prove = useMutation({
    mutationFn: (form: FormData) => api.accounts.proveAccount({ user_password: formText(form, 'user_password') }),
    onSuccess: onProven,
  })
  const onSubmit = useForm(prove.mutate)
  const hasPassword = types.includes(ownAccountType)
  return (
    <Dialog open onClose={onClose} title={t('proof.title')} about={hasPassword ? t('proof.about') : t('proof.signIn')}>
      {hasPassword ? (
        <form onSubmit={onSubmit} className="grid gap-3">
          <FormProblem text={prove.error ? reasonOf(prove.error) : undefined} />
          <CurrentPasswordField name="user_password" />
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            <Button look="quiet" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" busy={prove.isPending}>
              {t('proof.act')}
            </Button>
          </div>
        </form>
      ) : (
        <ProviderButtons next={pathHere()} only={types} alternative={false} />
      )}
    </Dialog>
  )
}
