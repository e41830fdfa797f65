import { Command } from 'commander'
import { version } from '../platform/process/version.ts'
import { settings } from './config.ts'

const width = Math.max(...Object.keys(settings).map(name => name.length))

const settingsTable = () =>
  Object.entries(settings)
    .map(([name, { meaning, default: usual }]) => `  ${name.padEnd(width)}  ${meaning}${usual && ` (${usual})`}`)
    .join('\n')

/** The options of `npm start -- …`: only questions, which are answered before the program ends. */
export function readStartOptions(args: readonly string[]): void {
  new Command('npm start --')
    .description('Starts the service. It is set up by its environment, or by the file that AFTERGLOW_ENV names.')
    .version(`Afterglow ${version}`, '--version', 'print the version')
    .helpOption('--help', 'print this')
    .addHelpText('after', () => `\nSettings, with their defaults:\n${settingsTable()}`)
    .allowExcessArguments(false)
    .parse(args, { from: 'user' })
}
