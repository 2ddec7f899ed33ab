/** What the doctor tries: whether the public address answers, and whether the mail server takes us. Each has a few seconds. */
import { createTransport } from 'nodemailer'
import type { Finding } from '../../doctor/diagnosis.ts'

const patience_ms = 5_000

export const probePublicUrl = async (publicUrl: string): Promise<Finding> => {
  const part = 'public_url_answers'
  const cure =
    'Look at the proxy, its certificate and the firewall. If only this machine cannot reach the address, try it from outside: curl -i'
  try {
    const answer = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(patience_ms), redirect: 'manual' })
    await answer.body?.cancel()
    return answer.status === 200
      ? { part, level: 'ok', says: `${publicUrl} answers.` }
      : { part, level: 'wrong', says: `${publicUrl}/healthz answers ${answer.status}, not 200.`, cure }
  } catch (fault) {
    const { code, message } = ((fault as Error).cause ?? fault) as NodeJS.ErrnoException
    return { part, level: 'wrong', says: `${publicUrl} does not answer from here (${code ?? message}).`, cure }
  }
}

export const probeMail = async (url: string): Promise<Finding> => {
  const part = 'mail_server'
  const transport = createTransport({
    url,
    connectionTimeout: patience_ms,
    greetingTimeout: patience_ms,
    socketTimeout: patience_ms,
  })
  try {
    await transport.verify()
    return { part, level: 'ok', says: 'The mail server takes us.' }
  } catch (fault) {
    const { code, responseCode } = fault as { code?: string; responseCode?: number }
    return {
      part,
      level: 'wrong',
      says: `The mail server refuses us (${[code, responseCode].filter((one) => one !== undefined).join(' ') || 'no reason'}).`,
      cure: 'Check SANAD_SMTP_URL: host, port, user and password.',
    }
  } finally {
    transport.close()
  }
}
