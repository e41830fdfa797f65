/* What the app does, with whatever keeps texts handed in: it runs on a phone as it runs in Node. */
import { type Afterglow, afterglow } from '@afterglow/sdk'
import { type OutboxStorage, openOutbox, type Waiting } from '@afterglow/sdk/outbox'
import { connect } from '@afterglow/sdk/realtime'
import { type FileSource, type UrlStorage, uploadPhoto } from '@afterglow/sdk/upload'

/** Texts under names, as AsyncStorage keeps them. */
export type Texts = {
  getItem(name: string): Promise<string | null>
  setItem(name: string, text: string): Promise<void>
  removeItem(name: string): Promise<void>
  getAllKeys(): Promise<readonly string[]>
}
export type Session = { baseUrl: string; token: string; userId: number; fetch?: typeof fetch }
export type Message = Awaited<ReturnType<Afterglow['chats']['saveMessage']>>
export type Line = Waiting & { words: string }
export type Device = { id: string; platform: string; timezone: string }

export const signIn = async (
  baseUrl: string,
  { login, password }: { login: string; password: string },
  device: Device,
): Promise<Session> => {
  const { token, user } = await afterglow({ baseUrl }).accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: login,
    user_password: password,
    device_id: device.id,
    user_timezone: device.timezone,
    user_device_platform: device.platform,
  })
  return { baseUrl, token, userId: user.id }
}

/** All texts whose names begin so, read as JSON. */
const allOf = async <Kept>(texts: Texts, begin: string) => {
  const names = (await texts.getAllKeys()).filter(name => name.startsWith(begin))
  const all = await Promise.all(names.map(async name => ({ name, text: await texts.getItem(name) })))
  return all.flatMap(({ name, text }) => (text === null ? [] : [{ name, kept: JSON.parse(text) as Kept }]))
}

const linesIn = (texts: Texts, begin: string): OutboxStorage<Line> => ({
  all: async () => (await allOf<Line>(texts, begin)).map(({ kept }) => kept),
  put: line => texts.setItem(`${begin}${line.at}`, JSON.stringify(line)),
  remove: at => texts.removeItem(`${begin}${at}`),
})

export type Shown = { messages: readonly Message[]; waiting: readonly Line[] }
/** What was seen, and the cursor that it goes up to: together a moment that one can go on from. */
type Seen = { messages: readonly Message[]; cursor: string }

/** One chat: what it holds, what comes, and what is on its way. It opens without a network and outlives the app. */
export const openChat = async (
  session: Session,
  group_chat_id: number,
  texts: Texts,
  onChange: (shown: Shown) => void,
) => {
  const api = afterglow(session)
  const place = `afterglow.${session.userId}.${group_chat_id}`
  const seen = JSON.parse((await texts.getItem(`${place}.seen`)) ?? 'null') as Seen | null
  let messages = seen?.messages ?? []
  let waiting: readonly Line[] = []
  const show = () => onChange({ messages, waiting })

  const outbox = openOutbox<Line>({
    storage: linesIn(texts, `${place}.line.`),
    send: async ({ words, key }) =>
      take(await api.chats.saveMessage({ group_chat_id, message_content: words }, { idempotencyKey: key })),
    onChange: now => {
      waiting = now
      show()
    },
  })

  /** What came while the newest page was being loaded: that page may be older. */
  let since: Message[] | undefined
  const take = (message: Message) => {
    since?.push(message)
    const known = messages.some(({ id }) => id === message.id)
    messages = known ? messages.map(each => (each.id === message.id ? message : each)) : [...messages, message]
    show()
  }
  let whole = seen !== null
  const load = async () => {
    since = []
    const { data } = await api.chats.listMessages({ group_chat_id, page: 1, page_length: 50 })
    const meanwhile = since
    since = undefined
    messages = data.reverse()
    for (const message of meanwhile) take(message)
    whole = true
    show()
  }
  const keep = async () => {
    const { cursor } = channel
    if (cursor) await texts.setItem(`${place}.seen`, JSON.stringify({ messages: messages.slice(-50), cursor }))
  }

  const channel = connect(session, seen ? { cursor: seen.cursor } : {})
  for (const kind of ['message.created', 'message.updated', 'message.deleted'] as const)
    channel.on(kind, message => {
      if (message.group_chat_id !== String(group_chat_id)) return
      take(message)
      if (whole) void keep()
    })
  channel.when('stale', () => {
    whole = false
  })
  channel.when('live', () => {
    outbox.wake()
    // Where it fails the connection breaks too, or the next one loads it.
    void (whole ? keep() : load().then(keep)).catch(() => {})
  })

  show()
  await outbox.load()
  return {
    say: (words: string) => outbox.post({ chatId: group_chat_id, words }),
    sendAgain: outbox.sendAgain,
    discard: outbox.discard,
    close() {
      channel.close()
      outbox.close()
    },
  }
}

/** Where uploads are remembered that a restarted app goes on with. */
const uploadsIn = (texts: Texts): UrlStorage => {
  type Upload = Parameters<UrlStorage['addUpload']>[1]
  const begin = 'afterglow.upload.'
  const all = async () =>
    (await allOf<Upload & { fingerprint: string }>(texts, begin)).map(({ name, kept }) => ({
      ...kept,
      urlStorageKey: name,
    }))
  return {
    findAllUploads: all,
    findUploadsByFingerprint: async wanted => (await all()).filter(({ fingerprint }) => fingerprint === wanted),
    removeUpload: name => texts.removeItem(name),
    async addUpload(fingerprint, upload) {
      const name = `${begin}${Date.now()}`
      await texts.setItem(name, JSON.stringify({ ...upload, fingerprint }))
      return name
    },
  }
}

export const bringPhoto = (
  session: Session,
  event_id: number,
  image: FileSource,
  texts: Texts,
  following: { onProgress?(sent: number, total: number): void; signal?: AbortSignal } = {},
) => uploadPhoto(session, { event_id, image }, { ...following, urlStorage: uploadsIn(texts) })

/** Says where this device is reached: by the token of Google's service, or Apple's. */
export const registerPush = (session: Session, push_token: string) =>
  afterglow(session).notifications.registerDevice({ push_token })
