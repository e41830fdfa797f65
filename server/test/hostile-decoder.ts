import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { encodeHead, type Head, openMessageReader } from '../src/platform/media/pictures/decoders/decoder-messages.ts'

/* A decoder that a picture has taken over: started in the real one's place, it does what its "picture" says. */

export type Plan =
  | 'hang'
  | 'flood'
  | 'promise without end'
  | 'complain without end'
  | 'answer another'
  | 'answer with a page'
  | 'answer nonsense'
  | 'speak unasked'
/** Places to search for what it must not find. */
export type Prey = { secrets: string; server: number; port: number; writable: string[] }
export type Loot = {
  secrets: string
  environment: string
  memory: string
  own: string[]
  processes: number
  network: string
  program: string
  written: string[]
}

const attempt = (work: () => string): string => {
  try {
    return work()
  } catch (error) {
    return `no: ${(error as NodeJS.ErrnoException).code}`
  }
}

const loot = async ({ secrets, server, port, writable }: Prey): Promise<Loot> => ({
  secrets: attempt(() => readFileSync(secrets, 'utf8').slice(0, 20)),
  environment: attempt(() => readFileSync(`/proc/${server}/environ`, 'utf8').slice(0, 20)),
  memory: attempt(() => readFileSync(`/proc/${server}/maps`, 'utf8').slice(0, 20)),
  own: Object.keys(process.env).filter(name => !/^(MALLOC_|UV_|PWD$|OLDPWD$|SHLVL$|_$)/.test(name)),
  processes: Number(attempt(() => String(readdirSync('/proc').filter(name => /^\d+$/.test(name)).length))) || 0,
  network: await new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve('reached')).on('error', error =>
      resolve(`no: ${(error as NodeJS.ErrnoException).code}`),
    )
    setTimeout(() => resolve('no: silence'), 2000).unref()
    socket.unref()
  }),
  program: attempt(() => execFileSync('/bin/sh', ['-c', 'echo ran'], { encoding: 'utf8' }).trim()),
  written: writable.filter(path => !attempt(() => String(writeFileSync(path, 'planted'))).startsWith('no')),
})

if (process.argv[2] === 'loot') {
  process.on('SIGXFSZ', () => {})
  console.log(JSON.stringify(await loot(JSON.parse(process.argv[3] ?? ''))))
  process.exit(0)
}

const messages = openMessageReader(process.stdin)
const refusing = (id: string, detail: string) => ({
  id,
  files: [],
  swollen: false,
  answer: { refused: 'damaged', detail },
})
const made = (...lengths: number[]) => ({
  swollen: false,
  files: lengths,
  answer: {
    made: {
      ...{
        type: 'image/jpeg',
        width: 1,
        height: 1,
        thumbhash: 'AAAA',
        look: null,
        taken: null,
        place: null,
        end: null,
        film: null,
        full: null,
        whole: null,
        incomplete: false,
      },
      display: { type: 'image/jpeg', width: 1, height: 1 },
      preview: { type: 'image/jpeg', width: 1, height: 1 },
      tile: null,
    },
  },
})
const print = (...pieces: Buffer[]) => new Promise(resolve => process.stdout.write(Buffer.concat(pieces), resolve))
const junk = Buffer.alloc(65_536, '\xff\xd8\xff', 'latin1')

for (;;) {
  const { id, files } = (await messages.head()) as Head
  const text = (await messages.bytes(files[0] ?? 0)).toString()
  if (text.startsWith('{')) {
    const found = await loot(JSON.parse(text))
    await print(encodeHead(refusing(id, JSON.stringify(found))))
    continue
  }
  switch (text as Plan) {
    case 'hang':
      setInterval(() => {}, 1000)
      break
    case 'flood':
      for (;;) await print(junk)
    case 'promise without end': {
      await print(encodeHead({ id, ...made(1e15, 1e15) }))
      for (;;) await print(junk)
    }
    case 'complain without end':
      for (;;) await new Promise(resolve => process.stderr.write(junk, resolve))
    case 'answer another':
      await print(encodeHead(refusing('00000000-0000-0000-0000-000000000000', 'yours')))
      break
    case 'answer with a page': {
      const page = Buffer.from('<script>alert(1)</script>')
      await print(encodeHead({ id, ...made(page.length, page.length) }), page, page)
      break
    }
    case 'answer nonsense':
      await print(encodeHead({ id, ...made(), ...{ answer: { made: { type: 'text/html' } } } }))
      break
    case 'speak unasked':
      await print(encodeHead(refusing(id, 'asked')), encodeHead(refusing(id, 'unasked')))
  }
}
