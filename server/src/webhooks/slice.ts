import { openChosenHosts } from '../platform/push/web-push/chosen-hosts.ts'
import type { Slice } from '../slice.ts'
import { openDeliverySender } from './delivery-sender.ts'
import { openDeliveryWriter } from './delivery-writer.ts'
import { webhookNoticing } from './notification-templates.ts'
import { endOrphaned } from './orphaned-webhooks.ts'
import { webhookRoutes } from './routes.ts'
import { openSigning } from './signature.ts'
import { deleteWebhooksOf } from './store.ts'

export const webhooks: Slice = {
  name: 'webhooks',
  tables: {
    webhooks: { kept: 'a few an event' },
    webhook_deliveries: { since: 'created_at', lives: '7 days' },
    webhook_trickles: { since: 'hour', lives: '1 day' },
  },
  deletion: { traces: endOrphaned },
  erasesEvent: deleteWebhooksOf,
  notifications: webhookNoticing,
  open({ serve, background, config, secrets, log }) {
    const hosts = openChosenHosts({ privateOrigins: config.webhookPrivateOrigins })
    const signing = openSigning(secrets.media.key)
    const taking = openDeliveryWriter(background, log)
    const sending = openDeliverySender({ db: background, hosts, signing, log })
    webhookRoutes(serve, { hosts, signing, taking })
    return {
      tasks: { sendWebhook: sending.send },
      async stop() {
        sending.stop()
        await taking.close()
      },
    }
  },
}
