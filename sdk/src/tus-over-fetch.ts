import type { HttpResponse, HttpStack } from 'tus-js-client'

/** How the tus client sends without XMLHttpRequest: in Node, in workers, or through a custom fetch. */
export const byFetch = (send: typeof fetch): HttpStack => ({
  getName: () => 'fetch',
  createRequest(method, url) {
    const headers = new Map<string, string>()
    const stop = new AbortController()
    let tell = (_: number) => {}
    return {
      getMethod: () => method,
      getURL: () => url,
      setHeader: (name, value) => void headers.set(name, value),
      getHeader: name => headers.get(name),
      setProgressHandler: handler => {
        tell = handler
      },
      async send(body: Blob | Uint8Array<ArrayBuffer> | null = null) {
        const blob = body instanceof Uint8Array ? new Blob([body]) : body
        const counted = blob?.stream().pipeThrough(counting(sent => tell(sent)))
        const init = {
          method,
          headers: Object.fromEntries(headers),
          signal: stop.signal,
          ...(counted && { body: counted, duplex: 'half' }),
        }
        return asResponse(await send(url, init as RequestInit))
      },
      abort: async () => stop.abort(),
      getUnderlyingObject: () => undefined,
    }
  },
})

const counting = (tell: (sent: number) => void) => {
  let sent = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      sent += chunk.byteLength
      tell(sent)
      controller.enqueue(chunk)
    },
  })
}

const asResponse = async (reply: Response): Promise<HttpResponse> => {
  const body = await reply.text()
  return {
    getStatus: () => reply.status,
    getHeader: name => reply.headers.get(name) ?? undefined,
    getBody: () => body,
    getUnderlyingObject: () => reply,
  }
}
