import { type Config, readConfig } from './config.ts'
import { CannotStart } from './platform/cannot-start.ts'
import { openErrorReports } from './platform/error-reports.ts'
import { openLog } from './platform/log.ts'
import { complain, outliveReaders, say } from './platform/terminal.ts'
import { version } from './platform/version.ts'
import { startService } from './service.ts'
import { gatherSettings } from './settings-file.ts'
import { readStartOptions } from './start-options.ts'
import { stopWhenAsked } from './stopping.ts'

const switchedOff = ({ push, providers, mail }: Config, videoTool: string | null) => [
  ...(providers.google || providers.apple || providers.facebook || providers.others.length > 0
    ? []
    : ['sign-in with Google, Apple or other providers']),
  ...(videoTool ? [] : ['video (neither ffmpeg nor node-av does here)']),
  ...(push.fcmServiceAccount ? [] : ['push to Android']),
  ...(push.apns ? [] : ['push to iOS']),
  ...(mail.smtpUrl ? [] : ['mail by SMTP (mails are written to DATA_DIR/mail)']),
]

outliveReaders()
try {
  readStartOptions(process.argv.slice(2))
  const { env, hints } = gatherSettings(process.env)
  for (const hint of hints) say(hint)
  const config = readConfig(env)
  const reports = config.sentryDsn === null ? undefined : await openErrorReports(config.sentryDsn)
  const log = await openLog(config.logLevel, reports?.report)
  const starting = startService(config, log)
  const stop = async () => {
    await (await starting).stop()
    await reports?.close()
  }
  stopWhenAsked(stop, log)
  const { address, postgresVersion, videoTool, walls } = await starting
  const database = config.databaseUrl ? 'DATABASE_URL' : 'embedded'
  const here = config.publicUrl ? ` (here: ${address})` : ''
  say(`Afterglow ${version} listens on ${config.publicUrl ?? address}${here}`)
  say(`Its data is in ${config.dataDir}, its database is PostgreSQL ${postgresVersion} (${database})`)
  say(walls)
  const off = switchedOff(config, videoTool)
  if (off.length > 0) say(`Switched off for now: ${off.join('; ')}`)
} catch (fault) {
  if (fault instanceof CannotStart) complain(fault.message)
  else console.error(fault)
  process.exit(1)
}
