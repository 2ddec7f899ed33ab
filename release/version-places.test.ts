import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isNewer } from './version-order.ts'
import { currentVersion, disagreeing, filesWith, root } from './version-places.ts'

test('every package, plugin, page and the agent have the version of the repository', () => {
  assert.deepEqual(disagreeing(), [])
})

test('another version changes every place that names it, and nothing else', () => {
  for (const [path, text] of Object.entries(filesWith('9.8.7'))) {
    const before = readFileSync(join(root, path), 'utf8')
    assert.notEqual(text, before, path)
    assert.equal(text.replaceAll('9.8.7', currentVersion()), before, path)
  }
})

test('versions are compared by their numbers, not as text', () => {
  assert.ok(isNewer('0.10.0', '0.9.9'))
  assert.ok(isNewer('1.0.0', '0.99.99'))
  assert.ok(!isNewer('0.2.0', '0.2.0'))
  assert.ok(!isNewer('0.2.0', '0.2.1'))
})

test('the releases are in order, each with its whole commit, and none is newer than this version', () => {
  const { releases } = JSON.parse(readFileSync(join(root, 'release/releases.json'), 'utf8')) as {
    releases: { version: string; commit: string; date: string }[]
  }
  for (const [place, { version, commit, date }] of releases.entries()) {
    assert.match(commit, /^[0-9a-f]{40}$/)
    assert.match(date, /^\d{4}-\d\d-\d\d$/)
    assert.ok(!isNewer(version, currentVersion()))
    if (place > 0) assert.ok(isNewer(version, releases[place - 1]!.version))
  }
})
