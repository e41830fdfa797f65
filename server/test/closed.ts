import type { Socket } from 'node:net'

/**
 * Once a connection is closed, in whichever way the other end closes it. `once` of node:events rejects when that was by
 * a reset, which is what closing with something unread comes to, and where nobody waits for it yet, ends the process.
 */
export const closed = (socket: Socket): Promise<void> =>
  new Promise(resolve => void socket.on('error', () => {}).once('close', () => resolve()))
