/** Helpers for tests of the queue: reports of the demo's phone, intents, and the users who work through the queue. */
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Report } from '../../src/alerts/alert.ts'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { templateLookup } from '../../src/alerts/publishing/template-lookup.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { reportReader } from '../../src/matching/reading/read-report.ts'
import { alertRecorder } from '../../src/matching/report/record-alerts.ts'
import { purchaseText, smsReports, transferText } from './sms-texts.ts'
import type { Answer, TestService } from './story.ts'
import { createMembers } from './users.ts'

/** Throws an error if the answer's body does not match the schema of the contract. */
export const fits = (schema: TSchema, answer: Answer): void => {
  const [first] = [...Value.Errors(schema, answer.body)]
  if (first !== undefined) throw new Error(`${JSON.stringify(first)} in ${answer.text}`)
}

export const queueStory = async (service: TestService, options: { readonly limits?: boolean } = {}) => {
  const { db, clock, demo, sql } = service
  const members = await createMembers(service, options)
  const { accountId } = members
  const readReport = reportReader(db, templateLookup(db), hidingBy(service.masterKey))
  const { record: recorder } = alertRecorder({ db, shared: db, zone: zoneOf('Asia/Aden'), readReport })
  let number = 0
  const report = smsReports(clock, 'queue')
  const record = (reports: readonly Report[], trusted = true, phoneId = demo.device.id) =>
    recorder({ accountId, phoneId, adapter: 'native', trusted }, reports, clock.now())
  const paid = purchaseText
  return {
    ...members,
    readReport,
    record,
    report,
    paid,
    newReference: (): string => String(800_000_000_000 + ++number),
    /** Reports a payment with a reference; returns the alert's id. */
    async money(amount: string, reference: string, trusted = true): Promise<string> {
      await record([report(paid(amount, reference))], trusted)
      return (await sql('select id from alerts where reference = $1 order by id desc limit 1', [reference]))[0]![0]!
    },
    /** Reports a transfer, whose message has a balance and no reference; returns the alert's id. */
    async reportTransfer(amount: string, balance: string): Promise<string> {
      await record([report(transferText(amount, `${balance}.00`))])
      return (await sql('select id from alerts order by id desc limit 1'))[0]![0]!
    },
    attach: (id: string, reference: string) => service.ask('PATCH', `/intents/${id}/`, { body: { reference } }),
    /** The audit entries of an object, each as `action actor`. */
    audited: async (id: string) =>
      (await sql('select action, actor from audit_log where object_id = $1 order by id', [id])).map((row) =>
        row.join(' '),
      ),
    stateOf: async (id: string) => (await sql('select state from alerts where id = $1', [id]))[0]![0]!,
  }
}
