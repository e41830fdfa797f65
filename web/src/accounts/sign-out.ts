import { api } from '../app/client.ts'
import { queryClient } from '../app/query.ts'
import { end } from '../app/session.ts'

/** Ends this session and removes everything of it from the browser, even if the service is unreachable. */
export const signOut = async () => {
  await Promise.race([api.accounts.logout({}), new Promise(resolve => setTimeout(resolve, 3000))]).catch(() => {})
  end()
  const [{ forgetAll }, { forgetLinks }] = await Promise.all([import('../app/kept.ts'), import('../app/came-by.ts')])
  forgetLinks()
  await forgetAll(queryClient)
}
