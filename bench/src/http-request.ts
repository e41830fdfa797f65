/** One request as the bytes of HTTP/1.1, made once and sent many times. */
export const httpRequest = (
  method: string,
  path: string,
  { token, type, key, body }: { token?: string; type?: string; key?: string; body?: Buffer | string } = {},
): Buffer => {
  const content = Buffer.from(body ?? '')
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: bench',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(type ? [`Content-Type: ${type}`] : []),
    ...(key ? [`Idempotency-Key: ${key}`] : []),
    ...(body !== undefined || method === 'POST' ? [`Content-Length: ${content.length}`] : []),
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(lines.join('\r\n')), content])
}

const boundary = 'a-boundary-as-an-app-makes-it-7MA4YWxkTrZu0gW'
export const formType = `multipart/form-data; boundary=${boundary}`

/** A multipart form of text fields and at most one JPEG. */
export const form = (fields: Record<string, string | number>, file?: { field: string; jpeg: Buffer }): Buffer => {
  const parts: Buffer[] = []
  const open = (disposition: string) =>
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}`))
  for (const [name, value] of Object.entries(fields)) {
    open(`name="${name}"`)
    parts.push(Buffer.from(`\r\n\r\n${value}\r\n`))
  }
  if (file) {
    open(`name="${file.field}"; filename="photo.jpg"`)
    parts.push(Buffer.from('\r\nContent-Type: image/jpeg\r\n\r\n'), file.jpeg, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}
