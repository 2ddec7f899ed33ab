/**
 * Every body of the dashboard API is described once: the server reads it with a reader that is made from the schema in the
 * contract. This test sends wrong bodies to each call of the contract and compares the errors with those of the reader. A
 * new call is checked as soon as it is described.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { changeMember } from '@sanad/contract/dashboard/people/members'
import { changePassword } from '@sanad/contract/dashboard/people/own-settings'
import { DashboardProvider, NewProvider } from '@sanad/contract/dashboard/wallets/providers'
import {
  MarkedText,
  NewTemplate,
  SentenceTrial,
  TemplatePreview,
} from '@sanad/contract/dashboard/wallets/template-bodies'
import { NewWallet } from '@sanad/contract/dashboard/wallets/wallets'
import { NewWebhook } from '@sanad/contract/dashboard/webhooks/webhook-bodies'
import type { Operation } from '@sanad/contract/operation'
import type { TSchema } from 'typebox'
import { passwordLength } from '../../../src/accounts/people/password.ts'
import { roles } from '../../../src/accounts/people/permission.ts'
import { mostPreviewed } from '../../../src/alerts/publishing/preview-template.ts'
import { SHIPPED_PROVIDERS } from '../../../src/alerts/shipped/shipped-templates.ts'
import { LONGEST_SENTENCE, MOST_SLOTS } from '../../../src/alerts/templates/template-sentence.ts'
import { LONGEST_TEXT } from '../../../src/alerts/texts/normalise.ts'
import { zoneOf } from '../../../src/core/zone.ts'
import { parseJson } from '../../../src/http/body/json.ts'
import type { Keywords } from '../../../src/http/body/schema-keywords.ts'
import { bodyReader } from '../../../src/http/body/schema-reader.ts'
import { longestPackage } from '../../../src/wallets/providers/provider-packages.ts'
import { mostPhonesOfWallet } from '../../../src/wallets/wallet-phones.ts'
import { URL_LENGTH } from '../../../src/webhooks/calling/guard-url.ts'
import { openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'
import { otherAccountObjects, type PathIds } from './other-account-objects.ts'

/** Bodies whose fields depend on each other. They have their own readers, in http/body/merchant and http/checkout. */
const merchantBodies = new Set(['createIntent', 'attachReference', 'createCheckout'])

const withBody = dashboardOperations.filter(
  (operation): operation is Operation & { body: TSchema } => operation.body !== undefined,
)
const readBySchema = withBody.filter(({ id }) => !merchantBodies.has(id))

const zone = zoneOf('Asia/Aden')
const readingOf = (schema: TSchema, body: unknown) => {
  const json = parseJson(Buffer.from(JSON.stringify(body)))
  return json.kind === 'ok' ? bodyReader(schema, { zone })(json.value) : assert.fail(json.detail)
}

const keywords = (schema: TSchema): Keywords => schema as Keywords
const field = (schema: TSchema, name: string): Keywords => keywords(schema).properties![name]!

test('a reader can be made from the schema of every body', () => {
  assert.ok(readBySchema.length > 35, String(readBySchema.length))
  for (const { id, body } of readBySchema) assert.doesNotThrow(() => bodyReader(body, { zone }), id)
})

test('an example of a call is a body that its reader accepts', () => {
  const id = '11111111-1111-4111-8111-1111111111ab'
  for (const { id: call, body, example = {} } of readBySchema) {
    const filled = JSON.parse(JSON.stringify(example).replaceAll(/\{\w+\}/g, id))
    const reading = readingOf(body, filled)
    assert.deepEqual(reading.kind === 'no' ? reading.errors : [], [], call)
  }
})

/** Files that describe the fields of a body by hand, each with the reason. */
const describedByHand: Readonly<Record<string, string>> = {
  'device/reported-alerts.ts': 'a bad element does not affect the others',
  'pair/pair-calls.ts': 'calls of our own page alone',
  'body/merchant': 'fields depend on each other, and the errors are fixed by test cases',
  'checkout/create-checkout-body.ts': 'fields depend on each other; each is read by the schema',
  'body/schema-reader.ts': 'makes readers from schemas',
}

test('a body is described once: by its schema, or by hand for a listed reason', () => {
  const root = resolve(import.meta.dirname, '../../../src/http')
  const users = globSync('**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') }).filter((path) =>
    /^import \{[^}]*\bobject\b[^}]*\} from '[^']*\/fields\.ts'/m.test(readFileSync(join(root, path), 'utf8')),
  )
  const folders = users.map((path) => path.replace(/^(body\/merchant)\/.*/, '$1'))
  assert.deepEqual([...new Set(folders)].sort(), Object.keys(describedByHand).sort())
})

test('the bounds in the schemas are those of the modules', () => {
  const mostPackages = field(NewProvider, 'packages').maxItems!
  assert.ok(SHIPPED_PROVIDERS.every(({ packages = [] }) => packages.length <= mostPackages))
  const bounds: [Keywords[keyof Keywords], unknown][] = [
    [field(changePassword.body, 'new_password').minLength, passwordLength.min],
    [field(changePassword.body, 'new_password').maxLength, passwordLength.max],
    [field(changeMember.body, 'role').enum, roles],
    [field(NewProvider, 'packages').items!.maxLength, longestPackage],
    [field(DashboardProvider, 'packages').maxItems, mostPackages],
    [field(NewTemplate, 'sentence').maxLength, LONGEST_SENTENCE],
    [field(MarkedText, 'marks').maxItems, MOST_SLOTS],
    [field(SentenceTrial, 'text').maxLength, LONGEST_TEXT],
    [field(TemplatePreview, 'limit').maximum, mostPreviewed],
    [field(NewWallet, 'phones').maxItems, mostPhonesOfWallet],
    [field(NewWebhook, 'url').maxLength, URL_LENGTH],
  ]
  for (const [described, actual] of bounds) assert.deepEqual(described, actual)
})

test('making a reader throws for a schema with a keyword, a format or a default that it does not know', () => {
  const text = { type: 'string', maxLength: 10 }
  const schemas: [TSchema, RegExp][] = [
    [{ type: 'object', properties: { a: { ...text, multipleOf: 2 } } }, /keyword "multipleOf"/],
    [{ type: 'object', properties: { a: { ...text, format: 'isbn' } } }, /format "isbn"/],
    [{ type: 'object', properties: { a: { ...text, pattern: '^x' } } }, /no x-invalid/],
    [{ type: 'object', properties: { a: { type: 'string' } } }, /no maxLength/],
    [{ type: 'object', properties: { a: { type: 'number' } } }, /type "number"/],
    [{ type: 'object', properties: { a: { ...text, default: 'longer than that' } } }, /default/],
    [{ type: 'object', properties: { a: { type: 'string', format: 'date-time' } } }, /zone/],
  ]
  for (const [schema, message] of schemas) assert.throws(() => bodyReader(schema), message)
})

test('every call answers a wrong body as the reader of its schema does', async () => {
  const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const members = await createMembers(service)
  const objects = await otherAccountObjects(service, members.otherId)
  const prefixes = Object.keys(objects).sort((a, b) => b.length - a.length)
  const shared = async (table: string): Promise<PathIds> => {
    const [row] = await service.sql(`select id from ${table} where account_id is null limit 1`)
    return { id: String(row![0]) }
  }
  const idsOf = async (path: string): Promise<PathIds> => {
    if (path.startsWith('/operator/accounts/')) return { id: members.otherId }
    if (path.startsWith('/operator/providers/')) return shared('providers')
    if (path.startsWith('/operator/templates/')) return shared('alert_templates')
    return objects[prefixes.find((prefix) => path.startsWith(prefix)) ?? ''] ?? {}
  }
  let compared = 0
  for (const { id, method, path, access, body } of readBySchema) {
    const names = Object.keys(keywords(body).properties ?? {})
    const filledWith = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
    const wrongBodies = [{}, ...[null, [], {}, '', '\0', 'x'.repeat(5000), 1.5, [null]].map(filledWith), []]
    const ids = await idsOf(path)
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? assert.fail(`${id}: no id for {${name}}`))
    const user = access === 'operator' ? members.operator : members.stranger
    for (const invalid of wrongBodies) {
      const reading = readingOf(body, invalid)
      if (reading.kind === 'ok') continue
      const answer = await user.ask(method, url, { body: invalid })
      const sent = `${id} ${JSON.stringify(invalid)?.slice(0, 200)}: ${answer.status} ${answer.text}`
      assert.equal(answer.status, 400, sent)
      assert.deepEqual(
        answer.body.errors,
        reading.errors.map(({ code, detail, attr }) => ({ code, detail, attr })),
        sent,
      )
      compared += 1
    }
  }
  assert.ok(compared > 250, String(compared))
})
