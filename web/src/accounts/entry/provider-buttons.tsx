import { useMutation } from '@tanstack/react-query'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { useProviders } from '../queries.ts'
import { ProviderMark } from './provider-mark.tsx'
import { beginWithProvider, type ReturnPage } from './provider-sign-in.ts'

type Props = {
  /** Where the provider's answer is handled, and where that leads. */
  to?: ReturnPage
  next?: string | undefined
  /** Only these types. */
  only?: readonly number[]
  /** There is another way above. */
  alternative?: boolean
}

/** The sign-in providers of this service; nothing if it has none. */
export const ProviderButtons = ({ to = '/sign-in/provider', next, only, alternative = true }: Props) => {
  const { t } = useWords()
  const go = useMutation({ mutationFn: (type: number) => beginWithProvider(type, { to, next }), onError: sayFailure })
  const providers = useProviders().filter(({ user_login_option_type: type }) => !only || only.includes(type))
  if (providers.length === 0) return null
  return (
    <div className="grid gap-2">
      {alternative && (
        <p className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t('provider.or')}
        </p>
      )}
      {providers.map(({ user_login_option_type: type, user_login_option_name: name }) => (
        <Button
          key={type}
          look="quiet"
          icon={<ProviderMark type={type} />}
          busy={go.isPending && go.variables === type}
          onClick={() => go.mutate(type)}
        >
          {t('provider.with', { name })}
        </Button>
      ))}
    </div>
  )
}
