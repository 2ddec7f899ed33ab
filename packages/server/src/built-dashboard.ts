/**
 * The dashboard's files, built from its sources when there are none or older ones: `npm start` on a fresh clone serves
 * them without a step more. A build is put in place whole, so that two processes that start at once do no harm to each
 * other, and every text file lies there compressed as well.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = resolve(import.meta.dirname, '../../..')
const home = join(root, 'packages/dashboard')
const built = join(home, 'dist')
const sources = [
  'packages/dashboard/{index.html,vite.config.ts,package.json}',
  'packages/dashboard/{src,public}/**/*.*',
  'packages/contract/src/dashboard/**/*.ts',
]

/** Of everything that the files are made from. */
const hashOfSources = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).sort()) hash.update(path).update(await readFile(join(root, path)))
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
    let said = ''
    for (const stream of [vite.stdout, vite.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    vite.on('error', fail)
    vite.on('exit', (code) =>
      code === 0 ? done() : fail(new Error(`The dashboard could not be built (${code}):\n${said}`)),
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

/** The folder of the files. */
export const builtDashboard = async (say: (line: string) => void): Promise<string> => {
  const stamp = await hashOfSources()
  if ((await stampOf(built)) === stamp) return built
  say('Building the dashboard, once ...')
  const fresh = await mkdtemp(join(home, 'dist-'))
  try {
    await runVite(fresh)
    await compress(fresh)
    await writeFile(join(fresh, '.stamp'), stamp)
    const old = join(home, `dist-old-${process.pid}`)
    await rename(built, old).catch(() => {})
    await rename(fresh, built).catch(async (fault) => {
      // Another start was quicker with the same sources.
      if ((await stampOf(built)) !== stamp) throw fault
    })
    await rm(old, { recursive: true, force: true })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return built
}
