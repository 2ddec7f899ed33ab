/**
 * `npm run release:prepare -- 0.3.0`: sets the version everywhere, names the part of the changelog, and writes the OpenAPI documents
 * again. With the key that signs releases (docs/releases.md) it writes the public half into the pages. It commits nothing: read the change, then commit it, then run `npm run release`.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cutChangelog } from './changelog.ts'
import { publicLine } from './minisign.ts'
import { showKey } from './release-key.ts'
import { signingKey } from './sign-agent.ts'
import { isNewer, versionPattern } from './version-order.ts'
import { currentVersion, root, setVersion } from './version-places.ts'

const [version = ''] = process.argv.slice(2)
const fail = (why: string): never => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
if (!versionPattern.test(version)) fail('Name the new version, such as 0.3.0: npm run release:prepare -- 0.3.0')
if (isNewer(currentVersion(), version)) fail(`This is ${currentVersion()} already, which is newer than ${version}.`)

const path = join(root, 'CHANGELOG.md')
try {
  writeFileSync(path, cutChangelog(readFileSync(path, 'utf8'), version, new Date().toISOString().slice(0, 10)))
} catch (fault) {
  fail((fault as Error).message)
}
const key = signingKey(undefined)
const pages = key === undefined ? [] : showKey(root, publicLine(key))
for (const changed of ['CHANGELOG.md', ...setVersion(version), ...pages]) process.stdout.write(`${changed}\n`)
const { status } = spawnSync('npm', ['run', 'dumps'], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
