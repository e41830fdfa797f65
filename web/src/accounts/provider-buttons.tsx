import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failing.ts'
import { beginWithProvider } from './provider-sign-in.ts'

/** What this service takes besides a password; nothing where it takes nothing else. */
export const ProviderButtons = ({ next }: { next: string | undefined }) => {
  const { t } = useWords()
  const { data } = useQuery({ queryKey: ['providers'], queryFn: () => api.providers.listProviders() })
  const go = useMutation({ mutationFn: (type: number) => beginWithProvider(type, next), onError: sayFailure })
  // Without HTTPS a browser makes no SHA-256, by which the sign-in is tied to this browser.
  const providers = crypto.subtle ? (data?.providers.filter(({ browser }) => browser) ?? []) : []
  if (providers.length === 0) return null
  return (
    <div className="grid gap-2.5">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('provider.or')}
      </p>
      {providers.map(({ user_login_option_type: type, user_login_option_name: name }) => (
        <Button key={type} look="quiet" busy={go.isPending && go.variables === type} onClick={() => go.mutate(type)}>
          {t('provider.with', { name })}
        </Button>
      ))}
    </div>
  )
}
