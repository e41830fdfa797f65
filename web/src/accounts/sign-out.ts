import { api } from '../app/client.ts'
import { forgetReturnKey } from '../app/return-keys.ts'
import { end, session } from '../app/session.ts'

/** Ends this session and removes everything of it from the browser, even if the service is unreachable. */
export const signOut = async () => {
  const userId = session.get()?.userId
  await Promise.race([api.accounts.logout({}), new Promise(resolve => setTimeout(resolve, 3000))]).catch(() => {})
  end()
  if (userId !== undefined) forgetReturnKey(userId)
  const [{ forgetUnsent }, { forgetLinks }] = await Promise.all([
    import('../app/persisted-cache.ts'),
    import('../app/join-code.ts'),
  ])
  forgetLinks()
  if (userId !== undefined) await forgetUnsent(userId)
}
