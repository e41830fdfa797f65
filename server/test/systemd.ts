import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder } from './new-folder.ts'
import { systemd } from './tools.ts'

const tree = join(import.meta.dirname, '../..')

/**
 * A machine beside this one: its own processes, files and control groups, systemd as its first process, our network.
 */
export type Machine = {
  run(program: string, ...args: string[]): string
  read(path: string): string
  stop(): Promise<void>
}

/**
 * It runs on a disposable copy of this machine's files, with the project read-only below /opt/afterglow, as two
 * releases, of which the later is current. systemd starts the units in `files` below /etc/systemd/system, and nothing
 * else.
 */
export const openMachine = async (files: Record<string, string>): Promise<Machine> => {
  const home = newFolder('machine')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, 'files', name, '..'), { recursive: true })
    writeFileSync(join(home, 'files', name), text)
  }
  writeFileSync(join(home, 'boot'), boot)
  const group = `afterglow-machine-${randomUUID()}`
  const child = spawn('bash', [join(home, 'boot'), home, tree, process.execPath, group], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const first = await firstProcess(child, () => said)
  const inside = ['--target', String(first), '--mount', '--pid', '--cgroup', '--ipc', '--uts', '--root', '--wd']
  const run = (program: string, ...args: string[]) =>
    execFileSync('nsenter', [...inside, program, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const isUp = () => {
    try {
      run('systemctl', 'show', '--property=Version')
      return true
    } catch {
      return false
    }
  }
  while (!isUp()) {
    if (child.exitCode !== null) throw new Error(`systemd ended: ${said}`)
    await sleep(100)
  }
  return {
    run,
    read: path => readFileSync(`/proc/${first}/root${path}`, 'utf8'),
    async stop() {
      const gone = once(child, 'exit')
      // Killing the first process ends the whole machine.
      process.kill(first, 'SIGKILL')
      await gone
      spawnSync('unshare', ['--mount', 'sh', '-c', forget, group])
    },
  }
}

/** bash becomes unshare, whose only child becomes systemd. */
async function firstProcess(child: ChildProcess, said: () => string): Promise<number> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`no machine: ${said()}`)
    const below = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
    const pid = Number(below[0])
    if (pid > 0 && textOf(`/proc/${pid}/comm`).trim() === 'systemd') return pid
    await sleep(50)
  }
}

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const forget = 'mount -t cgroup2 none /mnt && find "/mnt/$0" -depth -type d -exec rmdir {} +'

const boot = `
set -euo pipefail
# In a control group of its own, which is then all that its systemd sees.
unshare --mount bash -c 'mount -t cgroup2 none /mnt && mkdir /mnt/$0 && echo '$$' > /mnt/$0/cgroup.procs' "$4"
exec unshare --mount --pid --fork --cgroup --ipc --uts --kill-child bash -euo pipefail -c '
  home=$0 tree=$1 node=$2
  mount --make-rprivate /
  mount -t tmpfs tmpfs /mnt
  mkdir /mnt/files /mnt/upper /mnt/work /mnt/root
  cp -r "$home/files/." /mnt/files
  mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
  root=/mnt/root
  app=$root/opt/afterglow
  for release in before now; do
    mkdir -p $app/releases/$release
    mount --bind "$tree" $app/releases/$release
    mount -o remount,bind,ro $app/releases/$release
  done
  ln -s releases/before $app/previous
  ln -s releases/now $app/current
  mount -t proc proc $root/proc
  mount --bind $root/proc/sys $root/proc/sys
  mount -o remount,bind,ro $root/proc/sys
  mount -t sysfs -o ro sysfs $root/sys
  mount -t cgroup2 cgroup2 $root/sys/fs/cgroup
  for place in dev run tmp var/tmp var/lib; do mount -t tmpfs -o mode=755 tmpfs $root/$place; done
  chmod 1777 $root/tmp $root/var/tmp
  for name in null zero full random urandom tty; do touch $root/dev/$name; mount --bind /dev/$name $root/dev/$name; done
  mkdir $root/dev/shm && chmod 1777 $root/dev/shm
  ln -s /proc/self/fd $root/dev/fd
  [ -e $root/usr/bin/node ] || ln -s "\${node/#$tree//opt/afterglow/current}" $root/usr/bin/node
  echo "afterglow:x:987:987::/var/lib/afterglow:/usr/sbin/nologin" >> $root/etc/passwd
  echo "afterglow:x:987:" >> $root/etc/group
  : > $root/etc/fstab
  cp -r /mnt/files/. $root/etc/systemd/system
  # Not chroot: the kernel gives no user namespaces inside one, and bubblewrap needs them.
  mkdir $root/.old
  cd $root
  pivot_root . .old
  cd /
  umount --lazy /.old
  exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
    ${systemd.path()} --system --unit=only.target --log-target=null --show-status=no
' "$@"
`
