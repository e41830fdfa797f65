import type { Connection } from './call.ts'

/** Without progress for so long, an upload has failed. The last bytes take longest: the system has them, not the network. */
const silentMs = 120_000

/** As a browser only reports progress there; the library for sessions does so by itself. */
export const sendsByXhr = ({ fetch }: Connection) => !fetch && typeof XMLHttpRequest !== 'undefined'

/** Sends by XMLHttpRequest: no browser reports the progress of a fetch. */
export const byXhr =
  (onProgress: (sent: number) => void) =>
  (url: URL, { method = 'POST', headers = {}, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      let timer: ReturnType<typeof setTimeout> | undefined
      const fail = (fault: unknown) => {
        clearTimeout(timer)
        reject(fault)
        request.abort()
      }
      const goOn = () => {
        clearTimeout(timer)
        timer = setTimeout(fail, silentMs, new Error('The service does not reply.'))
      }
      request.open(method, url)
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded }) => {
        goOn()
        onProgress(loaded)
      }
      request.onload = () => {
        clearTimeout(timer)
        resolve(replyOf(request))
      }
      request.onerror = () => fail(new TypeError('The service cannot be reached.'))
      signal?.addEventListener('abort', () => fail(signal.reason))
      goOn()
      request.send(body as FormData | string | null)
    })

const replyOf = (request: XMLHttpRequest) => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const [name = '', ...value] = line.split(': ')
    if (name) headers.append(name, value.join(': '))
  }
  return new Response(request.responseText, { status: request.status, headers })
}
