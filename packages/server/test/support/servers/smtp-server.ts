/**
 * A mail server on loopback that records the mails it receives and can refuse them. It speaks enough SMTP for a real client.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type Received = {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

const decodeBody = (encoding: string, body: string): string => {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const decodeWords = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?(b|q)\?([^?]*)\?=/gi, (_, kind, text) =>
      decodeBody(kind.toLowerCase() === 'b' ? 'base64' : 'quoted-printable', text.replaceAll('_', ' ')),
    )

export const smtpServer = async () => {
  const received: Received[] = []
  /** SMTP answers to the next mails, in order. When the list is empty, mails are accepted. */
  const answers: string[] = []
  const sockets = new Set<Socket>()
  let arrived: () => void = () => {}
  let tries = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let [from, to, data, inData, rest] = ['', [] as string[], '', false, '']
    const reply = (line: string): void => void socket.write(`${line}\r\n`)
    const end = (): void => {
      inData = false
      tries++
      const answer = answers.shift()
      reply(answer ?? '250 taken')
      if (answer === undefined) {
        const [head = '', ...body] = data.split('\r\n\r\n')
        const header = (name: string): string =>
          new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(head)?.[1]?.replace(/\r\n/g, '') ?? ''
        const text = decodeBody(header('content-transfer-encoding'), body.join('\r\n\r\n')).replace(/\r\n/g, '\n')
        received.push({ from, to, subject: decodeWords(header('subject')), text })
      }
      arrived()
      ;[from, to, data] = ['', [], '']
    }
    const handleLine = (text: string): void => {
      if (inData) {
        if (text === '.') end()
        else data += `${text.replace(/^\.\./, '.')}\r\n`
        return
      }
      if (/^(EHLO|HELO)/i.test(text)) reply('250 sanad.test')
      else if (/^MAIL FROM:/i.test(text)) {
        from = /<(.*)>/.exec(text)![1]!
        reply('250 ok')
      } else if (/^RCPT TO:/i.test(text)) {
        to.push(/<(.*)>/.exec(text)![1]!)
        reply('250 ok')
      } else if (/^DATA/i.test(text)) {
        inData = true
        reply('354 go on')
      } else if (/^QUIT/i.test(text)) {
        reply('221 bye')
        socket.end()
      } else reply('250 ok')
    }
    socket.setEncoding('latin1').on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) handleLine(line)
    })
    reply('220 sanad.test')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    tries: () => tries,
    /** Waits until `count` mails in all have been sent to this server, accepted or not. */
    async untilSent(count: number): Promise<void> {
      while (tries < count)
        await new Promise<void>((done) => {
          arrived = done
        })
    },
    /** Waits for a mail to this address with this subject, takes it out of `received` and returns it. */
    async letterTo(to: string, about: RegExp): Promise<Received> {
      for (;;) {
        const index = received.findIndex((mail) => mail.to.includes(to) && about.test(mail.subject))
        if (index >= 0) return received.splice(index, 1)[0]!
        await new Promise<void>((done) => {
          arrived = done
        })
      }
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The token of the link in a mail. */
export const tokenIn = (letter: Received): string => /https?:\/\/\S+#(\S+)/.exec(letter.text)![1]!
