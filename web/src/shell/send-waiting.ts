import '../chats/reaction-act.ts'
import '../gallery/acts.ts'
import { performWaiting } from '../app/storage/acts.ts'
import { sendWaiting } from '../chats/composer/outbox.ts'
import { uploadWaiting } from '../uploads/upload-queue.ts'

/** Sends what earlier pages left behind. Returns a function to stop. */
export const sendAllWaiting = () => {
  const stops = [sendWaiting(), performWaiting(), uploadWaiting()]
  return () => {
    for (const stop of stops) stop()
  }
}
