#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { chosen, conform, NoService, passed } from './conform.ts'
import { asBadge, asJson, asJunit, asLine, summaryOf } from './report.ts'

const usage = `afterglow-conformance <base URL> [options]

Tries the statements of the documented interface at a service and says which of them hold.

  --only <ids>        parts or ids with commas between: chats,comments.add
  --list              says the statements and tries none
  --additions         tries what Afterglow adds to the document as well
  --world <file>      JSON of an event and its people, for a service that makes no events by api/event:
                      {"event_id": 1, "group_chat_id": 1, "organizer": {"token": "…"}, "guest": {"token": "…"}}
  --format <format>   text, json or junit (text)
  --output <file>     where that goes, in place of the screen
  --badge <file>      writes a badge, SVG

Waits when the server says so (429, Retry-After).
Ends with 0 when nothing is broken and most was tried, 1 otherwise, 2 when there is nothing to try.`

const end = (code: number, words: string): never => {
  console.error(words)
  process.exit(code)
}

const read = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true },
        list: { type: 'boolean', default: false },
        additions: { type: 'boolean', default: false },
        world: { type: 'string' },
        format: { type: 'string', default: 'text' },
        output: { type: 'string' },
        badge: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return end(2, `${(error as Error).message}\n\n${usage}`)
  }
}

const { values, positionals } = read()
const [baseUrl] = positionals
const only = values.only?.flatMap(each => each.split(',')).filter(Boolean) ?? []
const choice = { only, additions: values.additions }
if (values.help) {
  console.log(usage)
  process.exit(0)
}
if (!['text', 'json', 'junit'].includes(values.format)) end(2, `There is no format ${values.format}.\n\n${usage}`)
if (chosen(choice).length === 0) end(2, `There is no statement ${only.join(', ')}. --list says them.`)
if (values.list) {
  for (const { id, says } of chosen(choice)) console.log(`${id}: ${says}`)
  process.exit(0)
}
if (!baseUrl) end(2, usage)

const readWorld = async (file: string) => {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    return end(2, `${file} cannot be read: ${(error as Error).message}`)
  }
}

try {
  const lines: string[] = []
  const world = values.world === undefined ? undefined : await readWorld(values.world)
  const told = values.format === 'text' && values.output === undefined
  const results = await conform(baseUrl as string, {
    ...choice,
    ...(world && { world }),
    tell: result => {
      lines.push(asLine(result))
      if (told) console.log(asLine(result))
    },
  })
  const report =
    values.format === 'json'
      ? asJson(baseUrl as string, results)
      : values.format === 'junit'
        ? asJunit(results)
        : `${lines.join('\n')}\n${summaryOf(results)}\n`
  if (values.output !== undefined) await writeFile(values.output, report)
  else if (!told) process.stdout.write(report)
  console.error(summaryOf(results))
  if (values.badge !== undefined) await writeFile(values.badge, asBadge(results))
  process.exitCode = passed(results) ? 0 : 1
} catch (error) {
  if (error instanceof NoService) end(2, error.message)
  throw error
}
