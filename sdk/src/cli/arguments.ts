import { parseArgs } from 'node:util'

export const help = `Usage: afterglow upload <folder or files> --link <link> [--name <your name>] [--pin <pin>]
       afterglow upload <folder or files> --event <address or id> --token <token> [--at <address>]

Adds every photo and video of a folder, however deep, to an event's album. What is there already is not sent again, so
the same command goes on where it was stopped.

  --link <link>      the link of the event, like https://party.example/j/7Q2xA, or its short code: you come in by it
  --name <name>      by which others see you; needed the first time a link is used without --token
  --pin <pin>        of a link that asks for one
  --event <event>    the event's address, like https://party.example/events/12, or its number
  --token <token>    of your account; also read from AFTERGLOW_TOKEN, where others cannot see it
  --at <address>     where the service is, where neither --link nor --event says it
  --dry-run          tells what would be sent, and sends nothing
  --help             prints this

Ends with 0 when everything is in the album, 1 when files were refused, 2 when asked wrongly, 3 when no more can be added
and the rest waits, 4 when the service cannot be reached, 130 when stopped by Ctrl-C.`

export class AskedWrongly extends Error {}

export type UploadCommand = {
  paths: string[]
  baseUrl: string
  code: string | undefined
  eventId: number | undefined
  token: string | undefined
  name: string | undefined
  pin: string | undefined
  dryRun: boolean
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** Undefined if help was requested. Throws AskedWrongly. */
export const readArguments = (args: readonly string[], env: NodeJS.ProcessEnv): UploadCommand | undefined => {
  const { values, positionals } = parsed(args)
  if (values.help || args.length === 0) return undefined
  const [command, ...paths] = positionals
  if (command !== 'upload') throw new AskedWrongly(`There is no command ${command ?? ''}.`)
  if (paths.length === 0) throw new AskedWrongly('Name a folder, or files.')
  const link = typedOnPaper(values.link) ?? placeOf(values.link, '/j/', '--link')
  const event = placeOf(values.event, '/events/', '--event')
  const baseUrl = link?.origin ?? event?.origin ?? values.at
  const token = values.token ?? env.AFTERGLOW_TOKEN
  if (!link && !event) throw new AskedWrongly('Say which event: --link <link>, or --event <address> with --token.')
  if (!link && !token) throw new AskedWrongly('Say who you are: --token <token>, or come in by --link <link>.')
  if (!baseUrl || !URL.canParse(baseUrl)) throw new AskedWrongly('Say where the service is: --at https://party.example')
  const eventId = event && Number(event.last)
  if (eventId !== undefined && !Number.isSafeInteger(eventId))
    throw new AskedWrongly('--event is an address or a number.')
  return {
    paths,
    baseUrl,
    code: link?.last,
    eventId,
    token,
    name: values.name,
    pin: values.pin,
    dryRun: values['dry-run'] ?? false,
  }
}

const parsed = (args: readonly string[]) => {
  try {
    const options = {
      link: text,
      event: text,
      token: text,
      at: text,
      name: text,
      pin: text,
      'dry-run': flag,
      help: flag,
    }
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (fault) {
    throw new AskedWrongly((fault as Error).message)
  }
}

/** A short code behind the address of the service, as it stands on paper: `party.example/LAKE-2106`. */
const typedOnPaper = (given: string | undefined) => {
  const [, before, last] = /^(.+)\/([a-z]{3,7}[-. ]?\d{4})$/i.exec(given ?? '') ?? []
  const origin = before?.includes('://') ? before : `https://${before}`
  return last && URL.canParse(origin) && !/\/(?:j|events)$/.test(origin) ? { origin, last } : undefined
}

/** The address of a page, or just the part at its end. */
const placeOf = (given: string | undefined, before: string, option: string) => {
  if (given === undefined) return undefined
  if (!given.includes('/')) return { origin: undefined, last: given }
  const url = URL.canParse(given) ? new URL(given) : undefined
  const at = url?.pathname.lastIndexOf(before) ?? -1
  const last = at < 0 ? undefined : url?.pathname.slice(at + before.length).split('/')[0]
  if (!url || !last) throw new AskedWrongly(`${option} is no address like https://party.example${before}…`)
  return { origin: url.origin + url.pathname.slice(0, at), last }
}
