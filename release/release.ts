/**
 * `npm run release`: makes the release of the version that `npm run release:prepare` set and that is committed. It checks the commit,
 * runs every test, builds the files into release/out/VERSION, and tags the commit. Nothing leaves this machine: the last lines say
 * what to publish. It can be stopped and run again; finished files are made anew, and a tag of this commit counts as made.
 *
 *   --dry-run     checks and builds; runs no tests, makes no tag
 *   --tests-ran   the tests of this very commit ran elsewhere (a public CI); they are not run again
 *   --unsigned    makes a release that nobody has signed, and its notes say so; without it a key is needed (docs/releases.md)
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleAgent } from '../packages/agent/src/bundle.ts'
import { medusaPackage, sdkPackage, vendurePackage } from '../packages/server/src/http/guide/npm-packages.ts'
import { laravelPackage, phpPackage } from '../packages/server/src/http/guide/php-package.ts'
import { pythonSource, pythonWheel, sourceName, wheelName } from '../packages/server/src/http/guide/python-package.ts'
import { woocommercePackage } from '../packages/server/src/http/guide/woocommerce-package.ts'
import { buildPackage } from './build-package.ts'
import { notesOf } from './changelog.ts'
import { publicLine, signFile } from './minisign.ts'
import { whyNot } from './release-checks.ts'
import { shownKeys, signatureNotes, whyNotSigned } from './release-key.ts'
import { signAgent, signingKey } from './sign-agent.ts'
import { currentVersion, disagreeing, root } from './version-places.ts'

const options = {
  'dry-run': { type: 'boolean' },
  'tests-ran': { type: 'boolean' },
  unsigned: { type: 'boolean' },
} as const
const { values } = parseArgs({ options })
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const version = currentVersion()
const tag = `v${version}`
const out = join(root, 'release/out', version)

const git = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout.trim()
}

const commit = git('rev-parse', 'HEAD')
const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
const tagged = git('tag', '--list', tag) === '' ? undefined : git('rev-list', '-n', '1', tag)
const key = signingKey(undefined)
const publicKey = key && publicLine(key)
const why = whyNot({
  version,
  changes: git('status', '--porcelain'),
  branch: git('rev-parse', '--abbrev-ref', 'HEAD'),
  commit,
  tagged,
  notes,
  disagreeing: disagreeing(),
  released: JSON.parse(readFileSync(join(root, 'release/releases.json'), 'utf8')).releases,
  migrations: readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql')),
  pinned: JSON.parse(readFileSync(join(root, 'migrations/released.json'), 'utf8')).files,
  hashOf: (name) =>
    createHash('sha256')
      .update(readFileSync(join(root, 'migrations', name)))
      .digest('hex'),
})
why.push(...whyNotSigned(publicKey, shownKeys(root), values.unsigned === true))
if (why.length > 0) {
  process.stderr.write(`${version} cannot be released:\n${why.map((one) => `- ${one}`).join('\n')}\n`)
  process.exit(1)
}

if (values['dry-run'] || values['tests-ran']) say('The tests are not run here.')
else {
  say('Running every test (.ci/run)')
  const { status } = spawnSync('bash', ['.ci/run'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
await buildPackage(out, say)
writeFileSync(join(out, `sanad-sdk-${version}.tgz`), sdkPackage())
writeFileSync(join(out, `sanad-vendure-${version}.tgz`), vendurePackage())
writeFileSync(join(out, `sanad-medusa-${version}.tgz`), medusaPackage())
writeFileSync(join(out, `sanad-for-woocommerce-${version}.zip`), woocommercePackage())
writeFileSync(join(out, `sanad-php-${version}.zip`), phpPackage())
writeFileSync(join(out, `sanad-laravel-${version}.zip`), laravelPackage())
writeFileSync(join(out, wheelName()), pythonWheel())
writeFileSync(join(out, sourceName()), pythonSource())
writeFileSync(join(out, 'NOTES.md'), `# Sanad ${version}\n\n${notes}\n\n${signatureNotes(publicKey)}\n`)
const agent = await bundleAgent()
writeFileSync(join(out, 'sanad-agent.mjs'), agent)
const now = new Date()
if (key !== undefined) writeFileSync(join(out, 'sanad-agent.mjs.minisig'), signAgent(key, agent, version, now))

const sums = readdirSync(out)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex')}  ${name}\n`,
  )
  .join('')
writeFileSync(join(out, 'SHA256SUMS'), sums)
if (key === undefined) say('UNSIGNED, as --unsigned says; the notes say so too.')
else {
  const comment = `timestamp:${Math.trunc(now.getTime() / 1000)}\tfile:SHA256SUMS\tversion:${version}\thashed`
  writeFileSync(join(out, 'SHA256SUMS.minisig'), signFile(key, Buffer.from(sums), comment))
  say(`Signed; public key ${publicLine(key)}`)
}

if (values['dry-run']) say(`Not tagged. The files are in release/out/${version}.`)
else {
  if (tagged === undefined) {
    const canSign = spawnSync('git', ['config', 'user.signingkey'], { cwd: root }).status === 0
    git('tag', canSign ? '-s' : '-a', tag, '-m', `Sanad ${version}${key === undefined ? ' (UNSIGNED)' : ''}`)
  }
  say(`
${tag} is tagged at ${commit}. The files are in release/out/${version}. Now:
1. git push origin ${tag}
2. publish the files with NOTES.md as the text
3. npm run release:next -- THE_VERSION_AFTER_IT, and commit it: the next upgrade is tested from this version`)
}
