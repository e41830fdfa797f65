import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterglow } from '@afterglow/sdk'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../server/test/new-folder.ts'
import { whenDone } from '../server/test/when-done.ts'
import { buildingEnv, has } from './image-builds.ts'

/* Builds and runs the image as docs/operations/container.md does. It takes minutes. */

const root = join(import.meta.dirname, '..')
const run = async (program: string, args: string[], env = process.env) =>
  (await promisify(execFile)(program, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })).stdout.trim()
const podman = (...args: string[]) => run('podman', args)
/** A container's limits cannot exceed the host's. */
const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']

describe.runIf(has('buildah', 'podman'))('the image, where buildah and podman are', () => {
  test('the image builds and runs read-only without privileges, and its health check passes', {
    timeout: 1_200_000,
  }, async () => {
    const name = `afterglow-test-${process.pid}`
    const folder = newFolder('image')
    whenDone(async () => {
      await podman('rm', '--force', '--volumes', name).catch(() => {})
      await podman('rmi', '--force', name).catch(() => {})
    })
    await run('buildah', ['build', '--layers', '--format', 'docker', '--tag', name, '.'], await buildingEnv(folder))

    const walls = ['--read-only', '--cap-drop', 'all', ...limits]
    await podman('run', '--detach', '--name', name, ...walls, '--publish', '127.0.0.1::3000', name)
    const healthy = () =>
      podman('healthcheck', 'run', name).then(
        () => true,
        () => false,
      )
    await expect.poll(healthy, { timeout: 120_000, interval: 500 }).toBe(true)
    const person = {
      user_login_option_type: 1,
      user_password: 'a long password',
      device_id: 'phone',
      user_timezone: 'Europe/Madrid',
      user_device_platform: 'web',
    }
    const service = async () => afterglow({ baseUrl: `http://${await podman('port', name, '3000/tcp')}` })
    const { user } = await (await service()).accounts.register({
      ...person,
      user_first_name: 'Olivia',
      user_last_name: 'Ortega',
      user_username: 'olivia',
      user_email: 'olivia@example.com',
      user_password_confirmation: person.user_password,
    })

    const within = (...words: string[]) => podman('exec', name, ...words)
    expect(await within('id', '-u')).toBe('1000')
    for (const place of ['/', '/opt/afterglow', '/opt/afterglow/server/src', '/etc'])
      await expect(within('touch', join(place, 'written'))).rejects.toThrow(/Read-only file system|Permission denied/)
    await within('touch', '/data/written', '/tmp/written')
    expect(
      await within('node_modules/.bin/node', 'server/src/command/main.ts', 'doctor').catch(({ stdout }) => stdout),
    ).toContain('/data')

    await podman('stop', '--time', '90', name)
    expect(await podman('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0')
    await podman('start', name)
    await expect.poll(healthy, { timeout: 120_000, interval: 500 }).toBe(true)
    const again = await (await service()).accounts.authenticate({ ...person, user_login_id: 'olivia' })
    expect(again.user.id).toBe(user.id)
  })
})
