/** Finds the programs that the benchmark uses, or installs them if it runs as root on Debian. */
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { BenchRefused, output } from './processes.ts'

export type Tools = { readonly wrk: string; readonly pgbench: string }

const find = (name: string, alsoIn: readonly string[] = []): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...alsoIn]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** Debian has pgbench in the package of the server; no server is started. */
const known = {
  wrk: { packages: ['wrk'], folders: [] },
  haproxy: { packages: ['haproxy'], folders: ['/usr/sbin'] },
  nginx: { packages: ['nginx'], folders: ['/usr/sbin'] },
  pgbench: { packages: ['postgresql-15'], folders: globSync('/usr/lib/postgresql/*/bin').sort().reverse() },
} as const

export const findTools = async (): Promise<Tools> => ({ wrk: await tool('wrk'), pgbench: await tool('pgbench') })

/** A program that only some measurements need. */
export const findProgram = (name: 'haproxy' | 'nginx'): Promise<string> => tool(name)

const tool = async (name: keyof typeof known): Promise<string> => {
  const { packages, folders } = known[name]
  const installed = find(name, folders)
  if (installed !== undefined) return installed
  const apt = find('apt-get')
  if (apt !== undefined && process.getuid?.() === 0) {
    process.stdout.write(`Installing ${packages.join(' ')} for ${name}\n`)
    // Creates no cluster and starts no service: only the programs are needed.
    const env = {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
      RUNLEVEL: '1',
      PG_CLUSTER_CONF_ROOT: '/nonexistent',
    }
    await output(apt, ['install', '-y', '--no-install-recommends', ...packages], { env }).catch(() => {})
    const added = find(name, [...folders, ...globSync('/usr/lib/postgresql/*/bin')])
    if (added !== undefined) return added
  }
  throw new BenchRefused(
    `${name} is not on this machine: install it, on Debian by "apt-get install ${packages.join(' ')}".`,
  )
}
