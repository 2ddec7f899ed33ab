/**
 * The software bills of materials (CycloneDX, written by npm itself) beside the package: one for the packages that npm installs with
 * it, exactly those of its npm-shrinkwrap.json, and one for the packages whose code is in the built dashboard. `npm run sbom`
 * writes both to release/out; `npm run package` does it too.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { dashboardManifest, lockedVersions, packageManifest } from './package-manifest.ts'
import type { Manifest } from './shrinkwrap.ts'

type Reference = { readonly type: string; readonly url: string }
type Component = { readonly name: string; readonly externalReferences?: readonly Reference[] }
export type Sbom = {
  readonly metadata: { readonly component: Component } & Readonly<Record<string, unknown>>
  readonly components: readonly Component[]
}

/** Where a package was downloaded from is a fact of the builder's machine. The hash of each package stays. */
const withoutSource = <T extends Component>(component: T): T => ({
  ...component,
  externalReferences: (component.externalReferences ?? []).filter(({ type }) => type !== 'distribution'),
})

/** npm names the component by its folder; the name that it has is that of its package.json. */
export const corrected = <T extends Sbom>(sbom: T, name: string): T => ({
  ...sbom,
  metadata: { ...sbom.metadata, component: withoutSource({ ...sbom.metadata.component, name }) },
  components: sbom.components.map(withoutSource),
})

const sbomOf = (manifest: Manifest): Sbom => {
  const folder = mkdtempSync(join(tmpdir(), 'sanad-sbom-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'npm-shrinkwrap.json'), JSON.stringify(lockedVersions(manifest)))
    const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '--package-lock-only']
    const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...options], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status !== 0) throw new Error(`npm sbom failed (${status}):\n${stderr}`)
    return corrected(JSON.parse(stdout), manifest.name)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes the files into the folder, and returns their paths. */
export const writeSboms = (out: string): string[] => {
  mkdirSync(out, { recursive: true })
  return [packageManifest(), dashboardManifest()].map((manifest) => {
    const path = join(out, `${manifest.name}-${manifest.version}.cdx.json`)
    writeFileSync(path, `${JSON.stringify(sbomOf(manifest), null, 2)}\n`)
    return path
  })
}

if (import.meta.main) {
  const out = resolve(process.argv[2] ?? join(import.meta.dirname, 'out'))
  for (const path of writeSboms(out)) process.stdout.write(`${path}\n`)
}
