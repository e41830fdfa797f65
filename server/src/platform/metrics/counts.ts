import type { FastifyInstance } from 'fastify'
import { type Mailer, MailRefused, MailUncertain } from '../mail/mailer.ts'
import type { ReceivedFile } from '../media/received-file.ts'
import type { Push } from '../push/senders.ts'

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type Counts = Awaited<ReturnType<typeof openCounts>>

/** Event counters. The library is loaded only where metrics are configured, because it stays in memory. */
export const openCounts = async () => {
  const { Counter, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    durations: new Histogram({
      name: 'afterglow_request_duration_seconds',
      help: 'How long requests took, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: bounds,
      registers,
    }),
    pushes: new Counter({
      name: 'afterglow_pushes_total',
      help: 'Pushes by platform and what became of them.',
      labelNames: ['platform', 'result'],
      registers,
    }),
    mails: new Counter({
      name: 'afterglow_mails_total',
      help: 'Mails handed to the mail server, and what became of each: sent, refused for good, uncertain, failed for now.',
      labelNames: ['result'],
      registers,
    }),
    uploads: new Counter({
      name: 'afterglow_uploads_total',
      help: 'Files that came in whole, or not.',
      labelNames: ['result'],
      registers,
    }),
    uploadBytes: new Counter({
      name: 'afterglow_upload_bytes_total',
      help: 'Bytes of the files that came in whole.',
      registers,
    }),
  }
}

/** Counts responses by operation: unknown paths count as one, or an attacker could create millions. */
export const countAnswers = (server: FastifyInstance, { durations }: Counts): void => {
  server.addHook('onResponse', (request, reply, done) => {
    const { config, url } = request.routeOptions
    const operation = (request.actsAs ?? config.operation)?.name ?? url ?? 'unknown'
    durations.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

/** The same push, counted. */
export const countPushes = (push: Push, { pushes }: Counts): Push => ({
  ...push,
  async send(address, message) {
    const outcome = await push.send(address, message)
    pushes.inc({ platform: address.platform, result: outcome.result })
    return outcome
  },
})

/** The same mailer, counted. */
export const countMails = (mailer: Mailer, { mails }: Counts): Mailer => {
  for (const result of ['sent', 'refused', 'uncertain', 'failed']) mails.inc({ result }, 0)
  return {
    ...mailer,
    async send(...args) {
      try {
        await mailer.send(...args)
        mails.inc({ result: 'sent' })
      } catch (fault) {
        const result =
          fault instanceof MailRefused ? 'refused' : fault instanceof MailUncertain ? 'uncertain' : 'failed'
        mails.inc({ result })
        throw fault
      }
    },
  }
}

/** The same receiver of files, counted. */
export const countUploads =
  <Args extends unknown[]>(receive: (...args: Args) => Promise<ReceivedFile>, { uploads, uploadBytes }: Counts) =>
  async (...args: Args): Promise<ReceivedFile> => {
    try {
      const file = await receive(...args)
      uploads.inc({ result: 'taken' })
      uploadBytes.inc(file.bytes)
      return file
    } catch (error) {
      uploads.inc({ result: 'failed' })
      throw error
    }
  }
