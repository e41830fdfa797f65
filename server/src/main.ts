import { type Config, readConfig } from './config.ts'
import { CannotStart } from './platform/cannot-start.ts'
import { openErrorReports } from './platform/error-reports.ts'
import { openLog } from './platform/log.ts'
import { startService } from './service.ts'
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

try {
  const config = readConfig(process.env)
  const reports = config.sentryDsn === null ? undefined : await openErrorReports(config.sentryDsn)
  const log = openLog(config.logLevel, reports?.report)
  const starting = startService(config, log)
  const stop = async () => {
    await (await starting).stop()
    await reports?.close()
  }
  stopWhenAsked(stop, log)
  const { address, postgresVersion, videoTool } = await starting
  const database = config.databaseUrl ? 'DATABASE_URL' : 'embedded'
  console.log(
    `Afterglow listens on ${config.publicUrl ?? address}`.concat(config.publicUrl ? ` (here: ${address})` : ''),
  )
  console.log(`Its data is in ${config.dataDir}, its database is PostgreSQL ${postgresVersion} (${database})`)
  const off = switchedOff(config, videoTool)
  if (off.length > 0) console.log(`Switched off for now: ${off.join('; ')}`)
} catch (fault) {
  console.error(fault instanceof CannotStart ? fault.message : fault)
  process.exit(1)
}
