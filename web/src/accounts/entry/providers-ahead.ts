import { queryClient } from '../../app/cache/query.ts'
import { providersQuery } from '../../people/registration.ts'

const waitsMs = 700

/**
 * Loads the providers together with the page that shows them, so that nothing moves; a slow answer is not waited for.
 */
export const providersAhead = async (): Promise<void> => {
  await Promise.race([queryClient.prefetchQuery(providersQuery), new Promise(resolve => setTimeout(resolve, waitsMs))])
}
