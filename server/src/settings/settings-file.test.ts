import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command } from '../../test/command.ts'
import { newFolder } from '../../test/new-folder.ts'
import { gatherSettings } from './settings-file.ts'

const folder = newFolder('settings')
const fileOf = (text: string) => {
  const path = join(folder, `${Math.random()}.env`)
  writeFileSync(path, text)
  return path
}
/** Ignores a settings file on the machine that runs this. */
const noFile = { AFTERGLOW_ENV: '' }

describe('the settings file', () => {
  test('the service reads the settings file as the unit does, and the environment wins', () => {
    const AFTERGLOW_ENV = fileOf('# of the party\nPORT=4000\nMAIL_FROM="Party <party@party.example>"\n')
    expect(gatherSettings({ AFTERGLOW_ENV, PORT: '5000' })).toMatchObject({
      env: { PORT: '5000', MAIL_FROM: 'Party <party@party.example>' },
      inFile: new Set(['MAIL_FROM']),
      hints: [],
    })
  })

  test('a missing settings file is reported if it was named, instead of falling back to defaults', () => {
    const AFTERGLOW_ENV = join(folder, 'missing.env')
    expect(() => gatherSettings({ AFTERGLOW_ENV })).toThrow(
      `The settings in ${AFTERGLOW_ENV} cannot be read (ENOENT): AFTERGLOW_ENV names that file.`,
    )
  })

  test('the command line uses the settings file', async () => {
    const AFTERGLOW_ENV = fileOf(`DATA_DIR=${folder}/nowhere\n`)
    expect(await command({ AFTERGLOW_ENV }, ['users', 'list'])).toMatchObject({
      code: 1,
      err: `There is no Afterglow in ${folder}/nowhere: DATA_DIR names it.`,
    })
  })
})

describe('a misspelled setting', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['SMTP_URI', 'SMTP_URL'],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ])('%s is reported with the intended name', (name, meant) => {
    expect(gatherSettings({ ...noFile, [name]: 'x' }).hints).toEqual([`${name} is not known; did you mean ${meant}?`])
  })

  test('an unknown setting is reported always in the file, and in the environment if it resembles ours', () => {
    const AFTERGLOW_ENV = fileOf('GUEST_LIST=1\n')
    expect(gatherSettings({ AFTERGLOW_ENV, GUESTS: '1' }).hints).toEqual([
      `GUEST_LIST in ${AFTERGLOW_ENV} is not known here.`,
    ])
  })

  test('another program’s setting is no misspelling', () => {
    const others = { PGPORT: '1', HOSTNAME: 'x', NODE_OPTIONS: '', AWS_REGION: 'x', OPENID_23_NAME: 'x', LC_ALL: 'C' }
    expect(gatherSettings({ ...noFile, ...others }).hints).toEqual([])
  })
})

test('the doctor shows the effective settings and their origin, and no secret', async () => {
  const AFTERGLOW_ENV = fileOf('METRICS_TOKEN=planted-token-of-metrics\nPORT=4000\n')
  const env = { AFTERGLOW_ENV, DATA_DIR: folder, DATABASE_URL: 'postgres://me:planted-word@127.0.0.1:1/x' }
  const { out } = await command(env, ['doctor'])
  expect(out).toContain('PORT           4000')
  expect(out).not.toMatch(/planted/)
  const { code, out: json } = await command(env, ['--json', 'doctor'])
  expect(code).toBe(1)
  const { settings, version } = JSON.parse(json)
  expect(json).not.toMatch(/planted/)
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  expect(settings).toContainEqual({ setting: 'METRICS_TOKEN', value: '(hidden)', from: AFTERGLOW_ENV })
  expect(settings).toContainEqual({ setting: 'HOST', value: '127.0.0.1', from: 'default' })
  expect(settings).toContainEqual({
    setting: 'DATABASE_URL',
    value: 'postgres://me:…@127.0.0.1:1/x',
    from: 'environment',
  })
})

test('the doctor shows the version', async () => {
  expect((await command(noFile, ['--version'])).out).toMatch(/^Afterglow \d+\.\d+\.\d+(?:\+\w+)?$/)
})
