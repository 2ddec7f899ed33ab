/**
 * The dashboard's files, built from its sources if they are missing or out of date: `npm start` on a fresh clone serves them
 * without a further step, and `sanad build` builds them beforehand for a user who may only read them. A finished build is
 * moved into place as a whole, so that two processes may start at once. Every text file also exists in compressed form.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { CommandError } from './command-error.ts'

const root = resolve(import.meta.dirname, '../../..')
const home = join(root, 'packages/dashboard')
const built = join(home, 'dist')
/** What the files are built from, also by imports (dashboard-sources.test.ts). */
export const dashboardSources = [
  'packages/dashboard/{index.html,vite.config.ts,package.json}',
  'packages/dashboard/{src,public}/**/*.*',
  'packages/contract/src/{*.ts,dashboard/**/*.ts}',
  'packages/server/src/http/voucher/browser/voucher-paper.css',
]

/** A hash of everything that the files are built from. */
const hashOfSources = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const path of globSync(dashboardSources, { cwd: root }).sort())
    hash.update(path).update(await readFile(join(root, path)))
  return hash.digest('hex')
}

const stampOf = (folder: string): Promise<string> => readFile(join(folder, '.stamp'), 'utf8').catch(() => '')

const runVite = (into: string): Promise<void> =>
  new Promise((done, fail) => {
    const vite = spawn(
      process.execPath,
      [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', into, '--emptyOutDir', '--logLevel', 'warn'],
      { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    for (const stream of [vite.stdout, vite.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    vite.on('error', fail)
    vite.on('exit', (code) =>
      code === 0 ? done() : fail(new Error(`The dashboard could not be built (${code}):\n${output}`)),
    )
  })

const compress = async (folder: string): Promise<void> => {
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  for (const path of globSync('**/*.{js,css,html,svg,webmanifest}', { cwd: folder })) {
    const bytes = await readFile(join(folder, path))
    await writeFile(join(folder, `${path}.br`), await promisify(brotliCompress)(bytes, best))
    await writeFile(join(folder, `${path}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
}

/** Lets every user read the files, whatever the umask is: another user may serve them, and none is secret. */
const makeReadable = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const path of globSync('**/*', { cwd: folder })) {
    const isFolder = (await stat(join(folder, path))).isDirectory()
    await chmod(join(folder, path), isFolder ? 0o755 : 0o644)
  }
  await chmod(join(folder, '.stamp'), 0o644)
}

const newFolder = async (): Promise<string> => {
  try {
    return await mkdtemp(join(home, 'dist-'))
  } catch (cause) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause
    throw new CommandError(
      `The dashboard is not built, and this user may not write to ${home}: run "npx --no sanad build" there once as its owner.`,
      { cause },
    )
  }
}

/** The folder of the files. If they are up to date, nothing is written. */
export const builtDashboard = async (say: (line: string) => void): Promise<string> => {
  const stamp = await hashOfSources()
  if ((await stampOf(built)) === stamp) {
    // An earlier version made the folder readable for its owner only.
    const { mode, uid } = await stat(built)
    if ((mode & 0o005) !== 0o005 && uid === process.getuid?.()) await makeReadable(built)
    return built
  }
  const fresh = await newFolder()
  try {
    say('Building the dashboard, once ...')
    await runVite(fresh)
    await compress(fresh)
    await writeFile(join(fresh, '.stamp'), stamp)
    await makeReadable(fresh)
    const old = join(home, `dist-old-${process.pid}`)
    await rename(built, old).catch(() => {})
    await rename(fresh, built).catch(async (fault) => {
      // Another process has built the same sources in the meantime.
      if ((await stampOf(built)) !== stamp) throw fault
    })
    await rm(old, { recursive: true, force: true })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return built
}
