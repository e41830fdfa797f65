// node tour.js <base URL>: two people, an event, a join request, a message, in plain JavaScript.
import { randomUUID } from 'node:crypto'
import { AfterglowError, afterglow } from '@afterglow/sdk'

const [baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const page = { page: 1, page_length: 10 }

const register = async name => {
  const username = `${name}.${randomUUID().slice(0, 8)}`
  const { token, user } = await afterglow({ baseUrl }).accounts.register({
    user_first_name: name,
    user_last_name: 'Tour',
    user_username: username,
    user_email: `${username}@example.com`,
    user_password: 'a long password',
    user_password_confirmation: 'a long password',
    user_login_option_type: 1,
    device_id: randomUUID(),
    user_timezone: 'Europe/Madrid',
    user_device_platform: 'web',
  })
  return { api: afterglow({ baseUrl, token }), id: user.id }
}

const olivia = await register('Olivia')
const gus = await register('Gus')

const event = await olivia.api.events.saveEvent({
  event_name: 'Lanterns on the lake',
  event_starts_at: '2030-06-21T20:00:00Z',
})
await gus.api.events.askToJoin({ event_id: event.id })
const { data: waiting } = await olivia.api.events.listJoinRequests({ event_id: event.id, ...page })
if (waiting.length > 0) await olivia.api.events.approveJoinRequest({ event_id: event.id, user_id: gus.id })

// Chosen before the first try: a repeat after a lost answer is the same message.
const idempotencyKey = randomUUID()
const asked = { group_chat_id: event.group_chat_id, message_content: 'On my way!' }
const message = await gus.api.chats.saveMessage(asked, { idempotencyKey })
const again = await gus.api.chats.saveMessage(asked, { idempotencyKey })
await olivia.api.chats.reactToMessage({ message_id: Number(message.id), message_reaction: '🎉' })

const { data: messages } = await olivia.api.chats.listMessages({ group_chat_id: event.group_chat_id, ...page })
console.log(
  `${messages[0].user.user_first_name}: ${messages[0].message_content} ${messages[0].reactions[0].message_reaction}`,
)
console.log(`sent twice, there once: ${again.id === message.id && messages.length === 1}`)

try {
  await gus.api.chats.readChat({ group_chat_id: 999_999_999 })
} catch (error) {
  if (!(error instanceof AfterglowError)) throw error
  console.log(`refused: ${error.status} ${error.code}`)
}
await olivia.api.events.deleteEvent({ event_id: event.id })
