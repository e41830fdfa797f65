import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { sayFailure } from '../../ui/failure.ts'
import { Switch } from '../../ui/switch.tsx'

const key = ['seen-settings'] as const

/** Whether people share what they have read. */
export const SeenSwitch = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: key, queryFn: () => api.privacy.readSeenSettings(), staleTime: 0 })
  const save = useMutation({
    mutationFn: (seen_shown: boolean) => api.privacy.saveSeenSettings({ seen_shown }),
    onSuccess: saved => {
      client.setQueryData(key, saved)
      return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== key[0] })
    },
    onError: sayFailure,
  })
  if (!data) return null
  const shown = save.isPending ? save.variables : data.seen_shown
  return <Switch label={t('settings.seen')} hint={t('settings.seenHint')} checked={shown} onChange={save.mutate} />
}
