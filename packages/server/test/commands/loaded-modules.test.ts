/** A start loads what it needs, and no library that is needed only when somebody uses it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const listing = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  await import(${JSON.stringify(new URL('../../src/serve.ts', import.meta.url).href)})
  console.log(JSON.stringify(loaded))
`

test('the service loads no passkeys, mail, notifications or Redis before somebody uses them', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', listing], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  const loaded = JSON.parse(output) as string[]
  const packages = new Set(loaded.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))
  assert.ok(packages.has('fastify') && packages.has('pg'), [...packages].join())
  const lazy = ['@simplewebauthn/server', '@peculiar/x509', 'reflect-metadata', 'nodemailer', 'web-push', 'redis']
  assert.deepEqual(
    lazy.filter((name) => packages.has(name)),
    [],
  )
})
