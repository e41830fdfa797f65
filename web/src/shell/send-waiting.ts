import { loadActs, performWaiting } from '../app/storage/acts.ts'
import { loadMessages, sendWaiting } from '../chats/composer/outbox.ts'
import { uploadWaiting } from '../uploads/upload-queue.ts'
import { watchWaiting } from './watch-waiting.ts'

/** Sends what earlier pages left behind. Returns a function to stop. */
export const sendAllWaiting = () => {
  const stops = [sendWaiting(), performWaiting(), uploadWaiting(), watchWaiting()]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Shows what earlier pages left behind together with what it belongs to. */
export const showWaiting = () => Promise.all([loadMessages(), loadActs()])
