/** Finds the programs that the benchmark uses on the machine, or installs them where we may. */
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { BenchRefused, output } from './processes.ts'

export type Tools = { readonly wrk: string; readonly pgbench: string }

const find = (name: string, alsoIn: readonly string[] = []): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...alsoIn]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** Debian installs pgbench with the server package, which starts nothing here. */
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
  const there = find(name, folders)
  if (there !== undefined) return there
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
    const now = find(name, [...folders, ...globSync('/usr/lib/postgresql/*/bin')])
    if (now !== undefined) return now
  }
  throw new BenchRefused(
    `${name} is not on this machine: install it, on Debian by "apt-get install ${packages.join(' ')}".`,
  )
}
