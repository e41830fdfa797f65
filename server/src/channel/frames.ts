/*
 * Events for many sockets are encoded once, as ready WebSocket frames; and everything from one poll of the log goes to
 * a socket in a single write. A write is most of what a delivery costs: see docs/decisions/realtime-from-the-log.md.
 */

/** A text as a WebSocket frame from a server (RFC 6455, unmasked). */
export const frameOf = (text: string): Buffer => {
  const bytes = Buffer.byteLength(text)
  const head = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + bytes)
  frame[0] = 0x81
  if (head === 2) frame[1] = bytes
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(bytes, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(bytes), 2)
  }
  frame.write(text, head)
  return frame
}

/** A Socket.IO event in the main namespace. With an `ack`, the client answers with that number. */
export const eventText = (kind: string, payloadJson: string, metaJson: string, ack?: number): string =>
  `42${ack ?? ''}["${kind}",${payloadJson},${metaJson}]`

/** The frames for a socket, in order; sockets with the same frames share one row, and its bytes. */
export class FrameRow {
  readonly #frames: readonly Buffer[]
  readonly #after = new Map<Buffer, FrameRow>()
  /** The last result, because most sockets of a room need the same. */
  #frame: Buffer | undefined
  #next: FrameRow | undefined
  #bytes: Buffer | undefined

  constructor(frames: readonly Buffer[] = []) {
    this.#frames = frames
  }

  and(frame: Buffer): FrameRow {
    if (this.#next && this.#frame === frame) return this.#next
    const row = this.#after.get(frame) ?? new FrameRow([...this.#frames, frame])
    this.#after.set(frame, row)
    this.#frame = frame
    this.#next = row
    return row
  }

  /** All frames joined. */
  get bytes(): Buffer {
    this.#bytes ??= this.#frames.length === 1 ? (this.#frames[0] as Buffer) : Buffer.concat(this.#frames)
    return this.#bytes
  }
}
