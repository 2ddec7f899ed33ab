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

const tool = (name: keyof typeof known): Promise<string> => {
  const { packages, folders } = known[name]
  return needed(name, packages, async () => find(name, [...folders, ...globSync('/usr/lib/postgresql/*/bin')]))
}

const pythonPackages = ['python3-djangorestframework', 'python3-django-filters', 'python3-psycopg2', 'gunicorn']
const pythonImports = 'import django, django_filters, gunicorn, psycopg2, rest_framework'

/** A Python with Django REST framework and gunicorn. */
export const findPython = (): Promise<string> =>
  needed('Django REST framework', pythonPackages, async () => {
    for (const python of ['python3', '/usr/bin/python3']) {
      const hasAll = await output(python, ['-c', pythonImports]).then(
        () => true,
        () => false,
      )
      if (hasAll) return python
    }
    return undefined
  })

const needed = async (
  what: string,
  packages: readonly string[],
  look: () => Promise<string | undefined>,
): Promise<string> => {
  const installed = await look()
  if (installed !== undefined) return installed
  const apt = find('apt-get')
  if (apt !== undefined && process.getuid?.() === 0) {
    process.stdout.write(`Installing ${packages.join(' ')} for ${what}\n`)
    // Creates no cluster and starts no service: only the programs are needed.
    const env = {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
      RUNLEVEL: '1',
      PG_CLUSTER_CONF_ROOT: '/nonexistent',
    }
    // Another program may be installing packages; the list of packages may be old.
    const wait = ['-o', 'DPkg::Lock::Timeout=120']
    const install = [...wait, 'install', '-y', '--no-install-recommends', ...packages]
    for (const args of [install, [...wait, 'update'], install]) {
      await output(apt, args, { env }).catch(() => {})
      const added = await look()
      if (added !== undefined) return added
    }
  }
  throw new BenchRefused(
    `${what} is not on this machine: install it, on Debian by "apt-get install ${packages.join(' ')}".`,
  )
}
