import type { Logger } from 'pino'
import { mailFor } from '../../accounts/mail/mail-content.ts'
import { type Database, transact } from '../../platform/database/database.ts'
import { addJob, limited } from '../../platform/jobs/jobs.ts'
import { demandFresh, mailLimits } from '../../platform/mail/mail-limits.ts'
import { type Mailer, MailRefused, MailUncertain } from '../../platform/mail/mailer.ts'
import { quietUntil } from '../delivery/quiet-hours.ts'
import { readerByAccount } from '../readers-store.ts'
import { textOf } from '../texts.ts'
import type { UnsubscribeCodes } from '../unsubscribe.ts'
import * as store from './digest-store.ts'

/** Nobody is mailed at night. */
const night = { from: 21 * 60, until: 9 * 60 }
const peopleAtOnce = 200
/** The newest, each with its text; the number of the others. */
const itemsMax = 8
/** A digest that could not be sent for this long is no longer news. */
const hoursTried = 6

type DigestParts = {
  db: Database
  mailer: Pick<Mailer, 'send'>
  codes: UnsubscribeCodes
  /** Null: nothing is sent, because nobody could unsubscribe. */
  publicUrl: string | null
  log: Pick<Logger, 'warn'>
}

/**
 * The digest for somebody who has been away for a day. A row per person is locked by the sending job, so only one
 * process sends; it is marked before the mail is handed to the mail server, so a crash in between loses a digest and
 * never sends one twice.
 */
export const digestTasks = ({ db, mailer, codes, publicUrl, log }: DigestParts) => ({
  digest: limited({ minutes: 30 }, async () => {
    if (publicUrl === null) return
    for (let after = 0; ; ) {
      const due = await store.dueDigests(db, after, peopleAtOnce)
      for (const { user_id: userId, timezone } of due) {
        if (quietUntil(night, timezone, Date.now()) !== undefined) continue
        await transact(db, async tx => {
          if (await store.takeDigest(tx, userId))
            await addJob(tx, 'sendDigest', { userId, askedAt: Date.now() }, { lane: 'mailDigest' })
        })
      }
      if (due.length < peopleAtOnce) return
      after = due.at(-1)?.user_id ?? 0
    }
  }),

  sendDigest: limited(mailLimits, async ({ userId, askedAt }: { userId: number; askedAt: number }) => {
    if (publicUrl === null) return
    demandFresh('digest', askedAt, hoursTried)
    const missed = await store.readMissed(db, userId, itemsMax)
    const [first] = missed
    if (!first) return
    const reader = await readerByAccount(db, userId)
    const letter = mailFor(
      { about: 'digest', count: first.total, items: missed.map(one => textOf(one, reader)) },
      reader.language,
      {
        name: first.first_name,
        link: `${publicUrl}/notifications`,
        unsubscribe: publicUrl + codes.pathFor(userId),
      },
    )
    if (!(await store.markSent(db, userId))) return
    try {
      await mailer.send(first.email, letter, [userId, ...missed.map(({ actor_id }) => actor_id)])
    } catch (fault) {
      if (!(fault instanceof MailRefused || fault instanceof MailUncertain)) {
        await store.markUnsent(db, userId)
        throw fault
      }
      log.warn({ reason: fault.message }, 'a digest was refused, or may have been taken')
    }
  }),
})
