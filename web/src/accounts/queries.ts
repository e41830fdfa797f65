import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../app/client.ts'

export const accountKey = ['account'] as const

export const accountQuery = queryOptions({ queryKey: accountKey, queryFn: () => api.accounts.readAccount() })
export const useAccount = () => useQuery(accountQuery).data

export type Account = Awaited<ReturnType<typeof api.accounts.readAccount>>
