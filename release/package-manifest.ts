/** The package.json of what is shipped: of the package that operators install, and of the dashboard that is compiled into it. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packageName } from './package-name.ts'
import { type Manifest, shrinkwrapOf } from './shrinkwrap.ts'

const root = resolve(import.meta.dirname, '..')
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** Packages that only build or check what the package contains. */
const isBuildOnly = (name: string): boolean =>
  ['rolldown', 'vite', '@vitejs/plugin-react'].includes(name) || name.startsWith('@types/')

/** The dependencies of these workspaces that are not workspaces themselves. */
const dependenciesOf = (...workspaces: readonly string[]): Record<string, string> => {
  const all = workspaces.map((name) => readJson(`packages/${name}/package.json`).dependencies as Record<string, string>)
  const dependencies = Object.entries(Object.assign({}, ...all) as Record<string, string>)
  return Object.fromEntries(dependencies.filter(([name]) => !name.startsWith('@sanad/') && !isBuildOnly(name)))
}

export const packageManifest = (): Manifest & Record<string, unknown> => {
  const { version, description, license } = readJson('package.json')
  return {
    name: packageName,
    version,
    description,
    license,
    type: 'module',
    bin: { sanad: 'bin/sanad.js' },
    engines: { node: '>=22.19' },
    dependencies: dependenciesOf('contract', 'server'),
    optionalDependencies: readJson('packages/server/package.json').optionalDependencies,
  }
}

/** The packages whose code or fonts are in the built dashboard. npm does not install them with the package. */
export const dashboardManifest = (): Manifest & Record<string, unknown> => {
  const { version, license } = readJson('package.json')
  return {
    name: `${packageName}-dashboard`,
    version,
    description: `The dashboard of ${packageName}, compiled into its package.`,
    license,
    dependencies: dependenciesOf('contract', 'dashboard'),
    optionalDependencies: {},
  }
}

/** The exact versions for a manifest, from this repository's package-lock.json. */
export const lockedVersions = (manifest: Manifest): object => shrinkwrapOf(readJson('package-lock.json'), manifest)
