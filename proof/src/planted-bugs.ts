// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are source texts.
import type { Edit } from './instance/service.ts'

/** A plausible bug, and the part that finds it. */
export type Plant = { name: string; foundBy: string; count: number; edits: readonly Edit[] }

const plant = (
  name: string,
  foundBy: string,
  count: number,
  ...edits: [file: string, from: string, to: string][]
): Plant => ({
  name,
  foundBy,
  count,
  edits: edits.map(([file, from, to]) => ({ file: `server/src/${file}`, from, to })),
})

export const plantedBugs: readonly Plant[] = [
  plant(
    'messages are acknowledged before their commit is on disk',
    'database-killed',
    10,
    [
      'platform/embedded-database/postgres-settings.ts',
      "'synchronous_commit=on'",
      "'synchronous_commit=off', 'wal_writer_delay=10s'",
    ],
    [
      'platform/database/sound-database.ts',
      "current_setting('synchronous_commit') as synchronous_commit",
      "'on' as synchronous_commit",
    ],
  ),
  plant('a message forgets its key', 'replies-lost', 30, [
    'chats/messages/send-message-store.ts',
    'content, key, fingerprint, card, ${hanging.count}',
    'content, null::bytea, null::bytea, card, ${hanging.count}',
  ]),
  plant('a key that was used is not found again', 'same-key', 4, [
    'platform/http/idempotency.ts',
    ".where('key_hash', '=', hashOf(key))\n    .where(living)",
    ".where('key_hash', '=', hashOf(`${key} `))\n    .where(living)",
  ]),
  plant('any request may follow under a used key', 'same-key', 4, [
    'platform/http/idempotency.ts',
    'if (!first.fingerprint.equals(await keyed.fingerprint())) refuseOtherRequest()',
    '',
  ]),
  plant('messages of one batch are told in another order than they stand', 'server-killed', 1, [
    'chats/messages/send-message-store.ts',
    'f.sequence = s.sequence order by f.n`',
    'f.sequence = s.sequence order by f.n desc`',
  ]),
  plant('the pages of a chat overlap by one', 'server-killed', 1, [
    'chats/messages/message-routes.ts',
    'const back = rangeOf(input).offset',
    'const back = rangeOf(input).offset - (input.page - 1)',
  ]),
  plant('the log is read by ids, not by places', 'server-killed', 1, [
    'log/changes-sql.ts',
    'from changes c where c.place > ${after} and c.place <= ${upTo}',
    'from changes c where c.id > ${after} and c.place <= ${upTo} and c.id % 13 > 0',
  ]),
  plant('who catches up is not told the last change', 'server-killed', 3, [
    'log/changes-sql.ts',
    'c.place > ${after} and c.place <= ${upTo}`',
    'c.place > ${after} and c.place < ${upTo}`',
  ]),
  plant('a like counts for two', 'server-killed', 1, [
    'gallery/likes/likes-store.ts',
    'likes_count = likes_count + ',
    'likes_count = likes_count + 1 + ',
  ]),
  plant('an upload is not counted for its guest', 'server-killed', 1, [
    'gallery/store.ts',
    'photos_count = photos_count + ${more}',
    'photos_count = photos_count + ${more} - ${more}',
  ]),
  plant('who acts is notified of it', 'server-killed', 1, [
    'notifications/notification-writer.ts',
    'reached?.has(userId) || userId === actorId || apart?.has(userId)',
    'reached?.has(userId) || apart?.has(userId)',
  ]),
  plant('a block does not keep notifications away', 'server-killed', 1, [
    'notifications/notification-writer.ts',
    'userId === actorId || apart?.has(userId)) continue',
    'userId === actorId) continue',
  ]),
  plant('a muted chat rings', 'server-killed', 1, [
    'notifications/notification-writer.ts',
    'const silenced = notice.silenced?.get(userId) ?? null',
    'const silenced = null',
  ]),
  plant('notices that a killed process had taken are given up', 'crash-steps', 12, [
    'notifications/notification-writer.ts',
    'const changes = await takeUnnotified(tx, most)',
    'const changes = await takeUnnotified(db as unknown as Transaction, most)',
  ]),
  plant('anybody who knows a photo’s number can open it', 'server-killed', 1, [
    'platform/media/signed-url.ts',
    'return plausible(query, now) && timingSafeEqual(',
    'return plausible(query, now) || timingSafeEqual(',
  ]),
  plant(
    'addresses of media outlive a removal',
    'server-killed',
    1,
    ['platform/media/signed-url.ts', '${expiry}\\n${id}\\n${epoch}$', '${expiry}\\n${id}$'],
    ['platform/media/serving/serve.ts', '!(await mayHold(holder, object))', 'false'],
  ),
  plant('requests are logged with what they carry', 'server-killed', 1, [
    'platform/http/server.ts',
    "user: viewer?.id }, 'answered')",
    "user: viewer?.id, with: request.headers.authorization }, 'answered')",
  ]),
  plant('a file is not flushed before its row', 'power-cut', 3, [
    'platform/media/storage/disk.ts',
    'await sync(temporaryPath)\n',
    '',
  ]),
  plant('a directory is not flushed before the row', 'power-cut', 3, [
    'platform/media/storage/disk.ts',
    'await Promise.all([sync(dirname(address)), syncParents(dirname(address))])',
    '',
  ]),
  plant('the row of a photo stands before its files', 'crash-steps', 12, [
    'platform/media/store-picture.ts',
    'await storage.put(cut.path, cut.sha256)',
    'setTimeout(() => void storage.put(cut.path, cut.sha256).catch(() => {}), 3000)',
  ]),
  plant('the server ends when an idle connection to the database breaks', 'database-killed', 2, [
    'service.ts',
    "onIdleError: err => log.warn({ err }, 'an idle database connection broke')",
    'onIdleError: err => process.exit(7 + Number(!err))',
  ]),
  plant('a process that is asked to stop stops at once', 'rolling-restarts', 4, [
    'service.ts',
    'app.startDraining()\n      await sleep(drainMs)',
    'process.exit(0)',
  ]),
  plant('another history is taken for the same', 'failover', 3, [
    'channel/relay.ts',
    'this.#relaying.forsake()\n      } else',
    'this.#reached = undefined\n      } else',
  ]),
  plant('a text with NUL reaches the database', 'requests', 1200, [
    'platform/http/errors.ts',
    'if (error instanceof Invalid) return',
    'if (error instanceof Invalid && !JSON.stringify(error.body).includes("format is invalid")) return',
  ]),
  plant('an outsider reads a chat', 'server-killed', 1, [
    'chats/messages/message-routes.ts',
    'demandReader(around)',
    '',
  ]),
  plant('a session that ended is remembered', 'server-killed', 1, [
    'channel/session-watch.ts',
    'if (session === undefined) connected.socket.disconnect(true)',
    'if (session === undefined) connected.expiresAt = Number.POSITIVE_INFINITY',
  ]),
]
