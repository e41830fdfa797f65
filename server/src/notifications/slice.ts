import { merged, type Needs, type Slice } from '../slice.ts'
import { eraseNotifications, forgetMentions } from './account-deletion.ts'
import { showNotifications } from './channel-payloads.ts'
import { acknowledgeUpTo, markAcknowledged } from './delivery/deliveries-store.ts'
import { digestTasks } from './digest/digest.ts'
import { openNotifications } from './engine.ts'
import { notificationExport } from './export.ts'
import { setDefaultLanguage } from './readers-store.ts'
import { notificationRoutes } from './routes.ts'
import { notificationSettingsRoutes } from './settings/settings-routes.ts'
import { openUnsubscribeCodes, unsubscribeRoutes } from './unsubscribe.ts'

export const notifications: Slice = {
  name: 'notifications',
  tables: {
    deliveries: { kept: 'goes with its notification' },
    event_notification_settings: { kept: 'what people chose' },
    mail_digests: { kept: 'one a person' },
    notification_settings: { kept: 'one a person' },
    notifications: { since: 'updated_hour', lives: '90 days' },
    push_addresses: { kept: 'one a device, and goes with it' },
    ring_budgets: { kept: 'one a person' },
  },
  exports: notificationExport,
  deletion: { withName: forgetMentions, traces: eraseNotifications },
  schedule: [{ task: 'digest', every: '1 hour', after: '7 minutes' }],
  channel: (_, { background, log }) =>
    showNotifications({ acknowledge: pairs => markAcknowledged(background, pairs), log }),
  gives: () => ({ acknowledgeUpTo }),
  open(
    parts: Needs<
      | 'areAcquainted'
      | 'background'
      | 'blockedWith'
      | 'config'
      | 'db'
      | 'holdEvents'
      | 'log'
      | 'mailer'
      | 'picturesOf'
      | 'presence'
      | 'push'
      | 'secrets'
      | 'serve'
      | 'server'
      | 'slices'
    >,
  ) {
    const { server, serve, background, config, slices, presence, mailer, log } = parts
    setDefaultLanguage(config.defaultLanguage)
    const engine = openNotifications({
      ...parts,
      db: background,
      noticing: merged(slices, 'notifications'),
      activeDevices: presence.activeOf,
      strict: config.push.strict,
    })
    notificationRoutes(serve)
    notificationSettingsRoutes(serve, { privatePushOrigins: config.push.privateOrigins })
    const codes = openUnsubscribeCodes(parts.secrets.media.key)
    unsubscribeRoutes(server, { db: parts.db, codes })
    // Where no mail is sent, no address is verified.
    const publicUrl = config.mail.provesAddresses ? config.publicUrl : null
    const digests = digestTasks({ db: background, mailer, codes, publicUrl, log })
    return { tasks: { ...engine.tasks, ...digests }, close: engine.close }
  },
}
