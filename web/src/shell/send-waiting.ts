import { loadActs, performWaiting } from '../app/storage/acts.ts'
import { loadMessages, sendWaiting } from '../chats/composer/outbox.ts'
import { uploadWaiting } from '../uploads/upload-queue.ts'
import { watchWaiting } from './watch-waiting.ts'

/** Sends pending items of earlier pages. Returns a function to stop. */
export const sendAllWaiting = () => {
  const stops = [sendWaiting(), performWaiting(), uploadWaiting(), watchWaiting()]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Shows pending items of earlier pages together with their subject. */
export const showWaiting = () => Promise.all([loadMessages(), loadActs()])
