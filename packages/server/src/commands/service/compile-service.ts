/**
 * A program: compiles the service to a few files in the folder that is its argument, and writes beside them which files they were made
 * of. `bin/compiled-service.js` starts it some time after a start from the sources, and later starts run what it made while nothing
 * has changed. It writes into a new folder, and then the manifest that names it; whatever fails, the sources run.
 *
 * Packages that npm installed are loaded as ever, except for those of which each module is a file of its own and there are hundreds.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { type FileState, installation, manifest, stateOf } from '../../../bin/compiled-service.js'
import { builtDashboard, dashboardSources } from '../../built-dashboard.ts'
import { minifiedScript, type Syntax } from '../../http/minify/minify-script.ts'

const root = resolve(installation)
const at = (path: string): string => join(root, path)

/** Packages that are compiled with the service: hundreds of small modules without any state. */
const compiledPackages = /[\\/]node_modules[\\/](?:typebox|jose|uuid|@noble[\\/]hashes)[\\/]/

/** What the compiled service depends on beside the modules in it: their packages, and what was made of other sources. */
const alsoRead = [
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'packages/*/package.json',
  'packages/server/bin/*.js',
  'packages/server/src/http/**/browser/*',
  ...dashboardSources,
  'packages/dashboard/dist/.stamp',
  // A folder changes when a file is added.
  'packages/dashboard/{src,public}',
  'packages/dashboard/{src,public}/**/*',
]

const minifyCall = /minifiedScript\(new URL\('(\.[^']+\.ts)', import\.meta\.url\), '(es\d+)'\)/g

/** Modules that make something of sources when they run: here it is made once. */
const ready = async (): Promise<Record<string, string>> => {
  const dashboard = await builtDashboard(() => {})
  return {
    [at('packages/server/src/built-dashboard.ts')]:
      `export const builtDashboard = async () => ${JSON.stringify(dashboard)}`,
    [at('packages/server/src/http/minify/minify-script.ts')]:
      `export const minifiedScript = (file) => { throw new Error('not compiled: ' + file) }`,
  }
}

const compile = async (into: string): Promise<{ readonly main: string; readonly modules: readonly FileState[] }> => {
  const modules: FileState[] = []
  const instead = await ready()
  const plugin: Plugin = {
    name: 'service',
    resolveId: {
      order: 'pre',
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true })
        if (found === null || found.external || !found.id.includes('node_modules')) return null
        return compiledPackages.test(found.id) ? null : { id: pathToFileURL(found.id).href, external: true }
      },
    },
    load(id) {
      // Before it is read.
      if (isAbsolute(id)) modules.push(stateOf(id))
      return instead[id]
    },
    transform(code, id) {
      return code
        .replace(minifyCall, (_, file: string, syntax: string) =>
          JSON.stringify(minifiedScript(new URL(file, pathToFileURL(id)), syntax as Syntax)),
        )
        .replaceAll('import.meta.dirname', () => JSON.stringify(dirname(id)))
        .replaceAll('import.meta.filename', () => JSON.stringify(id))
        .replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(id).href))
    },
  }
  const build = await rolldown({
    cwd: root,
    input: { main: at('packages/server/src/main.ts') },
    platform: 'node',
    // Those of Node for an import.
    resolve: { conditionNames: ['node', 'import', 'module-sync', 'node-addons', 'default'] },
    plugins: [plugin],
    treeshake: false,
    // A busy machine is no fault.
    checks: { pluginTimings: false },
    onwarn(warning) {
      throw new Error(warning.message)
    },
  })
  const { output } = await build.write({
    dir: into,
    format: 'esm',
    entryFileNames: '[name]-[hash].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
  })
  await build.close()
  const main = output.find((file) => file.type === 'chunk' && file.isEntry)
  return { main: main!.fileName, modules }
}

/** The folder that the manifest names; a service that runs may still load one of its files. */
const currentBuild = (folder: string): string | undefined => {
  try {
    return dirname(JSON.parse(readFileSync(join(folder, manifest), 'utf8')).main)
  } catch {
    return undefined
  }
}

/** On the disk before the manifest names it. */
const flush = (path: string): void => {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

const run = async (folder: string): Promise<void> => {
  os.setPriority(os.constants.priority.PRIORITY_LOW)
  // Before anything is read: what changes meanwhile makes the result out of date.
  const others = globSync(alsoRead, { cwd: root }).map((path) => stateOf(at(path)))
  // The data directory is not created here: where PostgreSQL is elsewhere, there may be none.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const fresh = mkdtempSync(join(folder, 'build-'))
  const earlier = currentBuild(folder)
  try {
    const { main, modules } = await compile(fresh)
    const written = readdirSync(fresh).map((name) => join(fresh, name))
    for (const path of written) flush(path)
    const files = [...others, ...modules, ...written.map(stateOf)]
    const draft = join(fresh, manifest)
    const build = basename(fresh)
    const made = { node: process.version, installation, main: `${build}/${main}`, files }
    writeFileSync(draft, JSON.stringify(made), { flush: true })
    renameSync(draft, join(folder, manifest))
    for (const name of readdirSync(folder))
      if (name.startsWith('build-') && name !== build && name !== earlier)
        rmSync(join(folder, name), { recursive: true, force: true })
  } catch (fault) {
    rmSync(fresh, { recursive: true, force: true })
    throw fault
  }
}

await run(resolve(process.argv[2]!))
