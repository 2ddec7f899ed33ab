/** E-mail over a real SMTP connection: mails are sent, retried and given up; links are never in the log. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { openMail } from '../../src/mail.ts'
import { smtpServer } from '../support/servers/smtp-server.ts'

const smtp = await smtpServer()
after(() => smtp.close())
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
const settings = { url: smtp.url, from: 'Sanad <sanad@sanad.test>' }
const secret = 'https://pay.example.com/invitation#nobody-else-may-see-this'
const letter = (to: string) => ({ kind: 'invitation', to, subject: 'دعوة / An invitation', text: `افتح:\n${secret}\n` })

test('a mail arrives as written, in Arabic and Latin letters', async () => {
  const mail = openMail(settings, log)
  mail.send(letter('amal@shop.example'))
  const received = await smtp.letterTo('amal@shop.example', /دعوة/)
  assert.equal(received.from, 'sanad@sanad.test')
  assert.equal(received.subject, 'دعوة / An invitation')
  assert.equal(received.text.trim(), `افتح:\n${secret}`)
  await mail.close()
})

test('a temporary refusal is retried until the mail is accepted', async () => {
  const before = smtp.tries()
  smtp.answers.push('451 come again', '421 busy')
  const mail = openMail(settings, log, [1, 1, 1])
  mail.send(letter('badr@shop.example'))
  assert.ok(await smtp.letterTo('badr@shop.example', /دعوة/))
  assert.equal(smtp.tries() - before, 3)
  await mail.close()
})

test('a permanent refusal is not retried, and is logged without the link', async () => {
  const before = smtp.tries()
  smtp.answers.push(`550 no such member ${secret}`)
  const mail = openMail(settings, log, [1, 1, 1])
  mail.send(letter('nobody@shop.example'))
  await smtp.untilSent(before + 1)
  await mail.close()
  assert.equal(smtp.tries() - before, 1)
  assert.ok(lines.some((line) => line.includes('could not be sent') && line.includes('SANAD_SMTP_URL')))
  assert.ok(!lines.join('').includes('nobody-else-may-see-this'))
})

test('closing gives a waiting mail one last attempt', async () => {
  const before = smtp.tries()
  smtp.answers.push('451 come again')
  const mail = openMail(settings, log, [3_600_000])
  mail.send(letter('late@shop.example'))
  await smtp.untilSent(before + 1)
  await mail.close()
  assert.ok(smtp.received.some(({ to }) => to.includes('late@shop.example')))
})

test('an unreachable server does not fail the caller, and is logged', async () => {
  const mail = openMail({ ...settings, url: 'smtp://127.0.0.1:9' }, log, [])
  mail.send(letter('amal@shop.example'))
  await mail.close()
  assert.ok(
    lines.some((line) => line.includes('ECONNECTION') || line.includes('ECONNREFUSED') || line.includes('ESOCKET')),
  )
})

test('mails above the bound of waiting mails are dropped and logged', async () => {
  const mail = openMail({ ...settings, url: 'smtp://127.0.0.1:9' }, log, [])
  for (let i = 0; i < 1_001; i++) mail.send(letter(`member-${i}@shop.example`))
  assert.ok(lines.some((line) => line.includes('too many are waiting')))
  await mail.close()
})

test('without mail settings nothing is sent, and the log names the commands that print links', () => {
  const mail = openMail(undefined, log)
  mail.send(letter('amal@shop.example'))
  assert.equal(mail.on, false)
  assert.ok(lines.at(-1)!.includes('npx --no sanad user link'))
  assert.ok(!lines.join('').includes('nobody-else-may-see-this'))
})
