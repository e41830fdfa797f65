import { urlsFor } from '../platform/http/urls.ts'
import { merged, type Slice } from '../slice.ts'
import { eraseNotifications, forgetMentions } from './account-deletion.ts'
import { pruneChanges } from './changes-store.ts'
import { digestTasks } from './digest.ts'
import { openNotifications } from './engine.ts'
import { notificationExport } from './export.ts'
import { anyHolder } from './fan-out.ts'
import type { Showing } from './payloads.ts'
import { speakByDefault } from './readers-store.ts'
import { openRealtime } from './realtime.ts'
import { realtimeRoutes } from './realtime-routes.ts'
import { notificationRoutes } from './routes.ts'
import { openSessionEnds } from './session-ends.ts'
import { openUnsubscribeCodes, unsubscribeRoutes } from './unsubscribe.ts'

export const notifications: Slice = {
  name: 'notifications',
  tables: {
    change_log: { kept: 'one row' },
    changes: { since: 'created_at', lives: '7 days', inOrderOf: 'id', prunedBy: 'its slice' },
    deliveries: { kept: 'goes with its notification' },
    event_notification_settings: { kept: 'what people chose' },
    mail_digests: { kept: 'one a person' },
    notification_settings: { kept: 'one a person' },
    notifications: { since: 'updated_hour', lives: '90 days' },
    push_addresses: { kept: 'one a device, and goes with it' },
    ring_budgets: { kept: 'one a person' },
    unnotified_changes: { kept: 'goes with its change' },
  },
  exports: notificationExport,
  deletion: { withName: forgetMentions, traces: eraseNotifications },
  schedule: [{ task: 'digest', every: '1 hour', after: '7 minutes' }],
  async open(parts) {
    const { server, serve, serveOpen, background, channelDb, config, slices, sessions, presence, mailer, log } = parts
    speakByDefault(config.defaultLanguage)
    const engine = openNotifications({
      ...parts,
      db: background,
      noticing: merged(slices, 'notifications'),
      activeDevices: presence.activeOf,
      strict: config.push.strict,
    })
    const showing: Showing = Object.assign({}, engine.showing, ...slices.map(slice => slice.channel?.(slices)))
    const sessionEnds = openSessionEnds(channelDb, sessions, log)
    const realtime = await openRealtime({
      ...parts,
      others: parts.shared ?? parts.neighbours,
      server: server.server,
      db: channelDb,
      showing,
      holding: parts.signer.holding,
      urlsFor: origin => urlsFor(origin, parts.signer.sign, anyHolder),
      findSession: sessions.findNow,
    })
    realtimeRoutes(serve, serveOpen, { ...parts, showing })
    notificationRoutes(serve, { privatePushOrigins: config.push.privateOrigins })
    const codes = openUnsubscribeCodes(parts.secrets.media.key)
    unsubscribeRoutes(server, { db: parts.db, codes })
    // Where no mail is sent, no address is verified.
    const publicUrl = config.mail.provesAddresses ? config.publicUrl : null
    const digests = digestTasks({ db: background, mailer, codes, publicUrl, log })
    return {
      gives: { realtime },
      tasks: { ...engine.tasks, ...digests },
      prunes: { changes: () => pruneChanges(background) },
      stop: realtime.close,
      async close() {
        await engine.close()
        await sessionEnds.close()
      },
    }
  },
}
