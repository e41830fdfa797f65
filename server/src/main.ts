import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { channelProbe, tryUpgrade } from './platform/http/connections/try-upgrade.ts'
import { type ErrorReports, openErrorReports } from './platform/observability/error-reports.ts'
import { openLog } from './platform/observability/log.ts'
import { collectStartGarbage } from './platform/process/start-garbage.ts'
import { complain, outliveReaders, say } from './platform/process/terminal.ts'
import { version } from './platform/process/version.ts'
import { watchEventLoop } from './platform/process/watchdog.ts'
import { contactOf } from './platform/push/configured-push.ts'
import { notifySupervisor, startAsOneOfSeveral, whenHandedOver } from './processes/one-of-several.ts'
import { startProcesses } from './processes/supervisor.ts'
import { type Service, startService } from './service.ts'
import { type Config, readConfig } from './settings/config.ts'
import { gatherSettings } from './settings/settings-file.ts'
import { readStartOptions } from './settings/start-options.ts'
import { refusalOf } from './start-refusal.ts'
import { stopWhenAsked } from './stopping.ts'

const switchedOff = (config: Config, videoTool: string | null) => {
  const { push, providers, mail } = config
  return [
    ...(providers.google || providers.apple || providers.facebook || providers.others.length > 0
      ? []
      : ['sign-in with Google, Apple or other providers']),
    ...(videoTool ? [] : ['video (neither ffmpeg nor node-av does here)']),
    ...(push.fcmServiceAccount ? [] : ['push to Android']),
    ...(push.apns ? [] : ['push to iOS']),
    ...(mail.smtpUrl ? [] : ['mail by SMTP (mails are written to DATA_DIR/mail)']),
    ...(contactOf(config) ? [] : ['push to iPhones and Safari without an app (PUSH_CONTACT is not set)']),
  ]
}

outliveReaders()
const isOneOfSeveral = cluster.isWorker
try {
  readStartOptions(process.argv.slice(2))
  const { env, hints } = gatherSettings(process.env)
  if (!isOneOfSeveral) for (const hint of hints) say(hint)
  const config = readConfig(env)
  const reports = config.sentryDsn === null ? undefined : await openErrorReports(config.sentryDsn)
  const log = await openLog(config.logLevel, reports?.report)
  if (isOneOfSeveral) await beOneOfSeveral(config, log, reports)
  else if (config.processes > 1) await beSeveral(config, log, reports)
  else await beAlone(config, log, reports)
  collectStartGarbage()
  watchEventLoop()
} catch (fault) {
  const sentence = refusalOf(fault)
  if (sentence === undefined) console.error(fault)
  else if (isOneOfSeveral) await notifySupervisor({ afterglow: 'refused', sentence })
  else complain(sentence)
  process.exit(1)
}

async function beAlone(config: Config, log: Logger, reports?: ErrorReports) {
  const starting = startService(config, log)
  stopWhenAsked(stopOf(starting, reports), log)
  introduce(config, await starting)
}

async function beSeveral(config: Config, log: Logger, reports?: ErrorReports) {
  const starting = startProcesses(config, log)
  // At a terminal, a hangup means that it was closed.
  const restart = async () => (await starting).restart()
  stopWhenAsked(stopOf(starting, reports), log, process.stdout.isTTY ? undefined : restart)
  introduce(config, await starting)
  say(`${config.processes} processes serve it`)
}

async function beOneOfSeveral(config: Config, log: Logger, reports?: ErrorReports) {
  const starting = startAsOneOfSeveral(config, log)
  // A supervisor sends SIGHUP for its own purposes.
  stopWhenAsked(stopOf(starting, reports), log, () => {})
  const { handOver } = await starting
  whenHandedOver(async () => {
    await handOver()
    await reports?.close()
    process.exit(0)
  })
}

function stopOf(starting: Promise<{ stop(): Promise<void> }>, reports?: ErrorReports) {
  return async () => {
    await (await starting).stop()
    await reports?.close()
  }
}

function introduce(config: Config, { address, postgresVersion, videoTool, walls }: Service) {
  const database = config.databaseUrl ? 'DATABASE_URL' : 'embedded'
  const here = config.publicUrl ? ` (here: ${address})` : ''
  say(`Afterglow ${version} listens on ${config.publicUrl ?? address}${here}`)
  say(`Its data is in ${config.dataDir}, its database is PostgreSQL ${postgresVersion} (${database})`)
  say(walls)
  const off = switchedOff(config, videoTool)
  if (off.length > 0) say(`Switched off for now: ${off.join('; ')}`)
  if (config.publicUrl) void tellOfProxy(config.publicUrl)
  else
    say(
      `Behind a proxy, set PUBLIC_URL (and TRUSTED_PROXIES): without it, links and pictures lead to ${address}, which no guest reaches, and all share one limit`,
    )
}

/** A proxy that is not up yet is no fault. */
async function tellOfProxy(publicUrl: string) {
  const found = await tryUpgrade(publicUrl, channelProbe).catch(() => undefined)
  if (found !== 'lost') return
  say(`The proxy at ${publicUrl} drops the Upgrade header of WebSockets: everything comes later (docs/operators.md)`)
}
