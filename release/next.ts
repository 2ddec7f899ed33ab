/**
 * `npm run release:next -- 0.3.0`: after a release was tagged, moves the tree on. It adds the release with its commit to
 * release/releases.json, so that the next upgrade is tested from it; opens the changelog again; and sets the version that comes next
 * everywhere, so that nothing that is built from now on carries the name of the release. It commits nothing.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changelogParts, openChangelog } from './changelog.ts'
import { isNewer, versionPattern } from './version-order.ts'
import { currentVersion, root, setVersion } from './version-places.ts'

const [next = ''] = process.argv.slice(2)
const fail = (why: string): never => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
const released = currentVersion()
if (!versionPattern.test(next) || !isNewer(next, released))
  fail(`Name a version after ${released}: npm run release:next -- 0.3.0`)

const { status, stdout } = spawnSync('git', ['rev-list', '-n', '1', `v${released}`], { cwd: root, encoding: 'utf8' })
if (status !== 0) fail(`${released} has no tag: npm run release makes it.`)
const changelogPath = join(root, 'CHANGELOG.md')
const changelog = readFileSync(changelogPath, 'utf8')
const date = changelogParts(changelog)
  .find(({ title }) => title.startsWith(`${released}, `))
  ?.title.split(', ')[1]
if (date === undefined) fail(`CHANGELOG.md has no part "${released}, DAY".`)

const releasesPath = join(root, 'release/releases.json')
const { about, releases } = JSON.parse(readFileSync(releasesPath, 'utf8')) as {
  about: string
  releases: { version: string; commit: string; date: string }[]
}
if (releases.some(({ version }) => version === released)) fail(`release/releases.json has ${released} already.`)
try {
  writeFileSync(changelogPath, openChangelog(changelog))
} catch (fault) {
  fail((fault as Error).message)
}
const all = [...releases, { version: released, commit: stdout.trim(), date: date! }]
const lines = all.map(
  (one) =>
    `    ${JSON.stringify(one)
      .replaceAll(/([{,:])(?=")/g, '$1 ')
      .replace('}', ' }')}`,
)
writeFileSync(releasesPath, `{\n  "about": ${JSON.stringify(about)},\n  "releases": [\n${lines.join(',\n')}\n  ]\n}\n`)
for (const changed of ['CHANGELOG.md', 'release/releases.json', ...setVersion(next)])
  process.stdout.write(`${changed}\n`)
process.exit(spawnSync('npm', ['run', 'dumps'], { cwd: root, stdio: 'inherit' }).status ?? 1)
