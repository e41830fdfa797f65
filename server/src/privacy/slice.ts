import { limited } from '../platform/jobs/jobs.ts'
import type { Needs, Slice } from '../slice.ts'
import { eraseDueAccounts } from './delete-accounts.ts'
import { eraseDuplicate } from './duplicate-accounts.ts'
import { expireExports, makeExport, privacyNoticing } from './exports.ts'
import { privacyRoutes } from './routes.ts'

export const privacy: Slice = {
  name: 'privacy',
  tables: { account_exports: { since: 'expires_at', lives: '0', prunedBy: 'its slice' } },
  notifications: privacyNoticing,
  schedule: [{ task: 'eraseAccounts', every: '1 hour', after: '17 minutes', lane: 'eraseAccounts' }],
  open(
    parts: Needs<
      | 'background'
      | 'demandFreeDisk'
      | 'fullSizes'
      | 'limits'
      | 'mailer'
      | 'numbers'
      | 'presence'
      | 'serve'
      | 'slices'
      | 'storage'
    >,
  ) {
    const { serve, background, storage, slices, numbers, demandFreeDisk } = parts
    privacyRoutes(serve, { ...parts, room: { quotas: numbers, demandFreeDisk } })
    const exported = slices.flatMap(slice => slice.exports ?? [])
    return {
      tasks: {
        eraseTwin: limited({ minutes: 30 }, ({ id }: { id: number }) =>
          eraseDuplicate(background, { ...parts, exported }, id),
        ),
        eraseAccounts: limited({ minutes: 60 }, () => eraseDueAccounts(background, slices, parts)),
        exportAccount: limited({ minutes: 120 }, ({ id }: { id: number }) =>
          makeExport(background, storage, exported, id),
        ),
      },
      prunes: {
        async account_exports() {
          await expireExports(background)
          return false
        },
      },
    }
  },
}
