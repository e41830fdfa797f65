import { text } from 'node:stream/consumers'
import { outliveReaders } from '../platform/process/terminal.ts'
import { runCommand } from './program.ts'

outliveReaders()
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  print: said => console.log(said.trimEnd()),
  complain: said => console.error(said.trimEnd()),
  typed: () => text(process.stdin),
})
