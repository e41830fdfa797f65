import type { Member } from './cast.ts'

/** Single requests of the protocol, for what no proper client sends. */
export const tusFor = (url: string, { token }: Pick<Member, 'token'>) => {
  const version = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const metadata = (fields: Record<string, unknown>) =>
    Object.entries(fields)
      .map(([key, value]) => `${key} ${base64(String(value))}`)
      .join(',')
  const type = 'application/offset+octet-stream'
  return {
    open: (bytes: number, fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
      fetch(`${url}/api/gallery/upload/session`, {
        method: 'POST',
        headers: { ...version, 'upload-length': String(bytes), 'upload-metadata': metadata(fields), ...headers },
      }),
    head: (at: string) => fetch(at, { method: 'HEAD', headers: version }),
    patch: (at: string, offset: number, body: BodyInit | Buffer, headers: Record<string, string> = {}) =>
      fetch(at, {
        method: 'PATCH',
        headers: { ...version, 'content-type': type, 'upload-offset': String(offset), ...headers },
        body: body as BodyInit,
        duplex: 'half',
      } as RequestInit),
    end: (at: string) => fetch(at, { method: 'DELETE', headers: version }),
  }
}

/** Uploads name a session by the end of its URL. */
export const sessionIn = (at: string) => at.slice(at.lastIndexOf('/') + 1)

/** The address of a session just opened. */
export const addressOf = async (opened: Promise<Response>) => {
  const reply = await opened
  if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
  return reply.headers.get('location') as string
}
