/** `npm run listen -- --secret whsec_… [--port 4000]`: a receiver of webhooks that prints what it receives. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { openListener } from './listener.ts'

const usage =
  'npm run listen -- --secret whsec_… [--secret the-one-before] [--port 4000] [--host 127.0.0.1]\nThe secret may also be in WEBHOOK_SECRET.'

const asked = () => {
  try {
    return parseArgs({
      options: {
        secret: { type: 'string', multiple: true },
        port: { type: 'string', default: '4000' },
        host: { type: 'string', default: '127.0.0.1' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (fault) {
    console.error((fault as Error).message)
    return { help: true, port: '', host: '', secret: undefined }
  }
}

const { secret, port, host, help } = asked()
const secrets = secret ?? [process.env.WEBHOOK_SECRET ?? ''].filter(Boolean)
if (help || secrets.length === 0) {
  console.error(usage)
  process.exitCode = 2
} else {
  const server = openListener({
    secrets,
    hear: happening => console.log(JSON.stringify(happening)),
    note: line => console.error(line),
  })
  server.listen(Number(port), host)
  await once(server, 'listening')
  console.error(`Listening on http://${host}:${(server.address() as AddressInfo).port}`)
}
