/* Reading untrusted files byte by byte, in browsers and in Node. */

export const read = async (file: Blob, from: number, bytes: number) =>
  new Uint8Array(await file.slice(from, from + bytes).arrayBuffer())
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)
/** As much as any name, number or date needs. */
export const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, 100))

export const indexOf = (bytes: Uint8Array, mark: string) => {
  const first = mark.charCodeAt(0)
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (textOf(bytes.subarray(at, at + mark.length)) === mark) return at
  return -1
}

/** Undefined where an offset leads out of the file. */
export const quietly = <Found>(find: () => Found): Found | undefined => {
  try {
    return find()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
