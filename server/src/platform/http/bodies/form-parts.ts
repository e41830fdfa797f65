import type { Readable } from 'node:stream'
import type { Lists } from '@afterglow/contract/input-fields'
import type { FileField } from '@afterglow/contract/route'
import { FileTooLarge, type ReceivedFile } from '../../media/received-file.ts'
import { Unreadable } from '../refusals.ts'
import { type Body, bodyOf, discard } from './body.ts'
import { decodeText } from './charset.ts'
import { baseName, fieldName, fieldsFrom } from './field-names.ts'
import type { FileLimits, Receive } from './multipart.ts'
import type { PartHead } from './part-head.ts'

/** A programme of the longest kind, each of its fields a part. */
const partLimits = { fields: 300, files: 32 }

type Files = Readonly<Record<string, FileField>>
type Fail = (reason: unknown) => void

/** The parts of a form: texts in memory, files on their way to temporaries. */
export class FormParts {
  readonly #expected: Files
  readonly #receive: Receive
  readonly #limits: FileLimits
  readonly #body: Body = bodyOf({})
  readonly #texts: { head: PartHead; latin1: string }[] = []
  readonly #arriving: Promise<void>[] = []
  readonly #open = new Set<Readable>()
  readonly #places = new Map<ReceivedFile, number>()
  #filesCount = 0
  #fileBytes = 0

  constructor(expected: Files, receive: Receive, limits: FileLimits) {
    this.#expected = expected
    this.#receive = receive
    this.#limits = limits
  }

  /** How much of the form was files. */
  get fileBytes() {
    return this.#fileBytes
  }

  /** Throws Unreadable for a part that makes too many, or a file that is not taken. */
  begin(part: Readable, head: PartHead, fail: Fail) {
    const key = fileFieldOf(head, this.#expected)
    if (key === undefined) this.#beginText(part, head)
    else this.#beginFile(part, key, head, fail)
  }

  /** The body, when every file is safe. */
  async whole(charset: string | undefined, lists: Lists | undefined): Promise<Body> {
    await Promise.all(this.#arriving)
    const named = this.#texts.map(({ head, latin1 }) => {
      const decoded = decodeText(Buffer.from(latin1, 'latin1'), head.charset ?? charset)
      return [head.name, partValue(decoded, head)] as const
    })
    Object.assign(this.#body.fields, fieldsFrom(named, lists))
    // The last may be written first.
    const placeOf = (file: ReceivedFile) => this.#places.get(file) as number
    for (const received of Object.values(this.#body.files)) received.sort((a, b) => placeOf(a) - placeOf(b))
    return this.#body
  }

  /** Resolves when every temporary has been removed. */
  async abandon(reason: unknown) {
    for (const file of this.#open) file.destroy(reason as Error)
    await Promise.allSettled(this.#arriving)
    await discard(this.#body)
  }

  #beginText(part: Readable, head: PartHead) {
    if (this.#texts.length === partLimits.fields) throw tooMany()
    const field = { head, latin1: '' }
    this.#texts.push(field)
    part.on('data', (chunk: Buffer) => {
      field.latin1 += chunk.toString('latin1')
    })
  }

  #beginFile(part: Readable, key: string, { name, filename }: PartHead, fail: Fail) {
    this.#filesCount += 1
    if (this.#filesCount > partLimits.files) throw tooMany()
    onPush(part, bytes => {
      this.#fileBytes += bytes
    })
    const field = Object.hasOwn(this.#expected, key) ? this.#expected[key] : undefined
    const refused = new Unreadable(`The form has a file under a name that is not taken: ${name.slice(0, 100)}`)
    if (!field && filename) throw refused
    // Only an empty part without a name, of a field that was left empty, is no file.
    if (!field) return void part.on('data', () => fail(refused))
    this.#open.add(part)
    part.once('close', () => this.#open.delete(part))
    const arrived = this.#keep(key, field, part, filename)
    arrived.catch(fail)
    this.#arriving.push(arrived)
  }

  async #keep(key: string, field: FileField, part: Readable, filename: string | undefined) {
    const { files, tooLarge } = this.#body
    const place = this.#arriving.length
    try {
      const bytesMax = this.#limits[field.bytesMax]
      const received = { ...(await this.#receive(part, { bytesMax })), name: filename }
      // A browser sends an empty, nameless part for a file field that was left empty.
      if (received.bytes === 0 && !filename) return received.remove()
      this.#places.set(received, place)
      files[key] = [...(files[key] ?? []), received]
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error
      tooLarge.add(key)
      part.resume()
    }
  }
}

const tooMany = () => new Unreadable('The form has too many parts.')

/** The field that a part belongs to if it is a file; undefined if it is text. */
const fileFieldOf = ({ name, filename, type }: PartHead, files: Files): string | undefined => {
  const { base: plain, property } = fieldName(name)
  // Not what every object has: "constructor" is a name like any other.
  if (property === undefined && Object.hasOwn(files, plain)) return plain
  const base = baseName(name)
  const isText = filename === undefined && (type.startsWith('text/') || type === 'application/json')
  if (!isText && Object.hasOwn(files, base)) return base
  return filename === undefined ? undefined : name
}

/** Some clients send a string in a form as JSON, in its quotes, and a list as one part. */
const partValue = (text: string, { type }: PartHead): unknown => {
  if (type !== 'application/json' || !/^\s*["[]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reports the bytes pushed into a part before anybody reads it: a file's buffered bytes are not text. */
const onPush = (part: Readable, tell: (bytes: number) => void) => {
  const push = part.push.bind(part)
  part.push = chunk => {
    if (chunk) tell(chunk.length)
    return push(chunk)
  }
}
