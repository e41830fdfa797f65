import type { PushMessage } from '../../src/platform/push/message.ts'

/** A push as chat notifications write it. */
export const pushMessage = (changed: Partial<PushMessage> = {}): PushMessage => ({
  id: '31',
  kind: 'message',
  title: 'Summer party',
  body: 'Noor: who brings the lanterns?',
  link: '/chats/7',
  tag: 'chat-7',
  ...changed,
})
