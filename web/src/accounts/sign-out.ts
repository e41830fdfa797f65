import { api } from '../app/net/client.ts'
import { end, session } from '../app/session.ts'
import { forgetReturnKey } from '../app/storage/return-keys.ts'

/** Ends this session and removes everything of it from the browser, even if the service is unreachable. */
export const signOut = async () => {
  const userId = session.get()?.userId
  await Promise.race([api.accounts.logout({}), new Promise(resolve => setTimeout(resolve, 3000))]).catch(() => {})
  end()
  if (userId !== undefined) forgetReturnKey(userId)
  const [{ forgetUnsent }, { forgetLinks }] = await Promise.all([
    import('../app/cache/persisted-cache.ts'),
    import('../app/storage/join-code.ts'),
  ])
  forgetLinks()
  if (userId !== undefined) await forgetUnsent(userId)
}
