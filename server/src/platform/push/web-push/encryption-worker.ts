import { parentPort } from 'node:worker_threads'
import webPush from 'web-push'

export type Task = { p256dh: string; auth: string; text: string }
/** The bodies in the order of the tasks; null for an invalid key. */
export type Answer = (Uint8Array<ArrayBuffer> | null)[]

parentPort?.on('message', (tasks: Task[]) => {
  const answer: Answer = tasks.map(encrypt)
  // Transferred, not copied.
  parentPort?.postMessage(
    answer,
    answer.flatMap(body => body?.buffer ?? []),
  )
})

function encrypt({ p256dh, auth, text }: Task) {
  try {
    return new Uint8Array(webPush.encrypt(p256dh, auth, text, 'aes128gcm').cipherText)
  } catch {
    return null
  }
}
