/**
 * Builds the package that operators install: one tarball with JavaScript, the built dashboard and the migrations, which runs with
 * npm alone (docs/operators.md). `npm run package` writes it to release/out. The sources keep their folders, so that a file finds
 * others in the package as it does in the repository.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { bundleAgent } from '../packages/agent/src/bundle.ts'
import { version } from '../packages/agent/src/termux/version.ts'
import { builtDashboard } from '../packages/server/src/built-dashboard.ts'
import { minifiedScript, type Syntax } from '../packages/server/src/http/minify/minify-script.ts'
import { publicLine } from './minisign.ts'
import { lockedVersions, packageManifest } from './package-manifest.ts'
import { writeSboms } from './sbom.ts'
import { signAgent, signingKey } from './sign-agent.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** What the package replaces: these modules build something from sources, which the package has built already. */
const replaced: Readonly<Record<string, string>> = {
  'packages/server/src/http/minify/minify-script.ts': 'release/packed/packed-script.ts',
  'packages/agent/src/bundle.ts': 'release/packed/packed-agent.ts',
  'packages/server/src/built-dashboard.ts': 'release/packed/packed-dashboard.ts',
}

/** Modules that no other module imports: the command line, and the thread that calls receivers. */
const entries = ['packages/server/src/main.ts', 'packages/server/src/webhooks/calling/call-thread.ts']

/** Files that the code reads when it runs. */
const data = [
  'LICENSE',
  'CHANGELOG.md',
  'deploy/**/*',
  'migrations/**/*',
  'docs/guide/{ar,en,examples}/**/*',
  'packages/sdk/{package.json,README.md}',
  'packages/sdk/{bin,src,types}/**/*',
  'plugins/{vendure,medusa}/{package.json,README.md}',
  'plugins/vendure/{src,types}/**/*',
  'plugins/medusa/{src,types,.medusa/server}/**/*',
  'plugins/woocommerce/plugin/**/*.{php,js,txt,po,mo}',
  'sdks/php/{composer.json,autoload.php,README.md}',
  'sdks/php/src/**/*',
  'sdks/laravel/{composer.json,README.md}',
  'sdks/laravel/{config,database,routes,src}/**/*',
  'sdks/python/{pyproject.toml,README.md}',
  'sdks/python/src/**/*.py',
  'sdks/python/src/**/py.typed',
  'packages/server/src/http/**/*.{css,js}',
]

const replace: Plugin = {
  name: 'packed',
  resolveId: {
    order: 'pre',
    async handler(source, importer) {
      const found = await this.resolve(source, importer, { skipSelf: true })
      const instead = found === null ? undefined : replaced[relative(root, found.id)]
      return instead === undefined ? null : join(root, instead)
    },
  },
}

/** A name without a path is a package of npm, except for the workspaces of this repository and the helpers of the compiler. */
const isPackage = (id: string): boolean => !/^(?:[./\0]|@sanad\/|@oxc-project\/runtime\/|rolldown:)/.test(id)

const compile = async (into: string): Promise<void> => {
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: isPackage,
    plugins: [replace],
    treeshake: false,
    onwarn(warning) {
      throw new Error(warning.message)
    },
  })
  await build.write({
    dir: into,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: root,
    entryFileNames: '[name].js',
  })
  await build.close()
}

/** The scripts of pages are made small as the pages ask for it: `minifiedScript(new URL('./browser/x.ts', …), 'es5')`. */
const minify = (into: string): void => {
  const call = /minifiedScript\(new URL\('(\.[^']+\.ts)', import\.meta\.url\), '(es\d+)'\)/g
  for (const path of globSync('packages/server/src/http/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }))
    for (const [, file, syntax] of read(path).matchAll(call)) {
      const script = resolve(root, dirname(path), file!)
      const to = join(into, relative(root, script).replace(/\.ts$/, '.min.js'))
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, minifiedScript(pathToFileURL(script), syntax as Syntax))
    }
}

const copyData = (into: string): void => {
  for (const path of globSync(data, { cwd: root, withFileTypes: true })) {
    if (!path.isFile() || path.name.includes('.test.')) continue
    const from = join(path.parentPath, path.name)
    const to = join(into, relative(root, from))
    // A script that the code imports is compiled with it; another is read as it is.
    cpSync(from, to, { force: false })
  }
}

/** Builds the folder of the package. */
export const buildFolder = async (into: string, say: (line: string) => void): Promise<void> => {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  say('Compiling')
  await compile(into)
  minify(into)
  copyData(into)
  say('Bundling the agent')
  mkdirSync(join(into, 'packages/agent'), { recursive: true })
  const agent = await bundleAgent()
  writeFileSync(join(into, 'packages/agent/sanad-agent.mjs'), agent)
  const key = signingKey(undefined)
  if (key === undefined) say('The agent is not signed: SANAD_RELEASE_KEY_FILE names no key')
  else {
    const signature = signAgent(key, agent, version, new Date())
    writeFileSync(join(into, 'packages/agent/sanad-agent.mjs.minisig'), signature)
    say(`The agent is signed; public key ${publicLine(key)}`)
  }
  cpSync(await builtDashboard(say), join(into, 'packages/dashboard/dist'), { recursive: true })
  const described = packageManifest()
  writeFileSync(join(into, 'package.json'), json(described))
  writeFileSync(join(into, 'npm-shrinkwrap.json'), json(lockedVersions(described)))
  writeFileSync(join(into, 'packages/server/package.json'), json({ version: described.version, type: 'module' }))
  mkdirSync(join(into, 'bin'))
  cpSync(join(root, 'release/packed/sanad.js'), join(into, 'bin/sanad.js'))
  chmodSync(join(into, 'bin/sanad.js'), 0o755)
  cpSync(join(root, 'release/packed/README.md'), join(into, 'README.md'))
}

/** Builds the tarball in the folder, with its bills of materials beside it, and returns its path. */
export const buildPackage = async (out: string, say: (line: string) => void): Promise<string> => {
  const folder = join(out, 'package')
  await buildFolder(folder, say)
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', out],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (status !== 0) throw new Error(`npm pack failed (${status}):\n${stderr}`)
  const [packed] = JSON.parse(stdout) as [{ filename: string; size: number; unpackedSize: number; entryCount: number }]
  rmSync(folder, { recursive: true, force: true })
  for (const path of writeSboms(out)) say(path)
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
  say(
    `${packed.filename}: ${megabytes(packed.size)}, unpacked ${megabytes(packed.unpackedSize)}, ${packed.entryCount} files`,
  )
  return join(out, packed.filename)
}

if (import.meta.main) {
  const out = resolve(process.argv[2] ?? join(import.meta.dirname, 'out'))
  process.stdout.write(`${await buildPackage(out, (line) => void process.stdout.write(`${line}\n`))}\n`)
}
