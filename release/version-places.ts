/**
 * Where the version is written. Everything of this repository has one version: the service, the SDK, the agent and the plugins are
 * made, tested and released together.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

const manifests = (): string[] => [
  'package.json',
  ...globSync(['packages/*/package.json', 'plugins/*/package.json'], { cwd: root }).sort(),
  'sdks/php/composer.json',
  'sdks/laravel/composer.json',
]
const locks = (): string[] => ['package-lock.json', ...globSync('plugins/*/package-lock.json', { cwd: root }).sort()]
const agent = 'packages/agent/src/termux/version.ts'
const python = 'sdks/python/pyproject.toml'
/** The plugin of WordPress: its header, and its page for shops. */
const wordpress = {
  'plugins/woocommerce/plugin/sanad-for-woocommerce.php': /(?<=^ \* Version: )\S+/m,
  'plugins/woocommerce/plugin/readme.txt': /(?<=^Stable tag: )\S+/m,
}
/** Pages, and files for containers, that name the files of a release or its image. */
const pages = ['docs/operators.md', 'docs/agent.md', 'deploy/container/Dockerfile', 'deploy/container/env.example']
const nameInPage = /(?<=sanad-(?:dashboard-)?|version:|VERSION=|sanad:)\d+\.\d+\.\d+(?=\.tgz|\.cdx\.json|'|\s)/g

type Manifest = { version: string; dependencies?: Record<string, string> }
type Lock = Manifest & { packages: Record<string, Partial<Manifest> & { link?: boolean }> }

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
/** Our own packages in a lock file: not what npm installs, and no links to them. */
const isOwn = (place: string): boolean => !place.includes('node_modules/')

const changeManifest = (manifest: Partial<Manifest>, version: string): void => {
  if (manifest.version !== undefined) manifest.version = version
  for (const name of Object.keys(manifest.dependencies ?? {}))
    if (name.startsWith('@sanad/')) manifest.dependencies![name] = version
}

const changeLock = (lock: Lock, version: string): void => {
  lock.version = version
  for (const [place, entry] of Object.entries(lock.packages)) if (isOwn(place)) changeManifest(entry, version)
}

const changeJson = <T>(path: string, change: (value: T) => void): string => {
  const value: T = JSON.parse(read(path))
  change(value)
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Every file that names the version, as it is with this version. */
export const filesWith = (version: string): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...manifests().map((path) => [path, changeJson<Manifest>(path, (one) => changeManifest(one, version))]),
    ...locks().map((path) => [path, changeJson<Lock>(path, (one) => changeLock(one, version))]),
    ...pages.map((path) => [path, read(path).replace(nameInPage, version)]),
    ...Object.entries(wordpress).map(([path, place]) => [path, read(path).replace(place, version)]),
    [python, read(python).replace(/(?<=^version = ")[^"]+/m, version)],
    [agent, read(agent).replace(/(?<=version = ')[^']+/, version)],
  ])

export const currentVersion = (): string => (JSON.parse(read('package.json')) as Manifest).version

/** The files that do not agree with the version of the repository. */
export const disagreeing = (): string[] =>
  Object.entries(filesWith(currentVersion())).flatMap(([path, text]) => (text === read(path) ? [] : [path]))

export const setVersion = (version: string): string[] => {
  const changed = Object.entries(filesWith(version)).filter(([path, text]) => text !== read(path))
  for (const [path, text] of changed) writeFileSync(join(root, path), text)
  return changed.map(([path]) => path)
}
