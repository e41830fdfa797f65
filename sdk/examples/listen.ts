import { afterglow } from '@afterglow/sdk'
import { connect } from '@afterglow/sdk/realtime'

const [token = '', baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const api = afterglow({ baseUrl, token })
const channel = connect({ baseUrl, token })
const say = (words: string) => console.log(words)

channel.when('live', () => void api.accounts.ping().then(() => say('The app is active. Enter makes it inactive.')))
process.stdin.on('data', () => void api.accounts.disconnect().then(() => say('The app is inactive.')))
channel.on('notification.created', rung => say(`Rings: ${rung.notification_title}: ${rung.notification_body}`))
channel.on('message.created', () => setTimeout(trace, 1000))

async function trace() {
  const { data } = await api.notifications.listNotifications({ page: 1, page_length: 1 })
  const { deliveries } = await api.notifications.traceNotification({ notification_id: data[0]?.id ?? 0 })
  for (const { way, state, reason } of deliveries) say(`Trace: ${way}, ${state}: ${reason}`)
}
