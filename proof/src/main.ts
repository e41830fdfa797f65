import { availableParallelism, cpus } from 'node:os'
import { type Command, readCommand, usage } from './command.ts'
import { doesNotStart } from './instance/server-process.ts'
import { buildWebClient } from './instance/service.ts'
import { isFault } from './missing-tool.ts'
import type { Part } from './part.ts'
import { parts } from './parts.ts'
import { plantedBugs } from './planted-bugs.ts'
import { hasFailed, type PartResult, prove } from './prove.ts'
import { counterexamples, notesOf, tableOf } from './table.ts'

const root = new URL('../../', import.meta.url).pathname.replace(/\/$/, '')
const command = commandOf(process.argv.slice(2))
if (command.list)
  for (const { name, promise, slice, full, of } of parts)
    console.log(`${name.padEnd(18)} ${promise} (${slice} ${of}; in full ${full})`)
else
  process.exitCode = await (command.planted === undefined
    ? proveAll(command)
    : findPlanted(command.planted, command.seed))

/** Returns the exit code: 1 if there are findings, or if a part could not run in CI. */
async function proveAll({ parts, count, full, seed }: Command): Promise<number> {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(130)
      console.error('Stopping: what was seen so far is checked and printed; once more ends it at once.')
      stopping.abort()
    })
  if (availableParallelism() === 1)
    console.error('This machine has one core: fewer people write, and times say little.')
  await buildWebClient(root)
  const all: PartResult[] = []
  for (const part of parts) {
    if (stopping.signal.aborted) break
    const proved = await prove(part, {
      seed,
      count: count ?? (full ? part.full : part.slice),
      root,
      signal: stopping.signal,
    })
    all.push(proved)
    console.error(
      `${part.name}: ${proved.left ? `left out, ${proved.left.words}` : `${proved.report.findings.length} findings in ${proved.report.faults} ${part.of}`}`,
    )
    for (const words of [...counterexamples(proved), ...notesOf(proved)]) console.error(words)
  }
  const processors = `${availableParallelism()} × ${cpus()[0]?.model}`
  console.log(`\nProved ${new Date().toISOString().slice(0, 10)} by seed ${seed}, on ${processors}.\n`)
  console.log(tableOf(all))
  return all.some(hasFailed) || all.some(({ left }) => isFault(left)) ? 1 : stopping.signal.aborted ? 130 : 0
}

/** Returns the exit code: 1 if a planted bug is not found. */
async function findPlanted(only: string, seed: number): Promise<number> {
  await buildWebClient(root)
  const rows: string[] = []
  let missed = 0
  for (const { name, foundBy, count, edits } of plantedBugs.filter(({ name }) => name.includes(only))) {
    const part = parts.find(part => part.name === foundBy) as Part
    const proved = await prove(part, { seed, count, root, signal: new AbortController().signal, planted: edits })
    const words = proved.report.findings[0]?.words ?? proved.broke?.split('\n')[0] ?? proved.left?.words
    // A bug that keeps the service from starting was not found by the proof.
    const found = hasFailed(proved) && !proved.broke?.includes(doesNotStart)
    if (!found) missed += 1
    rows.push(`| ${name} | ${foundBy}, ${count} ${part.of} | ${found ? '✓' : '✗'} ${words ?? 'not found'} |`)
    console.error(rows.at(-1))
  }
  console.log(['| Planted | Found by | As |', '|---|---|---|', ...rows].join('\n'))
  console.log(`${rows.length - missed} of ${rows.length} planted bugs found, by seed ${seed}.`)
  return missed > 0 ? 1 : 0
}

function commandOf(args: string[]): Command {
  try {
    return readCommand(args, parts)
  } catch (fault) {
    console.error(`${(fault as Error).message}\n${usage}`)
    process.exit(2)
  }
}
