import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { providersQuery } from '../people/registration.ts'

export const accountKey = ['account'] as const

export const accountQuery = queryOptions({
  queryKey: accountKey,
  queryFn: () => api.accounts.readAccount(),
  // The channel does not announce what somebody changed on another device, such as sign-in methods.
  staleTime: 0,
})
export const useAccount = () => useQuery(accountQuery).data

export type Account = Awaited<ReturnType<typeof api.accounts.readAccount>>

export type Provider = Awaited<ReturnType<typeof api.providers.listProviders>>['providers'][number]

/** Those usable from a browser. Without HTTPS there is no SHA-256, which ties the sign-in to this browser. */
export const useProviders = (): Provider[] => {
  const { data } = useQuery(providersQuery)
  return crypto.subtle ? (data?.providers.filter(({ browser }) => browser) ?? []) : []
}

export const exportsKey = ['export'] as const
const whileWaitingMs = 2_500

export type Export = Awaited<ReturnType<typeof api.privacy.exportAccount>>

/** The newest export that has not expired; null: none. */
export const latestExportQuery = queryOptions({
  queryKey: exportsKey,
  queryFn: async ({ signal }) =>
    (await api.privacy.listExports({ page: 1, page_length: 1 }, { signal })).data[0] ?? null,
  // Its link is only valid for hours.
  staleTime: 0,
  refetchInterval: query => (query.state.data?.export_state === 'waiting' ? whileWaitingMs : false),
})
