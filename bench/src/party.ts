import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiRequest, chatPage, messageTo } from './people.ts'
import type { Guest, Phones } from './phones.ts'
import { oneOf } from './statistics.ts'

/*
 * People at a party, each figure rounded up, so that the crowd is busier than published. They look at the phone once in
 * ten minutes (Asurion, 2019: 96 times a day), here always at this app, and write one to three messages in half of all
 * looks, six an hour (WhatsApp, October 2020: 100 billion messages a day among 2 billion people, three an hour awake).
 * Three photos in an evening of five hours and the other shares are our own assumptions.
 */
export const model = {
  peopleAnEvent: 50,
  lookEverySeconds: 600,
  /** How long the app stays open. */
  lookSeconds: 60,
  /** The share of looks with messages, and the most messages per look. */
  writes: 0.5,
  messagesWhenWriting: 3,
  reacts: 0.3,
  scrollsBack: 0.3,
  opensAlbum: 0.5,
  uploads: 0.1,
}

type PartyOptions = { phones: Phones; random: () => number; unseen(guest: Guest): ApiRequest }

/** Simulates everybody for some time; their phases are spread evenly over the pause between looks. */
export const simulateParty = async (guests: readonly Guest[], seconds: number, watched: PartyOptions) => {
  const endsAt = performance.now() + seconds * 1000
  await Promise.all(
    guests.map(async guest => {
      let wait = watched.random() * model.lookEverySeconds
      while (performance.now() + wait * 1000 < endsAt) {
        await sleep(wait * 1000)
        await watched.phones.try(() => look(guest, watched))
        wait = model.lookEverySeconds * (0.5 + watched.random())
      }
    }),
  )
  await sleep(Math.max(0, endsAt - performance.now()))
}

/** One look at the phone, from opening the app to putting it away. */
const look = async (guest: Guest, { phones, random, unseen }: PartyOptions) => {
  const { token, chat } = guest
  const dwell = (share: number) => sleep(model.lookSeconds * 1000 * share * random())
  const put = (act: string, path: string, json?: unknown) => phones.asked(act, { method: 'PUT', path, token, json })
  const socket = await phones.listen(token)
  try {
    await put('read', '/api/realtime/ping')
    await phones.asked('read', { path: '/api/message/group/list?page=1&page_length=20&include=extra', token })
    await dwell(0.1)
    const messages = (await phones.asked('read', chatPage(chat, token))).data as { id: string }[]
    if (messages[0]) await put('send', `/api/message/seen/${messages[0].id}`)
    await dwell(0.4)
    if (random() < model.scrollsBack) await phones.asked('read', chatPage(chat, token, 2))
    if (messages[0] && random() < model.reacts)
      await put('send', `/api/message/react/${oneOf(messages, random).id}`, { message_reaction: '🎉' })
    if (random() < model.writes)
      for (let left = 1 + Math.floor(random() * model.messagesWhenWriting); left > 0; left--) {
        await dwell(0.2)
        await phones.asked('send', messageTo(chat, token))
      }
    if (random() < model.opensAlbum) await phones.read(guest, 50)
    if (random() < model.uploads) await phones.asked('upload', unseen(guest))
    await dwell(0.3)
    await put('read', '/api/realtime/disconnect')
  } finally {
    socket.destroy()
  }
}
