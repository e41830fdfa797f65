import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
export const keys = { accessKeyId: 'AFTERGLOWTEST', secretAccessKey: 'only-for-tests' }

/** A real S3 server in memory: one monitor, one object daemon, one gateway. Takes some seconds to start. */
export const openCeph = async (directory: string) => {
  const [mon, mon1, gateway] = [await freePort(), await freePort(), await freePort()]
  const conf = join(directory, 'ceph.conf')
  const keyring = join(directory, 'keyring')
  const data = (name: string) => join(directory, name)
  await mkdir(data('mon'), { recursive: true })
  await mkdir(data('osd'), { recursive: true })
  const [fsid, osdUuid] = [randomUUID(), randomUUID()]
  await writeFile(
    conf,
    `[global]
fsid = ${fsid}
mon_host = [v2:127.0.0.1:${mon},v1:127.0.0.1:${mon1}]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_port_min = 20000
ms_bind_port_max = 32000
keyring = ${keyring}
run_dir = ${directory}
admin_socket =
log_file =
mon_cluster_log_file = /dev/null
log_to_stderr = false
err_to_stderr = false
mon_data = ${data('mon')}
osd_data = ${data('osd')}
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_class_load_list = *
osd_class_default_list = *
mon_allow_pool_size_one = true
mon_allow_pool_delete = true
auth_allow_insecure_global_id_reclaim = true
mon_max_pg_per_osd = 1000
mon_data_avail_warn = 1
mon_data_avail_crit = 0
rgw_frontends = beast endpoint=127.0.0.1:${gateway}
rgw_enable_usage_log = false
rgw_enable_ops_log = false
rgw_thread_pool_size = 32
`,
  )
  const ceph = (program: string, ...args: string[]) => run(program, ['--conf', conf, ...args])
  const processes: ChildProcess[] = []
  // The servers end with this process, however it ends.
  const serve = (program: string, ...args: string[]) => {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, '--conf', conf, '-f', ...args], { stdio: 'ignore' })
    processes.push(child)
    return child
  }

  const stop = async () => {
    for (const child of processes) {
      if (isGone(child)) continue
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
  }
  const endpoint = `http://127.0.0.1:${gateway}`

  try {
    const grant = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *']
    await run('ceph-authtool', [keyring, '--create-keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *'])
    for (const name of ['client.admin', 'osd.0'])
      await run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...grant])
    const monmap = join(directory, 'monmap')
    const addresses = `[v2:127.0.0.1:${mon},v1:127.0.0.1:${mon1}]`
    await run('monmaptool', ['--create', '--clobber', '--fsid', fsid, '--addv', 'a', addresses, monmap])
    await ceph('ceph-mon', '--mkfs', '-i', 'a', '--monmap', monmap, '--keyring', keyring)
    serve('ceph-mon', '-i', 'a')
    await ceph('ceph', 'osd', 'new', osdUuid, '0')
    await ceph('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', osdUuid)
    serve('ceph-osd', '-i', '0')
    const admin = ['--access-key', keys.accessKeyId, '--secret-key', keys.secretAccessKey]
    serve('radosgw', '-n', 'client.admin')
    await ceph('radosgw-admin', 'user', 'create', '--uid', 'test', '--display-name', 'test', ...admin)
    for (let waited = 0; !(await answers(endpoint)); waited += 100) {
      const ended = processes.find(isGone)
      if (ended || waited > 60_000)
        throw new Error(
          `The S3 server does not start${ended ? `: ${ended.spawnargs.slice(3).join(' ')} has ended` : ''}`,
        )
      await sleep(100)
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint, stop }
}

const isGone = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

const answers = (endpoint: string) =>
  fetch(endpoint).then(
    reply => reply.status < 500,
    () => false,
  )
