import type { Socket } from 'node:net'

/**
 * Resolves once a connection is closed, however the other end closes it. `once` of node:events rejects after a reset,
 * which is what closing with unread bytes amounts to; while nobody awaits it, that rejection ends the process.
 */
export const closed = (socket: Socket): Promise<void> =>
  new Promise(resolve => void socket.on('error', () => {}).once('close', () => resolve()))
