import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { newFolder } from './new-folder.ts'
import { nginx as program } from './tools.ts'
import { whenDone } from './when-done.ts'

/** nginx connects from an address of its own, so that only nginx is a proxy. */
export const proxyAddress = '127.0.0.2'

/** A location needs this to pass a WebSocket. */
export const upgrading = `proxy_http_version 1.1;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection "upgrade";`

const forwarding = `proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-For $remote_addr;`

type Nginx = {
  port?: number
  /** Additional directives of its location, beside `proxy_pass`. */
  location?: string
  /** Additional locations. */
  more?: string
}

/** A real nginx in front of a service. */
export const openNginx = async (service: string, { port, location = forwarding, more = '' }: Nginx = {}) => {
  const folder = newFolder('nginx')
  const at = port ?? (await freePort())
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const config = (location: string) => `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http {
      access_log off;
      ${paths.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
      server {
        listen 127.0.0.1:${at};
        client_max_body_size 0;
        location / {
          proxy_pass ${service};
          proxy_bind ${proxyAddress};
          ${location}
        }
        ${more}
      }
    }`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, config(location))
  const nginx: ChildProcess = spawn(program.path() ?? '', ['-c', file, '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  })
  whenDone(async () => {
    const exit = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await exit
  })
  const url = `http://127.0.0.1:${at}`
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), 20_000)
  return {
    url,
    /** Changes the configuration while it runs. */
    change(location: string) {
      writeFileSync(file, config(location))
      nginx.kill('SIGHUP')
    },
  }
}
