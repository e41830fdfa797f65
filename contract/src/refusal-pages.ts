/** For each refusal code, its cause and what a client should do. docs/refusals.md and the API document are generated from this. */

import { askLater, type RefusalPage, signIn } from './refusal-advice.ts'
import type { GeneralCode, RefusalCode } from './refusal-codes.ts'
import { type ExplainedCode, entriesOfSlices } from './slices.ts'

const general: Record<GeneralCode, RefusalPage> = {
  invalid: {
    cause: 'One or more fields of the request are missing or invalid. The body maps each field to its error messages.',
    client: 'Show each message next to its field. Do not retry unchanged.',
  },
  notForLink: {
    cause:
      'The token belongs to somebody who came by a link for looking, for a screen or for adding photos, and such a link is not for this operation.',
    client: 'Offer only what `extra.may` of the event allows, and joining by a link for guests.',
  },
  unreadable: {
    cause: 'The request cannot be parsed: malformed JSON, a malformed URL, or a body that is too large or truncated.',
    client: 'This is a bug in the client: log it. Do not retry unless the connection broke.',
  },
  unauthenticated: {
    cause: 'The bearer token is missing, malformed, expired or revoked. The service does not say which.',
    client: signIn,
  },
  notFound: {
    cause: 'The path does not exist, or the link to a file is wrong, expired or revoked.',
    client: 'For a path, fix the client. For a link to a file, reload the resource to get a new link.',
  },
  wrongMethod: {
    cause: 'The path exists but does not support this method. `Allow` lists the methods it supports.',
    client: 'This is a bug in the client: use a method listed in `Allow`.',
  },
  wrongOffset: {
    cause: 'The request does not continue the resumable upload at the offset the server has reached.',
    client: 'Send HEAD to get the current offset and continue from there.',
  },
  otherTusVersion: {
    cause: '`Tus-Resumable` is missing or names a protocol version other than 1.0.0.',
    client: 'This is a bug in the client: send `Tus-Resumable: 1.0.0`.',
  },
  tooLarge: {
    cause: 'A resumable upload exceeds the size limit, or contains more bytes than it declared.',
    client: 'Call `GET api/gallery/upload/limits` before uploading, and tell the user the maximum size.',
  },
  noSuchRange: {
    cause: 'The requested range lies beyond the end of the file.',
    client: 'Discard the partial download and start over without `Range`.',
  },
  unmetExpectation: {
    cause: 'The request has an `Expect` header other than `100-continue`.',
    client: 'This is a bug in the client: omit the header.',
  },
  otherWriter: {
    cause: 'Another request is writing to this resumable upload and has not finished.',
    client: 'Wait a second, send HEAD to get the current offset, and continue from there.',
  },
  tooManyRequests: {
    cause:
      'The rate limit of this operation is used up. It counts per minute and user; before sign-in, per device and network.',
    client: askLater,
  },
  fault: {
    cause: 'An internal error. The operator can find it in the log by its `X-Request-Id`.',
    client: 'Retry with the same Idempotency-Key, waiting longer each time. If it persists, show the request ID.',
  },
  unavailable: {
    cause: 'The database, the storage or the disk is temporarily unavailable, or a queue is full.',
    client: askLater,
  },
}

const pagesOfParts = Object.assign(
  {},
  ...entriesOfSlices.flatMap(([, { parts }]) => parts.map(part => 'refusalPages' in part && part.refusalPages)),
) as Record<ExplainedCode, RefusalPage>

/** Does not compile while a code has no page. */
export const refusalPages: Record<RefusalCode | GeneralCode, RefusalPage> = { ...general, ...pagesOfParts }

/** All of them on one page, as the service itself shows it. */
export const pageOfRefusals = (): string =>
  [
    '# Refusals\n\nCompare codes (`X-Refusal`), never messages: messages are for people. A client that does not know a code goes by the status.',
    ...Object.entries(refusalPages)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([code, { cause, client }]) => `## ${code}\n\n${cause}\n\n**What a client should do.** ${client}`),
  ].join('\n\n')
