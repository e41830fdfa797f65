import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { session } from '../app/session.ts'
import { useStore } from '../app/store.ts'

/** The sign-in providers of this service, and who may create an account here. */
export const providersQuery = queryOptions({ queryKey: ['providers'], queryFn: () => api.providers.listProviders() })

/** Everybody until it is known. */
export const useRegistration = () => useQuery(providersQuery).data?.registration ?? 'open'

/** True if the viewer may create events: guests may only if accounts are open to everybody. */
export const useMayMakeEvents = (): boolean => {
  const guest = useStore(session)?.guest ?? false
  const { data } = useQuery({ ...providersQuery, enabled: guest })
  return !guest || data?.registration === 'open'
}
