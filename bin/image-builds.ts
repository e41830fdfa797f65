import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/* Test support for building images. */

export const has = (...programs: string[]) => programs.every(program => spawnSync(program, ['--version']).status === 0)

/** Tells npm about the certificate of an intercepting proxy. Writes below `folder`. */
export const buildingEnv = async (folder: string): Promise<NodeJS.ProcessEnv> => {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
  const certificate = process.env.NODE_EXTRA_CA_CERTS
  if (!certificate) return env
  const [npmrc, settings] = [join(folder, 'npmrc'), join(folder, 'containers.conf')]
  await writeFile(npmrc, 'cafile=/own.crt\n')
  const volumes = [`${certificate}:/own.crt:ro`, `${npmrc}:/root/.npmrc:ro`]
  await writeFile(settings, `[containers]\nvolumes = ${JSON.stringify(volumes)}\n`)
  return { ...env, CONTAINERS_CONF: settings }
}
